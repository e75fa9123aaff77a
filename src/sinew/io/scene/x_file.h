// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Tokens and content of a text .x file, in its own conventions: row vectors, left-handed.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/text/warning_tally.h"
#include "sinew/math/types.h"

namespace sinew::io::x {

struct Token {
    enum class Kind : std::uint8_t { end, open, close, word, string, guid };
    Kind kind = Kind::end;
    std::string_view text;   ///< without quotes
    std::size_t offset = 0;  ///< in the file

    bool is(Kind other) const { return kind == other; }
};

/// Semicolons and commas are only separators: extra or missing ones are ignored. // and # start a comment.
class Text {
  public:
    Text(std::string_view text, std::string_view name, std::size_t start)
        : text_(text), name_(name), position_(start) {}

    const Token& peek();
    Token next();
    bool at(Token::Kind kind) { return peek().is(kind); }

    /// \throws Error naming `what` when the next token is not a number; "1.#IND" and similar are not numbers
    double number(std::string_view what);
    /// A finite number. \throws Error
    double finite(std::string_view what);
    /// A whole number from 0 to 2^31. \throws Error
    std::uint32_t index(std::string_view what);
    /// A count of items with at least two bytes each. \throws Error when the file is too short for them
    std::size_t count(std::string_view what);
    /// A string, or a word in its place. \throws Error when there is none
    std::string string(std::string_view what);

    /// Skips to the end of the current object, after its closing brace.
    void skip_object();

    std::string location(std::size_t offset) const;
    std::string location() { return location(peek().offset); }
    std::string_view name() const { return name_; }

  private:
    void skip_space();
    Token scan();

    std::string_view text_;
    std::string name_;
    std::size_t position_ = 0;
    Token ahead_;
    bool has_ahead_ = false;
};

using Matrix = std::array<double, 16>;  ///< in file order

struct Material {
    std::string name;
    std::array<double, 4> color{1, 1, 1, 1};
    double power = 0;
    std::array<double, 3> emissive{};
    std::string texture;
};

/// Polygons: the corners of face f are corners[first[f] .. first[f + 1]).
struct Faces {
    std::vector<std::uint32_t> corners;
    std::vector<std::uint32_t> first{0};
    std::size_t size() const { return first.size() - 1; }
    std::size_t corner_count(std::size_t face) const { return first[face + 1] - first[face]; }
};

struct SkinWeights {
    std::string bone;
    std::vector<std::uint32_t> vertices;
    std::vector<float> weights;
    Matrix offset{};
    std::size_t location = 0;  ///< offset in the file, for messages
};

struct MeshObject {
    std::string name;
    int frame = -1;
    std::size_t location = 0;
    std::vector<math::Vec3f> positions;
    Faces faces;
    std::vector<math::Vec3f> normals;
    Faces normal_faces;
    std::vector<math::Vec2f> uvs;
    std::vector<math::Vec4f> colors;  ///< of vertices; as many as positions, or none
    std::vector<std::uint32_t> face_materials;
    std::vector<int> materials;  ///< into File::materials
    std::vector<SkinWeights> skin;
};

struct Frame {
    std::string name;
    int parent = -1;
    Matrix matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
};

/// Keys of one type: `width` numbers each.
struct AnimationKeys {
    int type = 0;  ///< 0 rotation, 1 scale, 2 position, 3 or 4 matrix
    std::size_t width = 0;
    std::vector<double> times;  ///< ticks
    std::vector<double> values;
};

struct Animation {
    std::string frame;
    std::vector<AnimationKeys> keys;
    std::size_t location = 0;
};

struct AnimationSet {
    std::string name;
    std::vector<Animation> animations;
};

struct File {
    std::vector<Frame> frames;
    std::vector<MeshObject> meshes;
    std::vector<Material> materials;
    std::vector<AnimationSet> sets;
    std::map<std::string, int> material_names;
    std::map<std::string, int> frame_numbers;  ///< the first of each name
    double ticks_per_second = 4800;
};

/// Parses everything after the header. \throws Error with the line
File parse(Text& text, WarningTally& oddities);

/// One mesh, after `Mesh name {`.
MeshObject parse_mesh(Text& text, File& file, WarningTally& oddities);
/// One material, after `Material name {`; returns its index.
int parse_material(Text& text, File& file, std::string name);
/// An object's header: `Type name {`; the brace is passed.
struct Header {
    std::string type;
    std::string name;
    std::size_t offset = 0;
};
Header parse_header(Text& text);
Matrix parse_matrix(Text& text);

/// Frames may not be nested deeper than this.
inline constexpr int max_depth = 500;

}  // namespace sinew::io::x
