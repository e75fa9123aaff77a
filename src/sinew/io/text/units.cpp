// SPDX-License-Identifier: MIT
#include "sinew/io/text/units.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::io {
namespace {

double unit_named(const std::string& name) {
    const std::optional<double> metres = metres_of(name);
    if (!metres) fail("", "\"{}\" is not a unit: use m, cm, mm, in, ft, or file to keep the numbers", name);
    return *metres;
}

/// The largest extent of a skeleton from its first branching joint on: joints above it only move it in the
/// studio. A skeleton without branches is measured completely.
double body_extent(const model::Skeleton& skeleton) {
    std::vector<std::size_t> children(skeleton.size(), 0);
    for (const model::Joint& joint : skeleton.joints) {
        if (joint.parent >= 0) ++children[static_cast<std::size_t>(joint.parent)];
    }
    model::Skeleton body = skeleton;
    for (std::size_t j = 0; j < skeleton.size() && children[j] == 1; ++j) {
        // Parents come first, so the only child of a joint without siblings is the next joint.
        const bool one_tree = j + 1 < skeleton.size() && skeleton.joints[j + 1].parent == static_cast<int>(j);
        if (!one_tree) break;
        if (children[j + 1] < 2) continue;
        body.joints.erase(body.joints.begin(), body.joints.begin() + static_cast<std::ptrdiff_t>(j + 1));
        for (model::Joint& joint : body.joints)
            joint.parent = joint.parent <= static_cast<int>(j) ? -1 : joint.parent - static_cast<int>(j + 1);
        break;
    }
    return model::height(body);
}

/// The unit guessed by the reader (a file may state a part of it), or from the height.
double guessed(Asset& asset) {
    const auto told = std::find_if(asset.guesses.begin(), asset.guesses.end(),
                                   [](const Guess& guess) { return guess.subject == "units"; });
    if (told != asset.guesses.end() && told->number > 0) return told->number;
    const double height = body_extent(asset.character.skeleton);
    const UnitGuess guess = guess_unit(height);
    asset.guesses.push_back(
        {"units", guess.name, fmt::format("the skeleton measures {:.4g}", height), guess.metres.value_or(1)});
    return asset.guesses.back().number;
}

}  // namespace

std::optional<double> metres_of(std::string_view unit) {
    struct Unit {
        std::string_view name;
        double metres;
    };
    // Names of four letters match all words that start with them: "mete" is the text for metres in a real
    // file.
    constexpr Unit table[] = {{"m", 1},         {"mete", 1},      {"metr", 1},      {"mm", 0.001},
                              {"mill", 0.001},  {"cm", 0.01},     {"cent", 0.01},   {"dm", 0.1},
                              {"deci", 0.1},    {"in", 0.0254},   {"inch", 0.0254}, {"ft", 0.3048},
                              {"feet", 0.3048}, {"foot", 0.3048}, {"file", 1}};
    const std::string name = to_lower(trim(unit));
    for (const Unit& each : table) {
        if (name == each.name || (each.name.size() == 4 && name.starts_with(each.name))) return each.metres;
    }
    return std::nullopt;
}

UnitGuess guess_unit(double height) {
    if (height <= 0) return {1.0, "m"};
    if (height < 3) return {1.0, "m"};
    if (height < 12) return {std::nullopt, "unknown"};
    if (height < 45) return {cmu_unit, "in / 0.45"};
    if (height < 100) return {0.0254, "in"};
    if (height < 250) return {0.01, "cm"};
    return {0.001, "mm"};
}

math::Quatd rotation_to_up(std::string_view axis) {
    if (axis == "y") return math::Quatd::Identity();
    // +Z up keeps x unchanged, as in modelling programs.
    if (axis == "z") return math::axis_angle(math::Vec3d(math::Vec3d::UnitX()), -math::pi / 2);
    if (axis == "x") return math::axis_angle(math::Vec3d(math::Vec3d::UnitZ()), math::pi / 2);
    fail("", "\"{}\" is not an axis: give x, y or z", axis);
}

void normalize(Asset& asset, bool states_no_unit, const ReadOptions& options) {
    model::Similarity s;
    const bool motion = states_no_unit && asset.character.has_skeleton();
    if (!options.units.empty()) {
        s.scale = unit_named(options.units);
    } else if (motion) {
        s.scale = guessed(asset);
    }
    if (motion) asset.character.unit = s.scale;
    if (!options.up.empty()) s.rotation = rotation_to_up(options.up);
    if (s.scale == 1 && (options.up.empty() || options.up == "y")) return;
    model::apply(asset.character, s);
    model::apply(asset.sequence, s);
}

model::Character in_file_units(const model::Character& character, const WriteOptions& options) {
    model::Character out = character;
    const double unit = options.units.empty() ? character.unit : unit_named(options.units);
    model::apply(out, {.scale = 1 / unit});
    out.unit = unit;
    return out;
}

