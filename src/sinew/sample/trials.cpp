// SPDX-License-Identifier: MIT
// Trials generated from a known motion: markers on the man, with noise and gaps.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/sample/samples.h"
#include "sinew/sample/sequences.h"

namespace sinew::sample {
namespace {

using math::Vec3d;

/// Where a marker is, from a joint of a person of 1.75 m in T-pose: of the left side, if it is paired.
struct Seat {
    const char* label;
    const char* carrier;  ///< joint that moves it
    const char* base;     ///< joint that the offset is from
    double x, y, z;
};

constexpr Seat paired[] = {
    {"ASI", "Hips", "UpperLeg", 0.030, 0.083, 0.051},
    {"PSI", "Hips", "UpperLeg", -0.040, 0.083, -0.119},
    {"THI", "UpperLeg", "UpperLeg", 0.075, -0.215, 0.0},
    {"KNE", "UpperLeg", "LowerLeg", 0.055, 0.0, 0.0},
    {"TIB", "LowerLeg", "LowerLeg", 0.050, -0.200, -0.012},
    {"ANK", "LowerLeg", "Foot", 0.042, 0.0, 0.0},
    {"HEE", "Foot", "Foot", 0.0, -0.040, -0.055},
    {"TOE", "Foot", "Foot", 0.013, -0.040, 0.125},
    {"SHO", "Shoulder", "UpperArm", -0.010, 0.055, 0.0},
    {"UPA", "UpperArm", "UpperArm", 0.135, 0.050, -0.010},
    {"ELB", "UpperArm", "LowerArm", 0.0, 0.035, -0.002},
    {"FRM", "LowerArm", "LowerArm", 0.120, 0.035, 0.003},
    {"WRA", "LowerArm", "Hand", -0.012, 0.005, 0.037},
    {"WRB", "LowerArm", "Hand", -0.012, 0.005, -0.033},
    {"FIN", "Hand", "Hand", 0.088, 0.020, 0.002},
    {"FHD", "Head", "Head", 0.070, 0.135, 0.086},
    {"BHD", "Head", "Head", 0.070, 0.135, -0.084},
};

constexpr Seat single[] = {
    {"C7", "UpperChest", "Neck", 0.0, 0.022, -0.061},
    {"T10", "UpperChest", "Neck", 0.0, -0.238, -0.101},
    {"CLAV", "UpperChest", "Neck", 0.0, -0.048, 0.084},
    {"STRN", "UpperChest", "Neck", 0.0, -0.198, 0.114},
    {"RBAK", "UpperChest", "Neck", -0.080, -0.098, -0.096},
};

/// A generator with the same results on every platform, unlike the distributions of the standard library.
class Dice {
  public:
    explicit Dice(unsigned seed) : state_(0x9E3779B97F4A7C15ULL * (seed + 1ULL)) {}
    double uniform() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<double>(state_ >> 11) / 9007199254740992.0;
    }
    /// Box and Muller 1958.
    double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * math::pi * uniform()); }

  private:
    std::uint64_t state_;
};

model::Trial walk_trial() {
    const model::Skeleton man = man_skeleton();
    model::Trial trial =
        record(man, man_walk(man, {.cycles = 4}), man_markers(man), {.noise = 0.0005, .dropout = 0.01});
    trial.name = "walk-trial";
    return trial;
}

/// The man stands in T-pose for a second.
model::Trial standing_trial() {
    const model::Skeleton man = man_skeleton();
    model::Clip rest;
    rest.tracks.resize(1);
    rest.tracks[0].rotation.times = model::KeyTimes::even(0, 1, 2);
    rest.tracks[0].rotation.values.assign(2, math::Quatf::Identity());
    model::Trial trial = record(man, rest, man_markers(man), {.noise = 0.0005, .seed = 2});
    trial.name = "standing-trial";
    return trial;
}

constexpr std::array all_trials = {
    TrialSample{"walk-trial", "39 markers on the man who walks, Plug-in Gait labels, 100 Hz, some gaps",
                walk_trial},
    TrialSample{"standing-trial", "the same markers on the man who stands, for calibration", standing_trial},
};

}  // namespace

