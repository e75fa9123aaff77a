// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/parallel.h"
#include "sinew/base/text.h"
#include "sinew/io/acclaim/figure.h"
#include "sinew/io/bvh/pose.h"
#include "sinew/math/quaternion.h"

namespace sinew::io::asf {
namespace {

// A character as bones of an ASF skeleton and rows of an AMC motion. See write_asf and write_amc.

/// A bone that is written, and its numbers in every frame.
struct WrittenBone {
    std::string name;
    int parent = -1;  ///< index of a bone before it; -1 for the root
    math::Vec3d end = math::Vec3d::Zero();
    math::Quatd axes = math::Quatd::Identity();
    std::vector<Dof> dofs;
    std::vector<std::pair<double, double>> limits;  ///< of the dofs, degrees; may be empty
    std::vector<double> values;                     ///< frame * dofs + dof
};

struct Layout {
    math::Vec3d position = math::Vec3d::Zero();  ///< of the root
    std::vector<WrittenBone> bones;              ///< the root first, parents before children
    std::size_t frames = 1;
    double unit = 1;  ///< metres per unit
};

using bvh::Table;
using bvh::UprightRest;
using math::Quatd;
using math::Vec3d;
using model::Joint;
using model::JointLimits;
using model::Skeleton;

/// Rotations below this many degrees are noise of `float` keys.
constexpr double no_rotation = 2e-4;

class Planner {
  public:
    Planner(const Skeleton& skeleton, const UprightRest& rest, const Table& table, Monitor& monitor)
        : skeleton_(skeleton),
          rest_(rest),
          table_(table),
          monitor_(monitor),
          tolerance_(1e-9 * rest.size),
          children_(model::children(skeleton)),
          bone_of_(skeleton.size(), 0) {}
    Layout run();

  private:
    void add_root();
    void add(std::size_t joint);
    int connect(int parent, const Vec3d& offset, const std::string& name);
    Vec3d shared_end(std::size_t joint) const;
    std::string safe_name(const std::string& name, bool root);
    void name_dofs(std::size_t joint, WrittenBone& bone);
    void fill_values(std::size_t joint, WrittenBone& bone) const;
    bool moves(std::size_t joint) const;
    std::vector<Vec3d> angles(std::size_t joint, const Quatd& axes) const;
    bool virtual_root() const;

