// SPDX-License-Identifier: MIT
#include "sinew/motion/solve.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/motion/markers/calibrate.h"
#include "sinew/motion/markers/clusters.h"
#include "sinew/motion/markers/pose_solver.h"

namespace sinew::motion {

using math::Vec3d;

namespace {

constexpr double warn_rms = 0.015;  // metres: markers with a larger residual are reported

/// Number of available positions.
std::size_t seen_in(const std::vector<Vec3d>& positions) {
    return static_cast<std::size_t>(
        std::count_if(positions.begin(), positions.end(), [](const Vec3d& p) { return p.allFinite(); }));
}

/// Computes a pose for a frame on its own from its landmarks; false when they are not sufficient.
using RestartPose = std::function<bool(const std::vector<math::Vec3d>& positions, Pose& pose)>;

/// Solves forwards. Where markers of a segment are missing, this pass only holds the last pose. Therefore
/// frames around gaps are also solved backwards, both results are blended over each gap joint by joint, and
/// the frame is solved once more from the blended pose.
struct FramePasses {
    PoseSolver& solver;
    const std::vector<std::vector<math::Vec3d>>& frames;
    const RestartPose& restart;
    double doubt;  ///< metres: when the fit is worse, the landmarks are tried as well
    Monitor& monitor;
    std::size_t iterations = 0;

    /// Frames with fewer than three positions repeat the previous pose.
    std::vector<Pose> run(const Pose& first, const model::Skeleton& skeleton);

  private:
    std::vector<Pose> pass(Pose pose, bool backwards);
    void solve_frame(const std::vector<math::Vec3d>& positions, bool doubtful, Pose& pose);
};

/// Per frame, the position of a joint within a run of frames that lack some of its markers: 0 outside of
/// runs, otherwise the fraction of the run that has passed. At the ends of the trial a run has only one side.
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

/// Solves from the previous pose and, where this may be misleading (markers reappeared, the fit is poor),
/// also from the landmarks; keeps the better result.
void FramePasses::solve_frame(const std::vector<Vec3d>& positions, bool doubtful, Pose& pose) {
    Pose other = pose;
    const PoseFit fit = solver.solve(positions, pose);
    iterations += static_cast<std::size_t>(fit.iterations);
    if ((!doubtful && fit.rms < doubt) || !restart(positions, other)) return;
    const PoseFit again = solver.solve(positions, other);
    iterations += static_cast<std::size_t>(again.iterations);
    // Pulls are relative to each start pose, so only a clearly better fit is accepted.
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

std::vector<Vec3d> positions_of(const model::Skeleton& skeleton, const Pose& pose) {
    std::vector<model::Transform> local;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        local.push_back(skeleton.joints[j].rest);
        local.back().rotation = pose.rotation[j];
        local.back().translation = pose.translation[j];
    }
    return model::joint_positions(model::world_matrices(skeleton, local));
}

/// Height of the lower ankle, or of the lowest joint of a body without ankles.
double lowest(const std::vector<Vec3d>& positions, int left, int right) {
    if (left >= 0 && right >= 0)
        return std::min(positions[static_cast<std::size_t>(left)].y(),
                        positions[static_cast<std::size_t>(right)].y());
    double low = std::numeric_limits<double>::infinity();
    for (const Vec3d& position : positions) low = std::min(low, position.y());
    return low;
}

/// Transfers the rotations of a solved body to the same skeleton with other bone lengths. The hips keep their
/// path, shifted vertically by a constant so that the lower ankle keeps its height.
void copy_rotations(const model::Skeleton& bones, SolveResult& result) {
    const auto roles = model::find_roles(bones);
    const int hips = std::max(0, model::find_role(roles, model::Role::hips));
    const int left = model::find_role(roles, model::Role::foot, model::Side::left);
    const int right = model::find_role(roles, model::Role::foot, model::Side::right);
    std::vector<double> heights;
    for (Pose& pose : result.poses) {
        const std::vector<Vec3d> before = positions_of(result.skeleton, pose);
        for (std::size_t j = 0; j < bones.size(); ++j)
            if (bones.joints[j].parent >= 0) pose.translation[j] = bones.joints[j].rest.translation;
        const std::vector<Vec3d> after = positions_of(bones, pose);
        const Vec3d shift = before[static_cast<std::size_t>(hips)] - after[static_cast<std::size_t>(hips)];
        pose.translation[0] += shift;
        heights.push_back(lowest(before, left, right) - lowest(after, left, right) - shift.y());
    }
    const double raise = median(std::move(heights));
    for (Pose& pose : result.poses) pose.translation[0].y() += raise;
    std::string name = std::move(result.clip.name);
    const double rate = model::frame_rate(result.clip);
    result.clip = clip_of_poses(bones, result.poses, rate);
    result.clip.name = std::move(name);
    result.skeleton = bones;
}

/// Standard deviation of the distance between two markers; not finite when too few frames have both.
double unsteadiness(const model::Trial& trial, std::size_t a, std::size_t b) {
    double sum = 0, squares = 0, count = 0;
    const std::size_t stride = std::max<std::size_t>(1, trial.frames / 200);
    for (std::size_t f = 0; f < trial.frames; f += stride) {
        if (!trial.markers.valid(f, a) || !trial.markers.valid(f, b)) continue;
        const double d = (model::world_position(trial, f, a) - model::world_position(trial, f, b)).norm();
        sum += d;
        squares += d * d;
        ++count;
    }
    if (count < 5) return unknown;
    return std::sqrt(std::max(0.0, squares / count - sum * sum / (count * count)));
}

/// Mean unsteadiness of a marker relative to the markers of a segment, without itself and its counterpart.
double against(const model::Trial& trial, const MarkerMap& map, std::size_t marker, std::size_t twin,
               model::Role segment, model::Side side) {
    double sum = 0, count = 0;
    for (std::size_t k = 0; k < map.markers.size(); ++k) {
        const MarkerLocation& location = map.markers[k].location;
        if (k == marker || k == twin || location.segment != segment || location.side != side) continue;
        const double u = unsteadiness(trial, map.markers[marker].point, map.markers[k].point);
        if (!std::isfinite(u)) continue;
        sum += u;
        ++count;
    }
    return count == 0 ? unknown : sum / count;
}

/// Segments of the same limb that are adjacent to a segment.
std::initializer_list<model::Role> neighbours(model::Role segment) {
    using enum model::Role;
    static constexpr auto of_thigh = {shin}, of_shin = {thigh, foot}, of_foot = {shin},
                          of_upper_arm = {forearm}, of_forearm = {upper_arm, hand}, of_hand = {forearm};
    switch (segment) {
        case thigh:
            return of_thigh;
        case shin:
            return of_shin;
        case foot:
            return of_foot;
        case upper_arm:
            return of_upper_arm;
        case forearm:
            return of_forearm;
        case hand:
            return of_hand;
        default:
            return {};
    }
}

/// A pair of markers at the same location on the left and right side.
struct Pair {
    const model::Trial& trial;
    const MarkerMap& map;
    std::size_t left, right;

