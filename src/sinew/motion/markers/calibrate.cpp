// SPDX-License-Identifier: MIT
#include "sinew/motion/markers/calibrate.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "sinew/base/array.h"
#include "sinew/base/error.h"

namespace sinew::motion {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using math::Mat3d;
using math::Vec3d;
using model::Role;
using model::Side;
using model::Skeleton;
using Targets = std::vector<Vec3d>;

namespace {

// As RefineOptions::length_pull, but perpendicular to the bone: bones keep their direction in the joint's
// frame.
constexpr double across_pull = 10;

std::string listed(const MarkerMap& map) {
    std::string names;
    for (const MappedMarker& m : map.markers) names += (names.empty() ? "" : ", ") + m.location.name;
    return names.empty() ? "none" : names;
}

/// The unit in which this width would fit a human pelvis.
std::string likely_unit(double width) {
    struct Unit {
        const char* name;
        double metres;
    };
    for (const Unit& unit : {Unit{"mm", 0.001}, Unit{"cm", 0.01}, Unit{"in", 0.0254}, Unit{"m", 1.0}}) {
        if (width * unit.metres > 0.15 && width * unit.metres < 0.40) return unit.name;
    }
    return "";
}

/// \throws Error when the pelvis does not have human size
void check_pelvis(const model::Trial& trial, const std::vector<PelvisFrame>& frames) {
    std::vector<double> widths, heights;
    for (const PelvisFrame& pelvis : frames) {
        widths.push_back(pelvis.width);
        heights.push_back(pelvis.up.y());
    }
    const double width = median(widths);
    if (width < 0.1 || width > 0.6) {
        const std::string unit = likely_unit(width / trial.to_world.scale);
        fail(trial.name, "the front spines of the pelvis are {:.3g} m apart: {}", width,
             unit.empty() ? "no unit makes that a body, so labels or units are wrong"
                          : "the unit is not " + trial.unit + " but looks like " + unit);
    }
    if (median(heights) < -0.3) {
        fail(trial.name,
             "the pelvis is upside down: left and right, or front and back of its markers are likely "
             "swapped, or the up axis is wrong");
    }
}

/// Frames spread over the trial; of each part the frame with the most markers.
std::vector<std::size_t> pick_frames(const model::Trial& trial, const MarkerMap& map, std::size_t wanted) {
    std::vector<std::size_t> picked;
    const std::size_t parts = std::max<std::size_t>(1, std::min(wanted, trial.frames));
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t end = (part + 1) * trial.frames / parts;
        std::size_t best = trial.frames, largest = 0;
        for (std::size_t f = part * trial.frames / parts; f < end; ++f) {
            std::size_t seen = 0;
            for (const MappedMarker& m : map.markers) seen += trial.markers.valid(f, m.point);
            if (seen <= largest || !pelvis_frame(map, marker_positions_at(trial, map, f))) continue;
            best = f;
            largest = seen;
        }
        if (best < trial.frames) picked.push_back(best);
    }
    return picked;
}

struct Sightings {
    std::vector<std::size_t> frames;
    std::vector<std::vector<Vec3d>> positions;
    std::vector<PelvisFrame> pelvis;
    std::vector<std::vector<Landmark>> landmarks;
};

Sightings look(const model::Trial& trial, const MarkerMap& map, const CalibrateOptions& options) {
    Sightings seen;
    seen.frames = pick_frames(trial, map, options.frames);
    const BodyMeasures measures = measure_body(trial, map);
    for (const std::size_t f : seen.frames) {
        seen.positions.push_back(marker_positions_at(trial, map, f));
        seen.pelvis.push_back(*pelvis_frame(map, seen.positions.back()));
        seen.landmarks.push_back(landmarks(map, seen.positions.back(), measures, options.hips));
    }
    return seen;
}

/// Marker positions on their segments in the given poses: the median over the frames, per coordinate.
void set_offsets(const model::Skeleton& skeleton, const Sightings& seen, const std::vector<Pose>& poses,
                 std::vector<Attachment>& attachments) {
    PoseSolver bodies(skeleton, attachments);
    std::vector<std::array<std::vector<double>, 3>> local(attachments.size());
    std::vector<Vec3d> ignored;
    for (std::size_t f = 0; f < poses.size(); ++f) {
        bodies.points(poses[f], ignored);
        for (std::size_t m = 0; m < attachments.size(); ++m) {
            if (!seen.positions[f][m].allFinite()) continue;
            const auto j = static_cast<std::size_t>(attachments[m].joint);
            const Vec3d p = bodies.rotation(j).transpose() * (seen.positions[f][m] - bodies.centre(j));
            for (std::size_t axis = 0; axis < 3; ++axis) local[m][axis].push_back(p[static_cast<int>(axis)]);
        }
    }
    for (std::size_t m = 0; m < attachments.size(); ++m) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            attachments[m].offset[static_cast<int>(axis)] = median(std::move(local[m][axis]));
        }
    }
}

