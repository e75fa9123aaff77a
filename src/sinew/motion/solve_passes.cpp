#include "sinew/motion/solve_passes.h"

#include <algorithm>

namespace sinew::motion {
namespace {

using math::Vec3d;

/// Where each joint stands in a run of frames without all its markers: 0 outside of runs, else the part of
/// the run that is over. At the ends of the trial a run has one side only.
std::vector<double> gap_parts(const std::vector<std::vector<Vec3d>>& frames, const PoseSolver& solver,
                              std::size_t joint) {
    std::vector<double> parts(frames.size(), 0);
    const auto whole = [&](std::size_t f) {
        for (std::size_t m = 0; m < frames[f].size(); ++m) {
            const bool own = solver.attachments()[m].joint == static_cast<int>(joint);
            if (own && !frames[f][m].allFinite()) return false;
        }
        return seen_in(frames[f]) >= 3;
    };
    for (std::size_t f = 0; f < frames.size();) {
        std::size_t end = f;
        while (end < frames.size() && !whole(end)) ++end;
        for (std::size_t k = f; k < end; ++k) {
            parts[k] = f == 0 ? 1
                       : end == frames.size()
                           ? 0
                           : static_cast<double>(k - f + 1) / static_cast<double>(end - f + 1);
        }
        f = std::max(end, f + 1);
    }
    return parts;
}

}  // namespace

std::size_t seen_in(const std::vector<Vec3d>& places) {
    return static_cast<std::size_t>(
        std::count_if(places.begin(), places.end(), [](const Vec3d& p) { return p.allFinite(); }));
}

/// From the pose before and, where that may mislead (markers came back, the fit is poor), from the landmarks
/// as well; the better one stays.
void FramePasses::solve_frame(const std::vector<Vec3d>& places, bool doubtful, Pose& pose) {
    Pose other = pose;
    const PoseFit fit = solver.solve(places, pose);
    iterations += static_cast<std::size_t>(fit.iterations);
    if ((!doubtful && fit.rms < doubt) || !restart(places, other)) return;
    const PoseFit again = solver.solve(places, other);
    iterations += static_cast<std::size_t>(again.iterations);
    // Pulls count from where each started; only a clearly better fit is another answer.
    if (again.cost < 0.9 * fit.cost) pose = other;
}

std::vector<Pose> FramePasses::pass(Pose pose, bool backwards) {
    std::vector<Pose> poses(frames.size());
    std::size_t seen_before = 0;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        if (k % 64 == 0) step(monitor, "solve", static_cast<double>(k) / static_cast<double>(frames.size()));
        const std::size_t f = backwards ? frames.size() - 1 - k : k;
        const std::size_t seen = seen_in(frames[f]);
        if (seen >= 3) {
            solve_frame(frames[f], seen > seen_before + 2, pose);
            seen_before = seen;
        }
        poses[f] = pose;
    }
    return poses;
}

std::vector<Pose> FramePasses::run(const Pose& first, const model::Skeleton& skeleton) {
    std::vector<Pose> poses = pass(first, false);
    const auto gappy = [&](std::size_t f) { return seen_in(frames[f]) < frames[f].size(); };
    bool any = false;
    for (std::size_t f = 0; f < frames.size(); ++f) any = any || gappy(f);
    if (!any) return poses;
    const std::vector<Pose> back = pass(poses.back(), true);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (!solver.moves(j)) continue;
        const std::vector<double> parts = gap_parts(frames, solver, j);
        for (std::size_t f = 0; f < frames.size(); ++f) {
            if (parts[f] == 0) continue;
            poses[f].rotation[j] = math::slerp(parts[f], poses[f].rotation[j], back[f].rotation[j]);
            poses[f].translation[j] += parts[f] * (back[f].translation[j] - poses[f].translation[j]);
        }
    }
    for (std::size_t f = 0; f < frames.size(); ++f) {
        if (gappy(f) && seen_in(frames[f]) >= 3) {
            iterations += static_cast<std::size_t>(solver.solve(frames[f], poses[f]).iterations);
        }
    }
    return poses;
}

}  // namespace sinew::motion
