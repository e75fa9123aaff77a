#include "sinew/io/trial_world.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/units.h"

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

std::string unit_by_size(const Vec3d& extent, std::vector<Guess>& guesses) {
    const double size = extent.norm();
    const std::string unit = size == 0 ? "mm" : size < 8 ? "m" : size < 300 ? "cm" : "mm";
    guesses.push_back({"units", unit,
                       size == 0 ? std::string("there are no markers to tell it")
                                 : fmt::format("the markers are {:.3g} across", size)});
    return unit;
}

std::string guess_up(const Vec3d& extent, std::vector<Guess>& guesses) {
    const std::string up = extent.z() > extent.y() ? "z" : "y";
    guesses.push_back({"up", up,
                       extent.isZero() ? std::string("there are no markers to tell it")
                                       : fmt::format("the markers span {:.3g} along y and {:.3g} along z",
                                                     extent.y(), extent.z())});
    return up;
}

}  // namespace

bool overrides_unit(const ReadOptions& options) {
    return !options.units.empty() && options.units != "file";
}

void place_in_world(model::Trial& trial, std::string_view unit, const ReadOptions& options,
                    std::vector<Guess>& guesses) {
    const Vec3d extent = mean_extent(trial.markers);
    trial.unit = overrides_unit(options) ? options.units : std::string(unit);
    if (!metres_of(trial.unit)) {
        if (overrides_unit(options))
            fail("", "the unit \"{}\" is not known: m, cm, mm, in and ft are", options.units);
        trial.unit = unit_by_size(extent, guesses);
    }
    trial.to_world.scale = *metres_of(trial.unit);
    const std::string up = options.up.empty() ? guess_up(extent, guesses) : to_lower(options.up);
    trial.to_world.rotation = turn_up(up);
}

}  // namespace sinew::io