/// The pelvis with its up axis made vertical; its heading is kept.
PelvisFrame level(PelvisFrame pelvis) {
    pelvis.up = Vec3d::UnitY();
    pelvis.left = (pelvis.left - pelvis.left.y() * pelvis.up).normalized();
    pelvis.forward = pelvis.left.cross(pelvis.up);
    return pelvis;
}

double rms_of(const SubjectModel& subject, const Sightings& seen, std::vector<Pose>& poses,
              const PoseOptions& options) {
    PoseSolver solver(subject.skeleton, subject.attachments, options);
    double squares = 0;
    std::size_t points = 0;
    for (std::size_t f = 0; f < poses.size(); ++f) {
        const PoseFit fit = solver.solve(seen.positions[f], poses[f]);
        squares += fit.rms * fit.rms * static_cast<double>(fit.points);
        points += fit.points;
    }
    return points == 0 ? 0 : std::sqrt(squares / static_cast<double>(points));
}

/// Wands and plates move with the soft tissue, and heels slip in shoes. They determine the rotation of a
/// segment, while joint positions come from markers on bony landmarks, as in Plug-in Gait.
double marker_weight(const MarkerLocation& location) {
    const std::string_view name =
        location.side == Side::none ? "" : std::string_view(location.name).substr(1);
    return name == "THI" || name == "TIB" || name == "HEE" ? 0.3 : 1;
}

/// One attachment for each mapped marker that has a segment; markers without a segment are removed from the
/// map.
SubjectModel attach_markers(const Body& body, MarkerMap& map, std::vector<std::string>& without) {
    SubjectModel subject;
    subject.skeleton = body.skeleton;
    std::erase_if(map.markers, [&](const MappedMarker& m) {
        const int joint = segment_joint(body.skeleton, body.roles, m.location.segment, m.location.side);
        if (joint < 0) {
            without.push_back(m.location.name);
            return true;
        }
        subject.attachments.push_back({joint, Vec3d::Zero(), marker_weight(m.location)});
        subject.names.push_back(m.location.name);
        return false;
    });
    return subject;
}

/// The unknowns that are common to all frames: three numbers for every offset, and three for the position of
/// every joint in its parent.
struct Shared {
    std::vector<int> slot;  ///< per joint, after the offsets; -1 for joints that are fixed
    Index size = 0;
};

Shared shared_unknowns(const Skeleton& skeleton, const PoseSolver& solver, std::size_t offsets,
                       bool lengths) {
    Shared shared;
    shared.slot.assign(skeleton.size(), -1);
    int next = static_cast<int>(offsets);
    for (std::size_t j = 0; lengths && j < skeleton.size(); ++j) {
        if (solver.moves(j) && skeleton.joints[j].parent >= 0) shared.slot[j] = next++;
    }
    shared.size = 3 * static_cast<Index>(next);
    return shared;
}

struct System {
    MatrixXd matrix;
    VectorXd right;
    double cost = 0;
    double squares = 0;
    std::size_t points = 0;
};

