#include "sinew/io/c3d_world.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/c3d_values.h"
#include "sinew/io/units.h"

namespace sinew::io::c3d {
namespace {

using math::Vec3d;

/// Median over some frames of the diagonal of the box around the markers.
double spread(const model::Trial& trial) {
    std::vector<double> diagonals;
    const model::Points& markers = trial.markers;
    const std::size_t stride = std::max<std::size_t>(1, trial.frames / 50);
    for (std::size_t f = 0; f < markers.frames(); f += stride) {
        Eigen::AlignedBox3d box;
        for (std::size_t m = 0; m < markers.count(); ++m) {
            if (markers.valid(f, m)) box.extend(markers.at(f, m).cast<double>());
        }
        if (!box.isEmpty()) diagonals.push_back(box.diagonal().norm());
    }
    if (diagonals.empty()) return 0;
    std::nth_element(diagonals.begin(), diagonals.begin() + static_cast<std::ptrdiff_t>(diagonals.size() / 2),
                     diagonals.end());
    return diagonals[diagonals.size() / 2];
}

/// A body with its markers is between 0.3 and 8 m across.
std::string unit_of(const model::Trial& trial, std::vector<Guess>& guesses) {
    const double size = spread(trial);
    const std::string unit = size == 0 ? "mm" : size < 8 ? "m" : size < 300 ? "cm" : "mm";
    guesses.push_back({"units", unit,
                       size == 0 ? std::string("there are no markers to tell it")
                                 : fmt::format("the markers are {:.3g} across", size),
                       metres_of(unit).value_or(1)});
    return unit;
}

/// "+X", "-z", "Y" as a direction; zero when it is none.
Vec3d axis_of(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    if (text.size() != 1) return Vec3d::Zero();
    const std::size_t axis = std::string_view("xyz").find(static_cast<char>(text[0] | 0x20));
    if (axis == std::string_view::npos) return Vec3d::Zero();
    return (negative ? -1 : 1) * Vec3d::Unit(static_cast<Eigen::Index>(axis));
}

/// Mean place of the markers whose labels hold one of these words; NaN when there are none.
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

/// The way from feet to pelvis, or the way across a force platform, or z.
Vec3d guess_up(const model::Trial& trial, std::vector<Guess>& guesses) {
    const Vec3d body = mean_of(trial.markers, {"asi", "psi", "sacr", "fwt", "bwt"}) -
                       mean_of(trial.markers, {"hee", "toe", "ank", "heel"});
    if (body.allFinite() && !body.isZero()) {
        guesses.push_back({"up", axis_name(nearest_axis(body)), "the pelvis is above the feet"});
        return nearest_axis(body);
    }
    for (const model::ForcePlatform& platform : trial.platforms) {
        const Vec3d normal = (platform.corners[1] - platform.corners[0])
                                 .cross(platform.corners[3] - platform.corners[0])
                                 .cast<double>();
        if (!normal.allFinite() || normal.norm() < 1e-6) continue;
        guesses.push_back({"up", axis_name(nearest_axis(normal).cwiseAbs()), "force platforms lie flat"});
        return nearest_axis(normal).cwiseAbs();
    }
    guesses.push_back({"up", "z", "laboratories measure so"});
    return Vec3d::UnitZ();
}

/// The rotation that takes `right` to +X and `up` to +Y.
math::Quatd rotation_of(const Vec3d& up, Vec3d right) {
    if (right.isZero() || std::abs(right.dot(up)) > 0.5) {
        right = std::abs(up.x()) < 0.5 ? Vec3d::UnitX() : Vec3d(-up.x() * Vec3d::UnitY());
    }
    math::Mat3d rows;
    rows << right.transpose(), up.transpose(), right.cross(up).transpose();
    return math::Quatd(rows).normalized();
}

double find_scale(model::Trial& trial, const ReadOptions& options, std::vector<Guess>& guesses,
                  Tally& tally) {
    trial.unit = text_of(trial.parameters, "POINT", "UNITS");
    if (!options.units.empty()) {
        const std::optional<double> scale = metres_of(options.units);
        if (!scale) fail("", "the unit \"{}\" is not known: m, cm, mm, in and ft are", options.units);
        trial.unit = options.units;
        return *scale;
    }
    if (const std::optional<double> scale = metres_of(trial.unit)) return *scale;
    if (!trial.unit.empty()) {
        tally.note("c3d-units", 0, "POINT:UNITS is \"{}\", which is no known length", trial.unit);
    }
    trial.unit = unit_of(trial, guesses);
    return guesses.back().number;
}

}  // namespace

void place_in_world(model::Trial& trial, const ReadOptions& options, std::vector<Guess>& guesses,
                    Tally& tally) {
    trial.to_world.scale = find_scale(trial, options, guesses, tally);
    const Vec3d right = axis_of(text_of(trial.parameters, "POINT", "X_SCREEN"));
    Vec3d up = axis_of(text_of(trial.parameters, "POINT", "Y_SCREEN"));
    if (!options.up.empty()) {
        up = axis_of(options.up);
        if (up.isZero()) fail("", "the axis \"{}\" is not known: x, y, z and -x, -y, -z are", options.up);
    }
    if (up.isZero()) up = guess_up(trial, guesses);
    trial.to_world.rotation = rotation_of(up, right);
}

}  // namespace sinew::io::c3d
