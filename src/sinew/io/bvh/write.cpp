// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/base/text.h"
#include "sinew/io/bvh/bvh.h"
#include "sinew/io/bvh/hierarchy.h"
#include "sinew/io/bvh/pose.h"
#include "sinew/math/quaternion.h"

namespace sinew::io {
namespace {

using bvh::Table;
using bvh::UprightRest;
using math::Vec3d;
using model::Clip;
using model::Joint;
using model::Skeleton;

/// The position data that are written for a joint.
enum class Positions : std::uint8_t { none, absolute, relative };

struct Layout {
    std::vector<Vec3d> offsets;
    std::vector<Positions> positions;
};

bool moves(const Table& table, std::size_t joint, const Vec3d& offset, double tolerance) {
    for (std::size_t f = 0; f < table.frames; ++f) {
        if ((table.at(f, joint).position - offset).cwiseAbs().maxCoeff() > tolerance) return true;
    }
    return false;
}

/// The positions of a root are written so that the reader's rule interprets them correctly: absolute when the
/// motion is near the rest height, else relative to OFFSET. If neither works, OFFSET becomes zero.
void lay_out_root(const Table& table, std::size_t joint, Layout& layout, std::string_view name,
                  Monitor& monitor) {
    Vec3d& offset = layout.offsets[joint];
    layout.positions[joint] = Positions::absolute;
    if (offset.isZero(0)) return;
    std::vector<double> heights;
    for (std::size_t f = 0; f < table.frames; ++f) heights.push_back(table.at(f, joint).position.y());
    const double height = median(std::move(heights));
    if (bvh::root_replaces(offset, height)) return;
    layout.positions[joint] = Positions::relative;
    if (!bvh::root_replaces(offset, height - offset.y())) return;
    layout.positions[joint] = Positions::absolute;
    offset = Vec3d::Zero();
    warn(monitor, "bvh-root-rest",
         "the rest position of \"{}\" is left out, because it would be taken for part of the motion", name);
}

/// Determines which joints need position channels. If few joints have them, a reader may infer the other
/// convention; in this case all joints get them.
Layout lay_out(const Skeleton& skeleton, const UprightRest& rest, const Table& table, Monitor& monitor) {
    Layout layout{rest.offsets, std::vector<Positions>(skeleton.size(), Positions::none)};
    std::vector<bvh::FirstPosition> moving, all;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const Joint& joint = skeleton.joints[j];
        if (joint.parent < 0) {
            lay_out_root(table, j, layout, joint.name, monitor);
            continue;
        }
        all.push_back({rest.offsets[j], table.at(0, j).position});
        if (!moves(table, j, rest.offsets[j], 2e-7 * rest.size)) continue;
        layout.positions[j] = Positions::absolute;
        moving.push_back(all.back());
    }
    if (bvh::joint_convention(moving).replaces) return layout;
    for (Positions& positions : layout.positions) {
        if (positions == Positions::none) positions = Positions::absolute;
    }
    if (!bvh::joint_convention(all).replaces) {
        warn(monitor, "bvh-position-convention",
             "positions replace OFFSET, but may have been meant as additions to it");
    }
    return layout;
}

/// Angles of one joint over all frames, in degrees, without jumps.
std::vector<Vec3d> angles(const Table& table, std::size_t joint, const math::EulerOrder& order) {
    std::vector<Vec3d> result;
    result.reserve(table.frames);
    Vec3d previous = Vec3d::Zero();
    for (std::size_t f = 0; f < table.frames; ++f) {
        previous = math::unwrap_euler(order, math::to_euler(order, table.at(f, joint).rotation), previous);
        result.emplace_back(previous * (180 / math::pi));
    }
    return result;
}

/// Writes numbers with a fixed count of decimals, without negative zero.
struct NumberWriter {
    int decimals = 6;
    double smallest = 0.5e-6;