    /// Sum of the mean unsteadiness of both, relative to a segment of their own side or, `crossed`, of the
    /// other side.
    double of(model::Role segment, bool crossed) const {
        return against(trial, map, left, right, segment, crossed ? model::Side::right : model::Side::left) +
               against(trial, map, right, left, segment, crossed ? model::Side::left : model::Side::right);
    }

    /// When two markers of one segment contradict each other, the adjacent segments show which of them is
    /// wrong.
    bool blamed_by_neighbours() const {
        double own = 0, crossed = 0;
        for (const model::Role role : neighbours(map.markers[left].location.segment)) {
            const double o = of(role, false), c = of(role, true);
            if (!std::isfinite(o + c)) continue;
            own += o;
            crossed += c;
        }
        return crossed <= own;
    }
};

/// The map with only the subject's markers, in the subject's order; removes attachments whose markers are not
/// in the trial.
MarkerMap ordered(const MarkerMap& map, SubjectModel& subject) {
    MarkerMap result = map;
    result.markers.clear();
    SubjectModel present;
    for (std::size_t i = 0; i < subject.names.size(); ++i) {
        const int k = map.find(subject.names[i]);
        if (k < 0) continue;
        result.markers.push_back(map.markers[static_cast<std::size_t>(k)]);
        present.attachments.push_back(subject.attachments[i]);
        present.names.push_back(subject.names[i]);
    }
    present.skeleton = subject.skeleton;
    subject = std::move(present);
    return result;
}

struct Sums {
    double squares = 0;
    double coordinates = 0;
    double unknowns = 0;
    double iterations = 0;
};

/// A start pose: from the landmarks of the first frame that shows the pelvis, otherwise from the markers of
/// the frame, starting at the rest pose.
Pose first_pose(const model::Trial& trial, const MarkerMap& map, const SubjectModel& subject,
                const SolveOptions& options) {
    Pose pose = rest_pose(subject.skeleton);
    const BodyMeasures measures = measure_body(trial, map);
    for (std::size_t f = 0; f < trial.frames; ++f) {
        const auto positions = marker_positions_at(trial, map, f);
        if (seen_in(positions) < 3) continue;
        if (pose_from_landmarks(subject.skeleton, map, positions, measures, options.calibrate.hips, pose))
            break;
    }
    return pose;
}

void measure_frames(const std::vector<std::vector<Vec3d>>& frames, PoseSolver& solver, SolveResult& result,
                    Sums& sums) {
    std::vector<Vec3d> points;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const std::vector<Vec3d>& positions = frames[f];
        const std::size_t seen = seen_in(positions);
        if (seen < 3) {
            result.unsolved.push_back(f);
            continue;
        }
        solver.points(result.poses[f], points);
        for (std::size_t m = 0; m < positions.size(); ++m) {
            if (!positions[m].allFinite()) continue;
            MarkerResidual& residual = result.residuals[m];
            const double d = (points[m] - positions[m]).norm();
            ++residual.samples;
            residual.rms += d * d;
            if (d > residual.max) {
                residual.max = d;
                residual.worst_frame = f;
            }
        }
        sums.coordinates += 3 * static_cast<double>(seen);
        sums.unknowns += static_cast<double>(std::min(solver.unknowns(), 3 * seen));
    }
}

void solve_frames(const model::Trial& trial, const SolveOptions& options, SolveResult& result, Sums& sums,
                  Monitor& monitor) {
    PoseSolver solver(result.skeleton, result.subject.attachments);
    std::vector<std::vector<Vec3d>> frames;
    for (std::size_t f = 0; f < trial.frames; ++f)
        frames.push_back(marker_positions_at(trial, result.map, f));
    const BodyMeasures measures = measure_body(trial, result.map);
    const RestartPose restart = [&](const std::vector<Vec3d>& positions, Pose& pose) {
        return pose_from_landmarks(result.skeleton, result.map, positions, measures, options.calibrate.hips,
                                   pose);
    };
    FramePasses passes{solver, frames, restart, warn_rms, monitor};
    const Pose first = first_pose(trial, result.map, result.subject, options);
    result.poses = passes.run(first, result.skeleton);
    sums.iterations = static_cast<double>(passes.iterations);
    measure_frames(frames, solver, result, sums);
}

/// Joints that no marker determines, and joints that are determined only in some frames.
void name_unmeasured(const model::Trial& trial, SolveResult& result) {
    const model::Skeleton& skeleton = result.skeleton;
    std::vector<std::size_t> frames(skeleton.size(), 0);
    std::vector<char> own(skeleton.size(), 0);
    for (std::size_t f = 0; f < trial.frames; ++f) {
        std::vector<char> carried(skeleton.size(), 0);
        for (std::size_t m = 0; m < result.map.markers.size(); ++m) {
            if (!trial.markers.valid(f, result.map.markers[m].point)) continue;
            int j = result.subject.attachments[m].joint;
            own[static_cast<std::size_t>(j)] = 1;
            for (; j >= 0; j = skeleton.joints[static_cast<std::size_t>(j)].parent) {
                carried[static_cast<std::size_t>(j)] = 1;
            }
        }
        for (std::size_t j = 0; j < skeleton.size(); ++j) frames[j] += carried[j] != 0;
    }
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const std::string& name = skeleton.joints[j].name;
        if (frames[j] == 0) {
            result.held.push_back(name);
        } else if (frames[j] < trial.frames) {
            result.partly.push_back(name);
        }
        if (frames[j] > 0 && own[j] == 0) result.bridged.push_back(name);
    }
}