    const Skeleton& skeleton_;
    const UprightRest& rest_;
    const Table& table_;
    Monitor& monitor_;
    double tolerance_;
    std::vector<std::vector<int>> children_;
    std::vector<int> bone_of_;
    std::set<std::string> names_;
    std::size_t connectors_ = 0;
    std::size_t unlocked_ = 0;
    Layout layout_;
};

/// Several roots need a common parent, which does not move.
bool Planner::virtual_root() const {
    return std::count_if(skeleton_.joints.begin(), skeleton_.joints.end(),
                         [](const Joint& joint) { return joint.parent < 0; }) > 1;
}

Layout Planner::run() {
    layout_.frames = table_.frames;
    for (const char* const taken : {"root", "begin", "end"}) names_.insert(taken);
    if (virtual_root()) add_root();
    for (std::size_t j = 0; j < skeleton_.size(); ++j) add(j);
    if (connectors_ > 0) {
        warn(monitor_, "asf-connector",
             "{} connecting bones are written where joints do not share their start", connectors_);
    }
    if (unlocked_ > 0) {
        warn(monitor_, "asf-locked-axis",
             "{} joints rotate about axes that their limits lock; they are written as free", unlocked_);
    }
    parallel_for(skeleton_.size(), 1, [&](std::size_t j) {
        fill_values(j, layout_.bones[static_cast<std::size_t>(bone_of_[j])]);
    });
    return std::move(layout_);
}

void Planner::add_root() {
    WrittenBone root;
    root.name = "root";
    for (const Dof::Kind kind : {Dof::Kind::translation, Dof::Kind::rotation}) {
        for (int axis = 0; axis < 3; ++axis) root.dofs.push_back({kind, axis});
    }
    root.values.assign(6 * table_.frames, 0.0);
    layout_.bones.push_back(std::move(root));
    warn(monitor_, "asf-roots", "several roots get a common parent that does not move");
}

/// A word that can be read back, and that no other bone has.
std::string Planner::safe_name(const std::string& name, bool root) {
    std::string safe(trim(name));
    for (char& c : safe) {
        if (static_cast<unsigned char>(c) <= ' ' || c == ',' || c == '(' || c == ')' || c == '#') c = '_';
    }
    if (safe.empty() || safe[0] == ':') safe.insert(0, "bone");
    if (root) safe = "root";
    const std::string base = safe;
    for (int n = 2; !root && !names_.insert(to_lower(safe)).second; ++n) safe = fmt::format("{}_{}", base, n);
    if (safe != name) warn(monitor_, "asf-name", "\"{}\" is written as \"{}\"", name, safe);
    return safe;
}

/// The start of most children; the end of the bone when there are none.
Vec3d Planner::shared_end(std::size_t joint) const {
    if (skeleton_.joints[joint].parent < 0 && !virtual_root()) return Vec3d::Zero();
    if (children_[joint].empty()) return rest_.tips[joint];
    Vec3d best = Vec3d::Zero();
    std::ptrdiff_t largest = 0;
    for (const int child : children_[joint]) {
        const Vec3d& start = rest_.offsets[static_cast<std::size_t>(child)];
        const std::ptrdiff_t count =
            std::count_if(children_[joint].begin(), children_[joint].end(), [&](int other) {
                return (rest_.offsets[static_cast<std::size_t>(other)] - start).norm() <= tolerance_;
            });
        if (count > largest) best = start;
        largest = std::max(largest, count);
    }
    return best;
}

int Planner::connect(int parent, const Vec3d& offset, const std::string& name) {
    if (offset.norm() <= tolerance_) return parent;
    ++connectors_;
    WrittenBone bone;
    bone.name = name + "_base";
    for (int n = 2; !names_.insert(to_lower(bone.name)).second; ++n)
        bone.name = fmt::format("{}_base_{}", name, n);
    bone.parent = parent;
    bone.end = offset;
    layout_.bones.push_back(std::move(bone));
    return static_cast<int>(layout_.bones.size()) - 1;
}

void Planner::add(std::size_t joint) {
    const Joint& source = skeleton_.joints[joint];
    const bool root = layout_.bones.empty();
    WrittenBone bone;
    bone.name = safe_name(source.name, root);
    bone.end = shared_end(joint);
    if (source.limits && !root) bone.axes = source.limits->frame;
    if (root) {
        layout_.position = rest_.offsets[joint];
    } else {
        const int parent = source.parent < 0 ? 0 : bone_of_[static_cast<std::size_t>(source.parent)];
        const Vec3d& start = layout_.bones[static_cast<std::size_t>(parent)].end;
        bone.parent = connect(parent, rest_.offsets[joint] - start, bone.name);
    }
    name_dofs(joint, bone);
    bone_of_[joint] = static_cast<int>(layout_.bones.size());
    layout_.bones.push_back(std::move(bone));
}

bool Planner::moves(std::size_t joint) const {
    for (std::size_t f = 0; f < table_.frames; ++f) {
        const Vec3d offset = table_.at(f, joint).position - rest_.offsets[joint];
        if (offset.cwiseAbs().maxCoeff() > 2e-7 * rest_.size) return true;
    }
    return false;
}

/// Angles of M = C^-1 R C about fixed x, y, z (M = R_z R_y R_x), in degrees and without jumps.
std::vector<Vec3d> Planner::angles(std::size_t joint, const Quatd& axes) const {
    constexpr math::EulerOrder order{2, 1, 0};
    std::vector<Vec3d> result;
    result.reserve(table_.frames);
    Vec3d previous = Vec3d::Zero();
    for (std::size_t f = 0; f < table_.frames; ++f) {
        const Quatd m = axes.conjugate() * table_.at(f, joint).rotation * axes;
        // A rotation about a single axis keeps that axis, also in gimbal lock.
        Vec3d found;
        int hinge = 0;
        const double largest = m.vec().cwiseAbs().maxCoeff(&hinge);
        if (m.vec().norm() - largest < 1e-13 && largest > 0) {
            found = Vec3d::Zero();
            found[2 - hinge] = 2 * std::atan2(m.coeffs()[hinge], m.w());
        } else {
            found = math::to_euler(order, m);
        }
        previous = math::unwrap_euler(order, found, previous);
        result.emplace_back(math::degrees(previous[2]), math::degrees(previous[1]),
                            math::degrees(previous[0]));
    }
    return result;
}

void Planner::name_dofs(std::size_t joint, WrittenBone& bone) {
    const std::optional<JointLimits>& limits = skeleton_.joints[joint].limits;
    const bool root = layout_.bones.empty();
    if (root || moves(joint)) {
        for (int axis = 0; axis < 3; ++axis) bone.dofs.push_back({Dof::Kind::translation, axis});
    }
    const bool limited = limits && !root;
    Vec3d rotated = Vec3d::Zero();
    if (limited) {
        for (const Vec3d& each : angles(joint, bone.axes)) rotated = rotated.cwiseMax(each.cwiseAbs());
    }
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (limited) bone.limits.assign(bone.dofs.size(), {-infinite, infinite});
    bool unlocked = false;
    for (int axis = 0; axis < 3; ++axis) {
        const bool locked = limited && limits->low[axis] == 0 && limits->high[axis] == 0;
        if (locked && rotated[axis] <= no_rotation) continue;
        unlocked = unlocked || locked;
        bone.dofs.push_back({Dof::Kind::rotation, axis});
        if (limited)
            bone.limits.emplace_back(math::degrees(limits->low[axis]), math::degrees(limits->high[axis]));
    }
    unlocked_ += unlocked ? 1 : 0;
    const auto is_free = [](const std::pair<double, double>& limit) {
        return std::isinf(limit.first) && std::isinf(limit.second);
    };
    if (std::all_of(bone.limits.begin(), bone.limits.end(), is_free)) bone.limits.clear();
}

void Planner::fill_values(std::size_t joint, WrittenBone& bone) const {
    const std::vector<Vec3d> rotations = angles(joint, bone.axes);
    bone.values.reserve(table_.frames * bone.dofs.size());
    for (std::size_t f = 0; f < table_.frames; ++f) {
        const Vec3d offset = table_.at(f, joint).position - rest_.offsets[joint];
        const Vec3d shift = bone.parent < 0 ? offset : Vec3d(bone.axes.conjugate() * offset);
        for (const Dof& dof : bone.dofs) {
            bone.values.push_back(dof.kind == Dof::Kind::rotation ? rotations[f][dof.axis] : shift[dof.axis]);
        }
    }
}

/// \throws Error when there is no skeleton or the rate is invalid.
Layout lay_out(const Asset& asset, std::string_view file, const WriteOptions& options, Monitor& monitor) {
    const model::Character& character = asset.character;
    if (!character.has_skeleton()) fail(file, "an ASF skeleton needs joints");
    if (options.rate < 0 || !std::isfinite(options.rate))
        fail(file, "{} frames per second is not a frame rate", options.rate);
    const model::Clip* const clip = character.clips.empty() ? nullptr : character.clips.data();
    if (character.clips.size() > 1) {
        warn(monitor, "amc-one-clip", "{} of {} clips are left out: only \"{}\" is written",
             character.clips.size() - 1, character.clips.size(), clip->name);
    }
    const UprightRest rest(character.skeleton);
    const Table table = bvh::sample_table(character.skeleton, rest, clip, options.rate, file, monitor);
    Layout layout = Planner(character.skeleton, rest, table, monitor).run();
    layout.unit = character.unit;
    return layout;
}

/// Numbers that read back exactly, without negative zero.
void put(std::string& text, double value) {
    fmt::format_to(std::back_inserter(text), " {}", value == 0 ? 0.0 : value);
}
void put(std::string& text, const Vec3d& v) {
    for (int axis = 0; axis < 3; ++axis) put(text, v[axis]);
}

std::string_view word_of(const Dof& dof) {
    constexpr std::string_view rotations[] = {"rx", "ry", "rz"}, shifts[] = {"tx", "ty", "tz"};
    const auto axis = static_cast<std::size_t>(dof.axis);
    if (dof.kind == Dof::Kind::length) return "l";
    return dof.kind == Dof::Kind::rotation ? rotations[axis] : shifts[axis];
}

void put(std::string& text, const std::vector<Dof>& dofs) {
    for (const Dof& dof : dofs) text.append(" ").append(word_of(dof));
    text += '\n';
}

void put_bone(std::string& text, const WrittenBone& bone, std::size_t id) {
    const double length = bone.end.norm();
    fmt::format_to(std::back_inserter(text), "  begin\n    id {}\n    name {}\n    direction", id, bone.name);
    put(text, length > 0 ? Vec3d(bone.end / length) : Vec3d(Vec3d::UnitY()));
    text += "\n    length";
    put(text, length);
    // C = R_z R_y R_x of the angles.
    const Vec3d angles = math::to_euler({2, 1, 0}, bone.axes) * (180 / math::pi);
    text += "\n    axis";
    put(text, Vec3d(angles.reverse()));
    text += " XYZ\n";
    if (!bone.dofs.empty()) {
        text += "    dof";
        put(text, bone.dofs);
    }
    for (std::size_t i = 0; i < bone.limits.size(); ++i) {
        fmt::format_to(std::back_inserter(text), "    {} ({} {})\n", i == 0 ? "limits" : "      ",
                       bone.limits[i].first, bone.limits[i].second);
    }
    text += "  end\n";
}

}  // namespace

std::string skeleton_text(const Layout& layout) {
    // One number is 0.0254 / length metres.
    std::string text = fmt::format(
        ":version 1.10\n:name skeleton\n:units\n  mass 1\n  length {}\n  angle deg\n:root\n  order",
        0.0254 / layout.unit);
    put(text, layout.bones[0].dofs);
    text += "  axis XYZ\n  position";
    put(text, layout.position);
    text += "\n  orientation 0 0 0\n:bonedata\n";
    for (std::size_t i = 1; i < layout.bones.size(); ++i) put_bone(text, layout.bones[i], i);
    text += ":hierarchy\n  begin\n";
    std::vector<std::string> lines(layout.bones.size());
    for (std::size_t i = 1; i < layout.bones.size(); ++i) {
        lines[static_cast<std::size_t>(layout.bones[i].parent)].append(" ").append(layout.bones[i].name);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].empty()) text += "    " + layout.bones[i].name + lines[i] + "\n";
    }
    return text + "  end\n";
}