/// Residuals of one frame, its derivatives by the pose (J) and by the shared unknowns (G), rows scaled by
/// the square roots of their weights; missing rows are zero.
struct FrameRows {
    MatrixXd pose, shared;
    VectorXd residual, pull;
};

void fill_rows(const Skeleton& skeleton, const Shared& shared, PoseSolver& solver, const Targets& targets,
               const Pose& pose, double huber, FrameRows& rows, System& system) {
    const auto& attachments = solver.attachments();
    solver.jacobian(pose, rows.pose, rows.pull);
    rows.shared.setZero(rows.pose.rows(), shared.size);
    rows.residual.setZero(rows.pose.rows());
    for (std::size_t m = 0; m < attachments.size(); ++m) {
        const Index row = 3 * static_cast<Index>(m);
        const auto joint = static_cast<std::size_t>(attachments[m].joint);
        if (!targets[m].allFinite()) {
            rows.pose.middleRows<3>(row).setZero();
            continue;
        }
        const Vec3d r = solver.centre(joint) + solver.rotation(joint) * attachments[m].offset - targets[m];
        const double distance = r.norm(), w = attachments[m].weight;
        const double root = std::sqrt(w * (distance <= huber ? 1 : huber / distance));
        system.cost += w * (distance <= huber ? distance * distance : (2 * distance - huber) * huber);
        system.squares += distance * distance;
        ++system.points;
        rows.residual.segment<3>(row) = root * r;
        rows.pose.middleRows<3>(row) *= root;
        rows.shared.block<3, 3>(row, row) = root * solver.rotation(joint);
        for (int j = static_cast<int>(joint); j >= 0;
             j = skeleton.joints[static_cast<std::size_t>(j)].parent) {
            const int slot = shared.slot[static_cast<std::size_t>(j)];
            if (slot < 0) continue;
            const int parent = skeleton.joints[static_cast<std::size_t>(j)].parent;
            rows.shared.block<3, 3>(row, 3 * slot) = root * solver.rotation(static_cast<std::size_t>(parent));
        }
    }
}

/// Adds a frame with its pose eliminated: G^T G - G^T J (J^T J + P)^-1 J^T G.
void add_frame(const FrameRows& rows, System& system) {
    MatrixXd normal = MatrixXd::Zero(rows.pose.cols(), rows.pose.cols());
    normal.selfadjointView<Eigen::Lower>().rankUpdate(rows.pose.transpose());
    normal.diagonal() += rows.pull;
    const Eigen::LLT<MatrixXd> factor(normal.selfadjointView<Eigen::Lower>());
    const MatrixXd mixed = rows.pose.transpose() * rows.shared;
    const MatrixXd half = factor.matrixL().solve(mixed);
    system.matrix.selfadjointView<Eigen::Lower>().rankUpdate(rows.shared.transpose());
    system.matrix.selfadjointView<Eigen::Lower>().rankUpdate(half.transpose(), -1);
    // The poses are already solved, so their own gradient is zero.
    system.right.noalias() -= rows.shared.transpose() * rows.residual;
}

/// Strength of the pull on a joint's position: weaker along its bone, and equal in all directions where the
/// parent carries several bones and therefore has no bone direction.
Mat3d position_pull(const Skeleton& skeleton, std::size_t joint, int siblings, const RefineOptions& options) {
    const Vec3d bone = skeleton.joints[joint].rest.translation;
    if (siblings > 1 || bone.norm() < 1e-6) return options.length_pull * Mat3d::Identity();
    const Vec3d u = bone.normalized();
    return across_pull * Mat3d::Identity() + (options.length_pull - across_pull) * u * u.transpose();
}

