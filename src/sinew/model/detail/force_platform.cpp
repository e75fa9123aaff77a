// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/model/trial.h"

namespace sinew::model {
namespace {

constexpr double min_load = 10;  // N along the plate's z axis below which there is no centre of pressure

using Channels = std::array<double, 8>;

std::size_t channel_count(int type) {
    return type == 3 ? 8 : 6;
}

void check(const Trial& trial, const ForcePlatform& platform) {
    if (platform.type < 1 || platform.type > 4) {
        fail(trial.name, "a force platform of type {}: known are 1 to 4", platform.type);
    }
    const std::size_t count = channel_count(platform.type);
    if (platform.channels.size() < count) {
        fail(trial.name, "a force platform of type {} has {} channels, not {}", platform.type,
             platform.channels.size(), count);
    }
    for (const int channel : platform.channels) {
        if (channel < 0 || static_cast<std::size_t>(channel) >= trial.analog.count()) {
            fail(trial.name, "a force platform names analog channel {} of {}", channel + 1,
                 trial.analog.count());
        }
    }
    if (platform.type == 4 && platform.calibration.size() != 36) {
        fail(trial.name, "a force platform of type 4 has no calibration matrix");
    }
}

Channels sample(const Trial& trial, const ForcePlatform& platform, std::size_t index) {
    Channels values{};
    for (std::size_t c = 0; c < channel_count(platform.type); ++c) {
        values[c] =
            static_cast<double>(trial.analog.at(index, static_cast<std::size_t>(platform.channels[c])));
    }
    return values;
}

/// Mean of the frames without load. The centre of pressure that type 1 stores is a position, so it has no
/// offset.
Channels baseline(const Trial& trial, const ForcePlatform& platform) {
    Channels mean{};
    const auto [first, last] = platform.zero_frames;
    if (first < 1 || last < first || static_cast<std::size_t>(last) > trial.frames) return mean;
    const std::size_t per_frame = trial.analog.samples_per_frame;
    const std::size_t begin = static_cast<std::size_t>(first - 1) * per_frame;
    const std::size_t end = static_cast<std::size_t>(last) * per_frame;
    for (std::size_t s = begin; s < end; ++s) {
        const Channels values = sample(trial, platform, s);
        for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += values[c] / static_cast<double>(end - begin);
    }
    if (platform.type == 1) mean[3] = mean[4] = 0;
    return mean;
}

/// Force and moment about the transducers' origin, in the plate's axes.
struct Load {
    Vec3d force, moment;
};

Load combine(const ForcePlatform& platform, const Channels& v) {
    if (platform.type == 3) {
        const double a = static_cast<double>(platform.origin.x()),
                     b = static_cast<double>(platform.origin.y());
        return {Vec3d(v[0] + v[1], v[2] + v[3], v[4] + v[5] + v[6] + v[7]),
                Vec3d(b * (v[4] + v[5] - v[6] - v[7]), a * (-v[4] + v[5] + v[6] - v[7]),
                      b * (-v[0] + v[1]) + a * (v[2] - v[3]))};
    }
    if (platform.type == 4) {
        const Eigen::Map<const Eigen::Matrix<float, 6, 6>> matrix(platform.calibration.data());
        const Eigen::Matrix<double, 6, 1> load =
            matrix.cast<double>() * Eigen::Map<const Eigen::Matrix<double, 6, 1>>(v.data());
        return {load.head<3>(), load.tail<3>()};
    }
    return {Vec3d(v[0], v[1], v[2]), Vec3d(v[3], v[4], v[5])};
}

/// From the transducers' origin to the centre of the surface, in the plate's axes.
Vec3d to_surface(const ForcePlatform& platform, Monitor& monitor) {
    if (platform.type == 1) return Vec3d::Zero();
    Vec3d offset = platform.origin.cast<double>();
    if (platform.type == 3) offset.head<2>().setZero();
    if (offset.z() > 0) {
        warn(monitor, "platform-origin",
             "the origin of a force platform lies above its surface: it is reversed");
        offset = -offset;
    }
    return offset;
}

Wrench measure(const ForcePlatform& platform, const Channels& values, const Vec3d& offset,
               const PlateFrame& frame) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const Load load = combine(platform, values);
    const Vec3d& f = load.force;
    Vec3d center(0, 0, 0), moment;
    double free_moment = 0;
    if (platform.type == 1) {
        center = Vec3d(values[3], values[4], 0);
        free_moment = values[5];
        moment = center.cross(f) + Vec3d(0, 0, free_moment);
    } else {
        moment = load.moment + f.cross(offset);
        center = Vec3d(-moment.y() / f.z(), moment.x() / f.z(), 0);
        free_moment = moment.z() - (center.x() * f.y() - center.y() * f.x());
    }
    Wrench wrench{frame.axes * f, frame.axes * moment, frame.center + frame.axes * center, free_moment};
    if (!(std::abs(f.z()) >= min_load)) {
        wrench.center.setConstant(nan);
        wrench.free_moment = nan;
    }
    return wrench;
}

}  // namespace

PlateFrame plate_frame(const ForcePlatform& platform) {
    std::array<Vec3d, 4> c;
    for (std::size_t i = 0; i < 4; ++i) c[i] = platform.corners[i].cast<double>();
    // Corners are measured, so each axis is the mean of its two edges.
    const Vec3d x = c[0] - c[1] + c[3] - c[2];
    const Vec3d z = x.cross(c[0] - c[3] + c[1] - c[2]);
    if (!(z.norm() > 1e-9 * x.squaredNorm()) || x.isZero()) {
        fail("", "the corners of a force platform lie on a line");
    }
    PlateFrame frame;
    frame.axes.col(0) = x.normalized();
    frame.axes.col(2) = z.normalized();
    frame.axes.col(1) = frame.axes.col(2).cross(frame.axes.col(0));
    frame.center = (c[0] + c[1] + c[2] + c[3]) / 4;
    return frame;
}

std::vector<Wrench> forces(const Trial& trial, const ForcePlatform& platform, const ForceOptions& options,
                           Monitor& monitor) {
    check(trial, platform);
    const PlateFrame frame = plate_frame(platform);
    const Vec3d offset = to_surface(platform, monitor);
    const Channels zero = options.zero ? baseline(trial, platform) : Channels{};
    std::vector<Wrench> wrenches;
    wrenches.reserve(trial.analog.samples());
    for (std::size_t s = 0; s < trial.analog.samples(); ++s) {
        Channels values = sample(trial, platform, s);
        for (std::size_t c = 0; c < values.size(); ++c) values[c] -= zero[c];
        wrenches.push_back(measure(platform, values, offset, frame));
    }
    return wrenches;
}

}  // namespace sinew::model