namespace {

std::string motion_text(const Layout& layout) {
    std::string text = ":FULLY-SPECIFIED\n:DEGREES\n";
    for (std::size_t f = 0; f < layout.frames; ++f) {
        fmt::format_to(std::back_inserter(text), "{}\n", f + 1);
        for (const WrittenBone& bone : layout.bones) {
            if (bone.dofs.empty()) continue;
            text += bone.name;
            for (std::size_t i = 0; i < bone.dofs.size(); ++i) {
                const double value = bone.values[f * bone.dofs.size() + i];
                fmt::format_to(std::back_inserter(text), " {:.9g}", std::abs(value) < 1e-9 ? 0.0 : value);
            }
            text += '\n';
        }
    }
    return text;
}

/// Writes the skeleton unless the file already has the same content.
void put_companion(const std::filesystem::path& path, const std::string& text, Monitor& monitor) {
    std::error_code code;
    if (std::filesystem::exists(path, code)) {
        if (FileView(path).text() == text) return;
        warn(monitor, "amc-skeleton-replaced", "{} held another skeleton and is replaced", path.string());
    }
    write_file(path, text);
}

}  // namespace
}  // namespace sinew::io::asf

namespace sinew::io {

std::string write_asf(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor) {
    return asf::skeleton_text(asf::lay_out(asset, path.string(), options, monitor));
}

std::string write_amc(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor) {
    const asf::Layout layout = asf::lay_out(asset, path.string(), options, monitor);
    const std::string skeleton = asf::skeleton_text(layout);
    std::string motion = asf::motion_text(layout);
    asf::put_companion(std::filesystem::path(path).replace_extension("asf"), skeleton, monitor);
    return motion;
}

}  // namespace sinew::io
