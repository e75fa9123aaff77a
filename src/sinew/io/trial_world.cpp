#include "sinew/io/trial_world.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::io {
namespace {

using math::Vec3d;

/// Mean size of the box around the markers, over some frames; zero when there are none.
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

std::string guess_unit(const Vec3d& extent, std::vector<Guess>& guesses) {
    const double size = extent.norm();
    const std::string unit = size == 0 ? "mm" : size < 8 ? "m" : size < 300 ? "cm" : "mm";
    guesses.push_back({"units", unit,
                       size == 0 ? std::string("there are no markers to tell it")
                                 : fmt::format("the markers are {:.3g} across", size)});
    return unit;
}

char guess_up(const Vec3d& extent, std::vector<Guess>& guesses) {
    const char up = extent.z() > extent.y() ? 'z' : 'y';
    guesses.push_back({"up", std::string(1, up),
                       extent.isZero() ? std::string("there are no markers to tell it")
                                       : fmt::format("the markers span {:.3g} along y and {:.3g} along z",
                                                     extent.y(), extent.z())});
    return up;
}

/// The rotation that takes an axis to +Y, and x or y to the side.
math::Quatd upright(char up) {
    const double quarter = math::pi / 2;
    if (up == 'z') return math::axis_angle<double>(Vec3d::UnitX(), -quarter);
    if (up == 'x') return math::axis_angle<double>(Vec3d::UnitZ(), quarter);
    return math::Quatd::Identity();
}

}  // namespace

double metres_in(std::string_view unit) {
    constexpr std::pair<std::string_view, double> units[] = {
        {"mm", 0.001},  {"millimeters", 0.001}, {"millimetres", 0.001},
        {"cm", 0.01},   {"centimeters", 0.01},  {"centimetres", 0.01},
        {"m", 1},       {"meters", 1},          {"metres", 1},
        {"meter", 1},   {"metre", 1},           {"dm", 0.1},
        {"in", 0.0254}, {"inch", 0.0254},       {"inches", 0.0254},
        {"ft", 0.3048}, {"feet", 0.3048},       {"foot", 0.3048}};
    for (const auto& [name, size] : units) {
        if (equal_ignoring_case(unit, name)) return size;
    }
    return 0;
}

void place_in_world(model::Trial& trial, std::string_view unit, const ReadOptions& options,
                    std::vector<Guess>& guesses) {
    const Vec3d extent = mean_extent(trial.markers);
    trial.unit = options.units.empty() ? std::string(unit) : options.units;
    if (metres_in(trial.unit) == 0) {
        if (!options.units.empty())
            fail("", "the unit \"{}\" is not known: m, cm, mm, in and ft are", options.units);
        trial.unit = guess_unit(extent, guesses);
    }
    trial.to_world.scale = metres_in(trial.unit);
    const std::string up = to_lower(options.up);
    if (!up.empty() && up != "x" && up != "y" && up != "z")
        fail("", "the axis \"{}\" is not known: x, y and z are", options.up);
    trial.to_world.rotation = upright(up.empty() ? guess_up(extent, guesses) : up[0]);
}

}  // namespace sinew::io