void add_pulls(const Skeleton& skeleton, const Shared& shared, const PoseSolver& solver,
               const Skeleton& first_skeleton, const std::vector<Attachment>& first, double frames,
               const RefineOptions& options, System& system) {
    const auto& now = solver.attachments();
    const auto add = [&](Index at, const Mat3d& pull, const Vec3d& moved) {
        system.matrix.block<3, 3>(at, at) += frames * pull;
        system.right.segment<3>(at) -= frames * pull * moved;
        system.cost += frames * moved.dot(pull * moved);
    };
    for (std::size_t m = 0; m < now.size(); ++m) {
        add(3 * static_cast<Index>(m), options.offset_pull * Mat3d::Identity(),
            now[m].offset - first[m].offset);
    }
    const auto children = model::children(skeleton);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (shared.slot[j] < 0) continue;
        const auto parent = static_cast<std::size_t>(skeleton.joints[j].parent);
        int siblings = 0;
        for (const int c : children[parent]) siblings += solver.moves(static_cast<std::size_t>(c));
        add(3 * shared.slot[j], position_pull(first_skeleton, j, siblings, options),
            skeleton.joints[j].rest.translation - first_skeleton.joints[j].rest.translation);
    }
}

void move(const Shared& shared, const VectorXd& step, Skeleton& skeleton,
          std::vector<Attachment>& attachments, std::span<Pose> poses) {
    for (std::size_t m = 0; m < attachments.size(); ++m) {
        attachments[m].offset += step.segment<3>(3 * static_cast<Index>(m));
    }
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (shared.slot[j] < 0) continue;
        skeleton.joints[j].rest.translation += step.segment<3>(3 * shared.slot[j]);
        for (Pose& pose : poses) pose.translation[j] = skeleton.joints[j].rest.translation;
    }
}

/// Solves the poses of all frames and accumulates their equations.
System look_at_frames(const Skeleton& skeleton, const Shared& shared, PoseSolver& solver,
                      std::span<const Targets> frames, std::span<Pose> poses, double huber) {
    System system{MatrixXd::Zero(shared.size, shared.size), VectorXd::Zero(shared.size)};
    FrameRows rows;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        solver.solve(frames[f], poses[f]);
        fill_rows(skeleton, shared, solver, frames[f], poses[f], huber, rows, system);
        add_frame(rows, system);
    }
    return system;
}

}  // namespace

int segment_joint(const model::Skeleton& skeleton, const std::vector<model::JointRole>& roles, Role segment,
                  Side side) {
    const auto find = [&](Role role, Side of) { return model::find_role(roles, role, of); };
    const auto parent_of = [&](int joint) {
        return joint < 0 ? -1 : skeleton.joints[static_cast<std::size_t>(joint)].parent;
    };
    switch (segment) {
        case Role::upper_chest:
        case Role::chest:
        case Role::spine: {
            // The joint that carries clavicles, arms and neck moves the rib cage, whatever its name is.
            for (const int joint : {find(Role::clavicle, Side::left), find(Role::neck, Side::none),
                                    find(Role::upper_arm, Side::left), find(Role::head, Side::none)}) {
                if (parent_of(joint) >= 0) return parent_of(joint);
            }
            return find(Role::hips, Side::none);
        }
        case Role::clavicle: {
            const int joint = find(Role::clavicle, side);
            return joint >= 0 ? joint : segment_joint(skeleton, roles, Role::upper_chest, Side::none);
        }
        case Role::toe:
            return find(find(Role::toe, side) >= 0 ? Role::toe : Role::foot, side);
        case Role::hand:
            return find(find(Role::hand, side) >= 0 ? Role::hand : Role::forearm, side);
        case Role::head:
            return find(find(Role::head, side) >= 0 ? Role::head : Role::neck, side);
        default:
            return find(segment, side);
    }
}

std::vector<Vec3d> marker_positions_at(const model::Trial& trial, const MarkerMap& map, std::size_t frame) {
    std::vector<Vec3d> positions;
    for (const MappedMarker& m : map.markers) {
        positions.push_back(trial.markers.valid(frame, m.point) ? model::world_position(trial, frame, m.point)
                                                                : Vec3d::Constant(unknown));
    }
    return positions;
}