bool is_still(const model::Trial& trial, const MarkerMap& map) {
    for (const MappedMarker& m : map.markers) {
        Eigen::AlignedBox3d box;
        for (std::size_t f = 0; f < trial.frames; ++f) {
            if (trial.markers.valid(f, m.point)) box.extend(model::world_position(trial, f, m.point));
        }
        if (!box.isEmpty() && box.sizes().norm() > 0.05) return false;
    }
    return true;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

void warn_of_labels(const MarkerMap& map, Monitor& monitor) {
    if (!map.unlabelled.empty()) {
        warn(monitor, "solve-unlabelled", "{} points without a label are not used", map.unlabelled.size());
    }
    if (!map.unknown.empty()) {
        warn(monitor, "solve-unknown-labels", "labels that no table knows are not used: {}",
             joined(map.unknown));
    }
    if (!map.repeated.empty()) {
        warn(monitor, "solve-repeated", "second markers and other subjects are not used: {}",
             joined(map.repeated));
    }
    if (!map.unseen.empty()) {
        warn(monitor, "solve-unseen", "markers without a single sample: {}", joined(map.unseen));
    }
}

void warn_of_fit(const SolveResult& result, double limit, Monitor& monitor) {
    for (const Swap& swap : result.swapped) {
        warn(monitor, "solve-swapped", "{} and {} move with the other side: their labels are likely swapped",
             swap.first, swap.second);
    }
    for (const MarkerResidual& r : result.residuals) {
        if (r.rms <= limit) continue;
        warn(monitor, "solve-residual", "{} is {:.0f} mm off on average, {:.0f} mm in frame {}", r.label,
             1000 * r.rms, 1000 * r.max, r.worst_frame);
    }
    if (!result.held.empty()) {
        warn(monitor, "solve-held", "no marker measures {}: held at rest", joined(result.held));
    }
    if (!result.unsolved.empty()) {
        warn(monitor, "solve-unsolved", "{} frames have fewer than three markers and repeat the pose before",
             result.unsolved.size());
    }
    if (result.still) {
        warn(monitor, "solve-still", "no marker moves by more than 5 cm: this is a static trial");
    }
}

/// A static trial determines the markers of pelvis and knees, and the hip centres. The offsets of wands and
/// foot markers come from the walk, which includes the soft-tissue motion of every frame.
SubjectModel joined_subject(const SubjectModel& standing, SubjectModel walking) {
    const std::vector<model::JointRole> roles = model::find_roles(standing.skeleton);
    const int hips = model::find_role(roles, model::Role::hips);
    for (std::size_t m = 0; m < walking.names.size(); ++m) {
        const auto same = std::ranges::find(standing.names, walking.names[m]);
        if (same == standing.names.end()) continue;
        const Attachment& still =
            standing.attachments[static_cast<std::size_t>(same - standing.names.begin())];
        if (still.joint == hips || same->ends_with("KNE")) walking.attachments[m] = still;
    }
    for (const model::Side side : {model::Side::left, model::Side::right})
        if (const int thigh = model::find_role(roles, model::Role::thigh, side); thigh >= 0)
            walking.skeleton.joints[at(thigh)].rest.translation =
                standing.skeleton.joints[at(thigh)].rest.translation;
    return walking;
}

/// Calibrates on one trial and solves another, which may be the same.
SolveResult calibrate_and_solve(const model::Trial& trial, const model::Trial& still,
                                const model::Skeleton& generic, const SolveOptions& options,
                                Monitor& monitor) {
    const MarkerMap map = map_markers(still.markers, options.names);
    CalibrateReport calibration;
    SubjectModel subject = calibrate(still, map, generic, options.calibrate, &calibration, monitor);
    // When the static trial has markers that the walk lacks (medial sides of joints), it is used alone.
    const MarkerMap own = map_markers(trial.markers, options.names);
    const bool more = std::ranges::any_of(
        map.markers, [&](const MappedMarker& m) { return own.find(m.location.name) < 0; });
    if (&still != &trial && !more && options.calibrate.scale)
        subject =
            joined_subject(subject, calibrate(trial, own, generic, options.calibrate, nullptr, monitor));
    SolveResult result = solve(trial, subject, options, monitor);
    if (!calibration.without_segment.empty()) {
        warn(monitor, "solve-no-segment", "the skeleton has no segment for {}",
             joined(calibration.without_segment));
    }
    result.calibration = std::move(calibration);
    if (options.keep_bones) copy_rotations(generic, result);
    return result;
}

/// The trial completed with the positions that clusters determine. \throws Error with the reason when they do
/// not
model::Trial completed(const model::Trial& trial, const MarkerMap& map, ClusterReport& report,
                       Monitor& monitor) {
    std::optional<model::Trial> result = complete_clusters(trial, map, report);
    if (!result) {
        std::vector<std::string> found;
        for (const MappedMarker& m : map.markers) found.push_back(m.location.name);
        fail(trial.name,
             "has clusters without LASI, RASI and SACR or LPSI and RPSI, and {}; known markers: {}",
             report.missing, joined(found));
    }
    std::vector<std::string> joints;
    for (const ClusterJoint& joint : report.joints)
        joints.push_back(fmt::format("{} {:.0f} mm", joint.name, 1000 * joint.spread));
    warn(monitor, "solve-clusters",
         "no anatomical markers: joints are computed from the motion of the clusters ({}), mid-stance is the "
         "zero of the angles, and {} are computed",
         joined(joints), joined(report.added));
    return std::move(*result);
}

}  // namespace

