// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The sections of an ASF file, before the bones are connected to a tree.

#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/text.h"
#include "sinew/io/acclaim/figure.h"
#include "sinew/io/text/tokens.h"

namespace sinew::io::asf {

/// White space, commas and parentheses separate words; # starts a comment.
class Words {
  public:
    Words(std::string_view text, std::string_view name) : text_(text), cursor_(text, name) { find(0); }

    /// The next word, empty at the end, without consuming it.
    std::string_view peek() const { return word_; }
    /// True when the next word is the first on its line.
    bool starts_line() const { return starts_line_; }
    /// True at the end of the file and before a word such as ":root".
    bool section_ends() const { return word_.empty() || (starts_line_ && word_.starts_with(':')); }
    std::string_view next();
    /// \throws Error naming `what` when the next word is not a number; one that is not finite becomes 0, with
    /// a warning
    double number(std::string_view what, bvh::Tally& tally);
    math::Vec3d vector(std::string_view what, bvh::Tally& tally);
    /// Position of the next word.
    const TextCursor& cursor() const { return cursor_; }

  private:
    void find(std::size_t from);

    std::string_view text_;
    TextCursor cursor_;
    std::string_view word_;
    bool starts_line_ = true;
};

struct Limit {
    double low;
    double high;
};

struct Bone {
    std::string_view name;
    math::Vec3d direction = math::Vec3d::Zero();
    double length = 0;
    math::Quatd axes = math::Quatd::Identity();
    std::vector<Dof> dofs;
    std::vector<Limit> limits;  ///< one per dof, or none; radians for rotations
};

/// A parent and one of its children, as a line of :hierarchy names them.
struct Link {
    std::string_view parent;
    std::string_view child;
    std::size_t position;  ///< in the text
};

struct Sections {
    double unit = 1;
    bool degrees = true;
    Bone root;
    math::Vec3d position = math::Vec3d::Zero();  ///< of the root
    std::vector<Bone> bones;
    std::vector<Link> links;
};

Sections read_sections(Words& words, bvh::Tally& tally);

}  // namespace sinew::io::asf