    explicit NumberWriter(int digits) : decimals(digits), smallest(0.5 * std::pow(10.0, -digits)) {}
    void operator()(std::string& text, double value) const {
        if (std::abs(value) < smallest) value = 0;
        fmt::format_to(std::back_inserter(text), "{:.{}f}", value, decimals);
    }
    void vector(std::string& text, const Vec3d& v) const {
        for (int axis = 0; axis < 3; ++axis) {
            text += ' ';
            (*this)(text, v[axis]);
        }
    }
};

class TextWriter {
  public:
    TextWriter(const Skeleton& skeleton, const UprightRest& rest, const Layout& layout, const Table& table,
               const math::EulerOrder& order)
        : skeleton_(skeleton),
          rest_(rest),
          layout_(layout),
          table_(table),
          order_(order),
          children_(model::children(skeleton)),
          length_(
              std::clamp(7 - static_cast<int>(std::floor(std::log10(std::max(rest.size, 1e-9)))), 6, 15)) {}

    std::string run(Monitor& monitor);

  private:
    std::string safe_name(const Joint& joint, Monitor& monitor) const;
    void hierarchy(Monitor& monitor);
    void begin_joint(std::size_t joint, Monitor& monitor);
    void end_joint(std::size_t joint);
    void motion();
    void row(std::size_t frame, const std::vector<std::vector<Vec3d>>& rotations, std::string& text) const;

    const Skeleton& skeleton_;
    const UprightRest& rest_;
    const Layout& layout_;
    const Table& table_;
    const math::EulerOrder& order_;
    std::vector<std::vector<int>> children_;
    NumberWriter length_;
    NumberWriter angle_{6};
    std::vector<std::size_t> written_;  ///< joints in the order of the file
    std::string indent_;
    std::string text_;
};

std::string TextWriter::run(Monitor& monitor) {
    text_ = "HIERARCHY\n";
    hierarchy(monitor);
    fmt::format_to(std::back_inserter(text_), "MOTION\nFrames: {}\nFrame Time: {}\n", table_.frames,
                   table_.step);
    motion();
    return std::move(text_);
}

/// A name ends at a line end or a brace, and spaces around it are lost when read.
std::string TextWriter::safe_name(const Joint& joint, Monitor& monitor) const {
    std::string name(trim(joint.name));
    for (char& c : name) {
        if (static_cast<unsigned char>(c) < ' ' || c == '{' || c == '}') c = '_';
    }
    if (name.empty()) name = "joint";
    if (name != joint.name) warn(monitor, "bvh-name", "\"{}\" is written as \"{}\"", joint.name, name);
    return name;
}

/// Depth first without recursion: a skeleton may be one long chain.
void TextWriter::hierarchy(Monitor& monitor) {
    std::vector<std::pair<std::size_t, std::size_t>> stack;  // joint and its next child
    for (std::size_t root = 0; root < skeleton_.size(); ++root) {
        if (skeleton_.joints[root].parent >= 0) continue;
        begin_joint(root, monitor);
        stack.emplace_back(root, 0);
        while (!stack.empty()) {
            auto& [joint, next] = stack.back();
            if (next < children_[joint].size()) {
                const auto child = static_cast<std::size_t>(children_[joint][next++]);
                begin_joint(child, monitor);
                stack.emplace_back(child, 0);
            } else {
                end_joint(joint);
                stack.pop_back();
            }
        }
    }
}

void TextWriter::begin_joint(std::size_t joint, Monitor& monitor) {
    const Joint& source = skeleton_.joints[joint];
    written_.push_back(joint);
    text_ += indent_ + (source.parent < 0 ? "ROOT " : "JOINT ") + safe_name(source, monitor) + "\n" +
             indent_ + "{\n";
    indent_ += '\t';
    text_ += indent_ + "OFFSET";
    length_.vector(text_, layout_.offsets[joint]);
    const bool positions = layout_.positions[joint] != Positions::none;
    text_ += "\n" + indent_ + (positions ? "CHANNELS 6 Xposition Yposition Zposition" : "CHANNELS 3");
    for (const int axis : order_) fmt::format_to(std::back_inserter(text_), " {}rotation", "XYZ"[axis]);
    text_ += '\n';
}

void TextWriter::end_joint(std::size_t joint) {
    if (skeleton_.joints[joint].tip) {
        text_ += indent_ + "End Site\n" + indent_ + "{\n" + indent_ + "\tOFFSET";
        length_.vector(text_, rest_.tips[joint]);
        text_ += "\n" + indent_ + "}\n";
    }
    indent_.pop_back();
    text_ += indent_ + "}\n";
}

void TextWriter::row(std::size_t frame, const std::vector<std::vector<Vec3d>>& rotations,
                     std::string& text) const {
    const std::size_t start = text.size();
    for (const std::size_t joint : written_) {
        if (layout_.positions[joint] != Positions::none) {
            const Vec3d& position = table_.at(frame, joint).position;
            const bool relative = layout_.positions[joint] == Positions::relative;
            length_.vector(text, relative ? Vec3d(position - layout_.offsets[joint]) : position);
        }
        angle_.vector(text, rotations[joint][frame]);
    }
    text.erase(start, 1);
    text += '\n';
}

void TextWriter::motion() {
    std::vector<std::vector<Vec3d>> rotations(table_.joints);
    parallel_for(table_.joints, 1,
                 [&](std::size_t joint) { rotations[joint] = angles(table_, joint, order_); });
    constexpr std::size_t grain = 64;
    std::vector<std::string> parts((table_.frames + grain - 1) / grain);
    parallel_blocks(table_.frames, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t frame = begin; frame < end; ++frame) row(frame, rotations, parts[begin / grain]);
    });
    for (const std::string& part : parts) text_ += part;
}