SolveResult solve(const model::Trial& trial, const SubjectModel& subject, const SolveOptions& options,
                  Monitor& monitor) {
    if (trial.frames == 0) fail(trial.name, "has no frames");
    SolveResult result;
    result.subject = subject;
    result.skeleton = subject.skeleton;
    const MarkerMap all = map_markers(trial.markers, options.names);
    result.map = ordered(all, result.subject);
    if (result.map.markers.empty()) {
        fail(trial.name, "none of its {} markers is known on the subject", trial.markers.count());
    }
    for (std::size_t m = 0; m < result.map.markers.size(); ++m) {
        MarkerResidual residual;
        residual.label = trial.markers.info[result.map.markers[m].point].label;
        residual.location = result.subject.names[m];
        residual.joint =
            result.skeleton.joints[static_cast<std::size_t>(result.subject.attachments[m].joint)].name;
        result.residuals.push_back(std::move(residual));
    }
    warn_of_labels(all, monitor);
    Sums sums;
    solve_frames(trial, options, result, sums, monitor);
    double samples = 0;
    for (MarkerResidual& r : result.residuals) {
        sums.squares += r.rms;
        samples += static_cast<double>(r.samples);
        r.rms = r.samples == 0 ? 0 : std::sqrt(r.rms / static_cast<double>(r.samples));
        result.max = std::max(result.max, r.max);
    }
    result.rms = samples == 0 ? 0 : std::sqrt(sums.squares / samples);
    const double free = sums.coordinates - sums.unknowns;
    result.noise = free > 0 ? std::sqrt(sums.squares / free) : 0;
    result.iterations = sums.iterations / static_cast<double>(trial.frames);
    result.clip = clip_of_poses(result.skeleton, result.poses, trial.rate > 0 ? trial.rate : 30);
    result.clip.name = trial.name.empty() ? "solved" : trial.name;
    result.swapped = find_swaps(trial, result.map);
    result.still = is_still(trial, result.map);
    name_unmeasured(trial, result);
    warn_of_fit(result, warn_rms, monitor);
    return result;
}