std::vector<Marker> man_markers(const model::Skeleton& skeleton) {
    std::vector<Marker> markers;
    const auto rest = model::rest_world_matrices(skeleton);
    const auto positions = model::joint_positions(rest);
    const double size = std::max(model::height(skeleton), 1e-3) / 1.72;
    const auto joint = [&](const std::string& side, const std::string& name) {
        const int middle = skeleton.find(name);
        return middle >= 0 ? middle : skeleton.find(side + name);
    };
    const auto add = [&](const Seat& seat, const std::string& label, const std::string& side, double sign) {
        const int carrier = joint(side, seat.carrier), base = joint(side, seat.base);
        if (carrier < 0 || base < 0)
            fail("markers", "the skeleton has no joint \"{}\"", carrier < 0 ? seat.carrier : seat.base);
        const Vec3d position =
            positions[static_cast<std::size_t>(base)] + size * Vec3d(sign * seat.x, seat.y, seat.z);
        const math::Mat4d& frame = rest[static_cast<std::size_t>(carrier)];
        markers.push_back({label, carrier, math::transform_point(math::inverse_affine(frame), position)});
    };
    for (const Seat& seat : single) add(seat, seat.label, "", 1);
    for (const Seat& seat : paired) {
        add(seat, std::string("L") + seat.label, "Left", 1);
        add(seat, std::string("R") + seat.label, "Right", -1);
    }
    return markers;
}

model::Trial record(const model::Skeleton& skeleton, const model::Clip& clip, std::span<const Marker> markers,
                    const RecordingOptions& options) {
    model::Trial trial;
    trial.name = "recorded";
    trial.rate = options.rate;
    trial.to_world.scale = 0.001;
    trial.to_world.rotation = math::axis_angle<double>(Vec3d::UnitX(), -math::pi / 2);
    for (const Marker& marker : markers) {
        model::PointInfo info;
        info.label = marker.label;
        trial.markers.info.push_back(std::move(info));
    }
    const model::TimeRange range = model::time_range(clip);
    trial.frames = model::sample_count(range, options.rate);
    Dice dice(options.seed);
    const auto run = static_cast<double>(std::max<std::size_t>(1, options.run));
    // A two-state Markov chain with the requested share and mean run of losses.
    const double back = 1 / run, lose = options.dropout / std::max(1e-9, 1 - options.dropout) * back;
    std::vector<char> lost(markers.size(), 0);
    for (char& each : lost) each = dice.uniform() < options.dropout;
    const math::Quatd to_file = trial.to_world.rotation.conjugate();
    for (std::size_t f = 0; f < trial.frames; ++f) {
        const double time = range.start + static_cast<double>(f) / options.rate;
        const auto world = model::world_matrices(skeleton, model::sample(clip, skeleton, time));
        for (std::size_t m = 0; m < lost.size(); ++m) {
            Vec3d p =
                math::transform_point(world[static_cast<std::size_t>(markers[m].joint)], markers[m].offset);
            for (int axis = 0; axis < 3; ++axis) p[axis] += options.noise * dice.normal();
            lost[m] = lost[m] != 0 ? dice.uniform() >= back : dice.uniform() < lose;
            const math::Vec3f seen = (1000 * (to_file * p)).cast<float>();
            trial.markers.positions.push_back(
                lost[m] != 0 ? math::Vec3f::Constant(std::numeric_limits<float>::quiet_NaN()).eval() : seen);
            trial.markers.residuals.push_back(lost[m] != 0 ? model::Points::missing : 1);
        }
    }
    return trial;
}

std::span<const TrialSample> trials() {
    return all_trials;
}

model::Trial make_trial(std::string_view name) {
    std::string names;
    for (const TrialSample& sample : all_trials) {
        if (sample.name == name) return sample.make();
        names += (names.empty() ? "" : ", ") + std::string(sample.name);
    }
    fail("sample", "there is no trial \"{}\"; there are {}", name, names);
}

}  // namespace sinew::sample
