// SPDX-License-Identifier: MIT
#include "reference/marker_trial.h"

#include <cmath>
#include <cstdint>

namespace sinew::motion {
namespace {

using math::Vec3d;
using model::Role;
using model::Side;

/// Where a marker of the left side sits from a joint, on a person of 1.75 m in T-pose.
struct Seat {
    const char* name;
    Role carrier;
    Role base;
    double x, y, z;
};

constexpr Seat paired[] = {
    {"ASI", Role::hips, Role::thigh, 0.030, 0.083, 0.051},
    {"PSI", Role::hips, Role::thigh, -0.040, 0.083, -0.119},
    {"THI", Role::thigh, Role::thigh, 0.075, -0.215, 0.0},
    {"KNE", Role::thigh, Role::shin, 0.055, 0.0, 0.0},
    {"TIB", Role::shin, Role::shin, 0.050, -0.200, -0.012},
    {"ANK", Role::shin, Role::foot, 0.042, 0.0, 0.0},
    {"HEE", Role::foot, Role::foot, 0.0, -0.040, -0.055},
    {"TOE", Role::foot, Role::foot, 0.013, -0.040, 0.125},
    {"SHO", Role::clavicle, Role::upper_arm, -0.010, 0.055, 0.0},
    {"UPA", Role::upper_arm, Role::upper_arm, 0.135, 0.050, -0.010},
    {"ELB", Role::upper_arm, Role::forearm, 0.0, 0.035, -0.002},
    {"FRM", Role::forearm, Role::forearm, 0.120, 0.035, 0.003},
    {"WRA", Role::forearm, Role::hand, -0.012, 0.005, 0.037},
    {"WRB", Role::forearm, Role::hand, -0.012, 0.005, -0.033},
    {"FIN", Role::hand, Role::hand, 0.088, 0.020, 0.002},
    {"FHD", Role::head, Role::head, 0.070, 0.135, 0.086},
    {"BHD", Role::head, Role::head, 0.070, 0.135, -0.084},
};

constexpr Seat single[] = {
    {"C7", Role::upper_chest, Role::neck, 0.0, 0.022, -0.061},
    {"T10", Role::upper_chest, Role::neck, 0.0, -0.238, -0.101},
    {"CLAV", Role::upper_chest, Role::neck, 0.0, -0.048, 0.084},
    {"STRN", Role::upper_chest, Role::neck, 0.0, -0.198, 0.114},
    {"RBAK", Role::upper_chest, Role::neck, -0.080, -0.098, -0.096},
};

/// A generator that is the same everywhere, which the distributions of the standard library are not.
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

}  // namespace

SubjectModel with_plug_in_gait_markers(const model::Skeleton& skeleton) {
    SubjectModel subject;
    subject.skeleton = skeleton;
    const auto roles = model::find_roles(skeleton);
    const auto rest = model::rest_world_matrices(skeleton);
    const auto places = model::joint_positions(rest);
    const double size = std::max(model::height(skeleton), 1e-3) / 1.72;
    const auto add = [&](const Seat& seat, const std::string& name, Side side) {
        const bool middle = seat.carrier == Role::hips || seat.carrier == Role::head;
        const bool middle_base = seat.base == Role::head || seat.base == Role::neck;
        const int carrier = segment_joint(skeleton, roles, seat.carrier, middle ? Side::none : side);
        const int base = model::find_role(roles, seat.base, middle_base ? Side::none : side);
        if (carrier < 0 || base < 0) return;
        const double sign = side == Side::right ? -1 : 1;
        const Vec3d place =
            places[static_cast<std::size_t>(base)] + size * Vec3d(sign * seat.x, seat.y, seat.z);
        const auto c = static_cast<std::size_t>(carrier);
        subject.attachments.push_back(
            {carrier, math::transform_point(math::inverse_affine(rest[c]), place), 1});
        subject.names.push_back(name);
    };
    for (const Seat& seat : single) add(seat, seat.name, Side::none);
    for (const Seat& seat : paired) {
        add(seat, std::string("L") + seat.name, Side::left);
        add(seat, std::string("R") + seat.name, Side::right);
    }
    return subject;
}

model::Trial record_markers(const SubjectModel& subject, const model::Clip& clip,
                            const MarkerTrialOptions& options) {
    model::Trial trial;
    trial.name = "recorded";
    trial.rate = options.rate;
    trial.to_world.scale = 0.001;
    trial.to_world.rotation = math::axis_angle<double>(Vec3d::UnitX(), -math::pi / 2);
    for (const std::string& name : subject.names) {
        model::PointInfo info;
        info.label = name;
        trial.markers.info.push_back(std::move(info));
    }
    const model::TimeRange range = model::time_range(clip);
    trial.frames = model::sample_count(range, options.rate);
    Dice dice(options.seed);
    const auto run = static_cast<double>(std::max<std::size_t>(1, options.run));
    // A chain of two states with the wanted share and mean run of losses.
    const double back = 1 / run, lose = options.dropout / std::max(1e-9, 1 - options.dropout) * back;
    std::vector<char> lost(subject.names.size(), 0);
    for (char& each : lost) each = dice.uniform() < options.dropout;
    const math::Quatd to_file = trial.to_world.rotation.conjugate();
    for (std::size_t f = 0; f < trial.frames; ++f) {
        const double time = range.start + static_cast<double>(f) / options.rate;
        const auto world =
            model::world_matrices(subject.skeleton, model::sample(clip, subject.skeleton, time));
        for (std::size_t m = 0; m < lost.size(); ++m) {
            const auto joint = static_cast<std::size_t>(subject.attachments[m].joint);
            Vec3d p = math::transform_point(world[joint], subject.attachments[m].offset);
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

}  // namespace sinew::motion