bool scale_is_animated(const Clip& clip) {
    for (const model::Track& track : clip.tracks) {
        for (std::size_t i = 1; i < track.scale.times.size(); ++i) {
            if (!track.scale.at_key(i).isApprox(track.scale.at_key(0), 1e-5f)) return true;
        }
    }
    return false;
}

/// The limit of our own reader.
void check_depth(const Skeleton& skeleton, std::string_view file) {
    std::vector<std::size_t> depth(skeleton.size(), 1);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        if (parent >= 0) depth[j] = depth[static_cast<std::size_t>(parent)] + 1;
        // An End Site adds one level.
        if (depth[j] >= bvh::max_depth) fail(file, "joints are nested deeper than {}", bvh::max_depth - 1);
    }
}

}  // namespace

std::string write_bvh(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor) {
    const std::string file = path.string();
    const model::Character& character = asset.character;
    if (!character.has_skeleton()) fail(file, "a BVH file needs a skeleton");
    if (options.rate < 0 || !std::isfinite(options.rate))
        fail(file, "{} frames per second is not a frame rate", options.rate);
    check_depth(character.skeleton, file);
    const math::EulerOrder order = math::parse_euler_order(options.euler_order);
    const Clip* clip = character.clips.empty() ? nullptr : character.clips.data();
    if (character.clips.size() > 1) {
        warn(monitor, "bvh-one-clip", "{} of {} clips are left out: only \"{}\" is written",
             character.clips.size() - 1, character.clips.size(), clip->name);
    }
    if (clip != nullptr && scale_is_animated(*clip)) {
        warn(monitor, "bvh-scale", "the animated scale of \"{}\" is lost; joints keep their positions",
             clip->name);
    }
    const UprightRest rest(character.skeleton);
    const Table table = bvh::sample_table(character.skeleton, rest, clip, options.rate, file, monitor);
    const Layout layout = lay_out(character.skeleton, rest, table, monitor);
    return TextWriter(character.skeleton, rest, layout, table, order).run(monitor);
}

}  // namespace sinew::io