SolveResult solve(const model::Trial& trial, const model::Skeleton& generic, const SolveOptions& options,
                  const model::Trial* static_trial, Monitor& monitor) {
    if (trial.frames == 0) fail(trial.name, "has no frames");
    if (static_trial != nullptr) {
        return calibrate_and_solve(trial, *static_trial, generic, options, monitor);
    }
    const MarkerMap map = map_markers(trial.markers, options.names);
    if (!has_only_clusters(map)) return calibrate_and_solve(trial, trial, generic, options, monitor);
    ClusterReport clusters;
    const model::Trial whole = completed(trial, map, clusters, monitor);
    SolveResult result = calibrate_and_solve(whole, whole, generic, options, monitor);
    result.clusters = std::move(clusters);
    return result;
}

std::vector<Swap> find_swaps(const model::Trial& trial, const MarkerMap& map) {
    std::vector<Swap> swaps;
    for (std::size_t k = 0; k < map.markers.size(); ++k) {
        const MarkerLocation& left = map.markers[k].location;
        if (left.side != model::Side::left) continue;
        const int other = map.find("R" + left.name.substr(1));
        if (other < 0) continue;
        const auto o = static_cast<std::size_t>(other);
        const MarkerLocation& right = map.markers[o].location;
        const Pair pair{trial, map, k, o};
        const double own = pair.of(left.segment, false), crossed = pair.of(left.segment, true);
        // 20 mm per marker are tolerated for soft tissue, and the difference must be clear.
        if (own > 0.04 && crossed < own / 2 && pair.blamed_by_neighbours())
            swaps.push_back({left.name, right.name});
    }
    return swaps;
}

}  // namespace sinew::motion