SubjectModel calibrate(const model::Trial& trial, const MarkerMap& given, const model::Skeleton& generic,
                       const CalibrateOptions& options, CalibrateReport* report, Monitor& monitor) {
    CalibrateReport own;
    CalibrateReport& said = report == nullptr ? own : *report;
    if (trial.frames == 0) fail(trial.name, "has no frames");
    MarkerMap map = given;
    Body body(generic);
    SubjectModel subject = attach_markers(body, map, said.without_segment);
    const Sightings seen = look(trial, map, options);
    if (seen.frames.empty()) {
        fail(trial.name,
             "the pelvis is not seen in any frame: it needs LASI, RASI and SACR or LPSI and RPSI together; "
             "known markers: {}",
             listed(given));
    }
    check_pelvis(trial, seen.pelvis);
    said.frames = seen.frames;
    if (options.scale) {
        said.scale = scale_to_landmarks(body, seen.landmarks, subject.skeleton);
        body = Body(subject.skeleton);
    }
    std::vector<Pose> poses;
    for (std::size_t f = 0; f < seen.frames.size(); ++f) {
        poses.push_back(options.neutral ? pose_at_pelvis(body, level(seen.pelvis[f]), seen.landmarks[f])
                                        : pose_at_landmarks(body, seen.pelvis[f], seen.landmarks[f]));
    }
    set_offsets(subject.skeleton, seen, poses, subject.attachments);
    if (options.refine && !options.neutral) {
        RefineOptions refinement;
        refinement.lengths = options.scale;
        said.refined = refine(subject.skeleton, subject.attachments, seen.positions, poses, PoseOptions(),
                              refinement, monitor);
    }
    said.rms = rms_of(subject, seen, poses, PoseOptions());
    return subject;
}

bool pose_from_landmarks(const model::Skeleton& skeleton, const MarkerMap& map,
                         const std::vector<Vec3d>& positions, const BodyMeasures& measures, HipRule hips,
                         Pose& pose) {
    const auto pelvis = pelvis_frame(map, positions);
    if (!pelvis) return false;
    pose = pose_at_landmarks(Body(skeleton), *pelvis, landmarks(map, positions, measures, hips));
    return true;
}

RefineReport refine(Skeleton& skeleton, std::vector<Attachment>& attachments, std::span<const Targets> frames,
                    std::span<Pose> poses, const PoseOptions& pose_options, const RefineOptions& options,
                    Monitor& monitor) {
    RefineReport report;
    const Skeleton first_skeleton = skeleton;
    const std::vector<Attachment> first = attachments;
    Skeleton kept_skeleton = skeleton;
    std::vector<Attachment> kept = attachments;
    VectorXd change;
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round <= options.rounds; ++round) {
        step(monitor, "calibrate", static_cast<double>(round) / (options.rounds + 1));
        PoseSolver solver(skeleton, attachments, pose_options);
        const Shared shared = shared_unknowns(skeleton, solver, attachments.size(), options.lengths);
        System system = look_at_frames(skeleton, shared, solver, frames, poses, pose_options.huber);
        add_pulls(skeleton, shared, solver, first_skeleton, first, static_cast<double>(frames.size()),
                  options, system);
        const double rms =
            system.points == 0 ? 0 : std::sqrt(system.squares / static_cast<double>(system.points));
        if (round == 0) report.rms_before = report.rms_after = rms;
        const bool better = system.cost < last;
        if (better) {
            const bool settled = last - system.cost < options.tolerance * system.cost;
            last = system.cost;
            kept_skeleton = skeleton;
            kept = attachments;
            report.rms_after = rms;
            report.rounds = round;
            const Eigen::LLT<MatrixXd> factor(system.matrix.selfadjointView<Eigen::Lower>());
            if (settled || factor.info() != Eigen::Success) break;
            change = factor.solve(system.right);
        } else {
            // The step was too long: return to the last good state and use a quarter of it.
            skeleton = kept_skeleton;
            attachments = kept;
            change *= 0.25;
        }
        move(shared, change, skeleton, attachments, poses);
    }
    skeleton = kept_skeleton;
    attachments = kept;
    for (Pose& pose : poses) {
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            if (skeleton.joints[j].parent >= 0) pose.translation[j] = skeleton.joints[j].rest.translation;
        }
    }
    return report;
}

}  // namespace sinew::motion