namespace {

using math::Vec3d;

/// Mean size of the bounding box of the markers over some frames; zero when there are none.
Vec3d mean_extent(const model::Points& markers) {
    Vec3d sum = Vec3d::Zero();
    double boxes = 0;
    const std::size_t stride = std::max<std::size_t>(1, markers.frames() / 50);
    for (std::size_t f = 0; f < markers.frames(); f += stride) {
        Eigen::AlignedBox3d box;
        for (std::size_t m = 0; m < markers.count(); ++m) {
            if (markers.valid(f, m)) box.extend(markers.at(f, m).cast<double>());
        }
        if (box.isEmpty()) continue;
        sum += box.sizes();
        ++boxes;
    }
    return boxes == 0 ? sum : Vec3d(sum / boxes);
}

std::string unit_by_size(const Vec3d& extent, std::vector<Guess>& guesses) {
    const double size = extent.norm();
    const std::string unit = size == 0 ? "mm" : size < 8 ? "m" : size < 300 ? "cm" : "mm";
    guesses.push_back({"units", unit,
                       size == 0 ? std::string("there are no markers to infer it from")
                                 : fmt::format("the markers are {:.3g} across", size)});
    return unit;
}

/// Mean position of the markers whose labels contain one of these words; NaN when there are none.
Vec3d mean_of(const model::Points& markers, std::initializer_list<std::string_view> words) {
    Vec3d sum = Vec3d::Zero();
    double count = 0;
    for (std::size_t m = 0; m < markers.count(); ++m) {
        const std::string label = to_lower(markers.info[m].label);
        const bool named = std::any_of(words.begin(), words.end(), [&](std::string_view word) {
            return label.find(word) != std::string::npos && label.size() <= word.size() + 2;
        });
        if (!named) continue;
        const std::size_t stride = std::max<std::size_t>(1, markers.frames() / 50);
        for (std::size_t f = 0; f < markers.frames(); f += stride) {
            if (!markers.valid(f, m)) continue;
            sum += markers.at(f, m).cast<double>();
            ++count;
        }
    }
    return sum / count;
}

/// The axis nearest to a direction.
Vec3d nearest_axis(const Vec3d& direction) {
    Eigen::Index axis = 0;
    direction.cwiseAbs().maxCoeff(&axis);
    return (direction[axis] < 0 ? -1 : 1) * Vec3d::Unit(axis);
}

std::string axis_name(const Vec3d& axis) {
    Eigen::Index index = 0;
    axis.cwiseAbs().maxCoeff(&index);
    return fmt::format("{}{}", axis[index] < 0 ? "-" : "", "xyz"[index]);
}

/// The direction from feet to pelvis, or the normal of a force platform, or the default, or the longer axis.
Vec3d guess_up(const model::Trial& trial, const StatedWorld& stated, const Vec3d& extent,
               std::vector<Guess>& guesses) {
    const auto say = [&](const Vec3d& axis, std::string reason) {
        guesses.push_back({"up", axis_name(axis), std::move(reason)});
        return axis;
    };
    const Vec3d body = mean_of(trial.markers, {"asi", "psi", "sacr", "fwt", "bwt"}) -
                       mean_of(trial.markers, {"hee", "toe", "ank", "heel"});
    if (body.allFinite() && !body.isZero()) return say(nearest_axis(body), "the pelvis is above the feet");
    for (const model::ForcePlatform& platform : trial.platforms) {
        const Vec3d normal = (platform.corners[1] - platform.corners[0])
                                 .cross(platform.corners[3] - platform.corners[0])
                                 .cast<double>();
        if (!normal.allFinite() || normal.norm() < 1e-6) continue;
        return say(nearest_axis(normal).cwiseAbs(), "force platforms lie flat");
    }
    if (!stated.usual_up.empty()) return say(axis_named(stated.usual_up), stated.usual_reason);
    return say(extent.z() > extent.y() ? Vec3d::UnitZ() : Vec3d::UnitY(),
               extent.isZero() ? std::string("there are no markers to infer it from")
                               : fmt::format("the markers span {:.3g} along y and {:.3g} along z", extent.y(),
                                             extent.z()));
}

/// The rotation that maps `right` to +X and `up` to +Y.
math::Quatd rotation_of(const Vec3d& up, Vec3d right) {
    if (right.isZero() || std::abs(right.dot(up)) > 0.5) {
        right = std::abs(up.x()) < 0.5 ? Vec3d::UnitX() : Vec3d(-up.x() * Vec3d::UnitY());
    }
    math::Mat3d rows;
    rows << right.transpose(), up.transpose(), right.cross(up).transpose();
    return math::Quatd(rows).normalized();
}

}  // namespace

/// "+X", "-z", "Y" as a direction; zero for any other text.
math::Vec3d axis_named(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    if (text.size() != 1) return Vec3d::Zero();
    const std::size_t axis = std::string_view("xyz").find(static_cast<char>(text[0] | 0x20));
    if (axis == std::string_view::npos) return Vec3d::Zero();
    return (negative ? -1 : 1) * Vec3d::Unit(static_cast<Eigen::Index>(axis));
}

void set_world_frame(model::Trial& trial, const StatedWorld& stated, const ReadOptions& options,
                     std::vector<Guess>& guesses) {
    const Vec3d extent = mean_extent(trial.markers);
    trial.unit = options.units.empty() ? stated.unit : options.units;
    if (!metres_of(trial.unit)) {
        if (!options.units.empty())
            fail("", "the unit \"{}\" is not known: m, cm, mm, in and ft are", options.units);
        trial.unit = unit_by_size(extent, guesses);
    }
    trial.to_world.scale = metres_of(trial.unit).value_or(1);
    Vec3d up = stated.up;
    if (!options.up.empty()) {
        up = axis_named(options.up);
        if (up.isZero()) fail("", "the axis \"{}\" is not known: x, y, z and -x, -y, -z are", options.up);
    }
    if (up.isZero()) up = guess_up(trial, stated, extent, guesses);
    trial.to_world.rotation = rotation_of(up, stated.right);
}

}  // namespace sinew::io
