// SPDX-License-Identifier: MIT
#include "sinew/motion/markers/clusters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include "sinew/base/array.h"
#include "sinew/model/roles.h"

namespace sinew::motion {

using math::Mat3d;
using math::Vec3d;
using model::Role;
using model::Side;

namespace {

constexpr double unseen = std::numeric_limits<double>::quiet_NaN();

/// A rigid group of markers with its position in each frame.
struct Cluster {
    std::vector<std::size_t> points;
    std::vector<Mat3d> rotation;
    std::vector<Vec3d> position;  ///< not finite where fewer than three markers are visible

    bool empty() const { return points.size() < 3; }
    bool seen(std::size_t f) const { return position[f].allFinite(); }
    Vec3d world(std::size_t f, const Vec3d& local) const { return rotation[f] * local + position[f]; }
    Vec3d local(std::size_t f, const Vec3d& world) const {
        return rotation[f].transpose() * (world - position[f]);
    }
};

Vec3d world_position_of(const model::Trial& trial, std::size_t f, std::size_t point) {
    return trial.markers.valid(f, point) ? model::world_position(trial, f, point)
                                         : Vec3d(Vec3d::Constant(unseen));
}

/// The shape is taken from the first frame that shows all markers; its origin is their centroid.
Cluster find_cluster(const model::Trial& trial, const MarkerMap& map, Role segment, Side side) {
    Cluster cluster;
    for (const MappedMarker& m : map.markers)
        if (m.location.segment == segment && m.location.side == side) cluster.points.push_back(m.point);
    cluster.rotation.assign(trial.frames, Mat3d::Identity());
    cluster.position.assign(trial.frames, Vec3d::Constant(unseen));
    if (cluster.empty()) return cluster;
    const auto n = static_cast<Eigen::Index>(cluster.points.size());
    Eigen::Matrix3Xd shape;
    for (std::size_t f = 0; f < trial.frames; ++f) {
        Eigen::Matrix3Xd now(3, n);
        for (Eigen::Index k = 0; k < n; ++k)
            now.col(k) = world_position_of(trial, f, cluster.points[static_cast<std::size_t>(k)]);
        if (shape.size() == 0 && now.allFinite()) shape = now.colwise() - now.rowwise().mean();
        if (shape.size() == 0) continue;
        Eigen::Matrix3Xd from(3, n), to(3, n);
        Eigen::Index seen = 0;
        for (Eigen::Index k = 0; k < n; ++k) {
            if (!now.col(k).allFinite()) continue;
            from.col(seen) = shape.col(k);
            to.col(seen++) = now.col(k);
        }
        if (seen < 3) continue;
        const Eigen::Matrix4d fit = Eigen::umeyama(from.leftCols(seen), to.leftCols(seen), false);
        cluster.rotation[f] = fit.topLeftCorner<3, 3>();
        cluster.position[f] = fit.topRightCorner<3, 1>();
    }
    return cluster;
}

/// A joint in the local frames of both of its clusters.
struct Joint {
    Vec3d above = Vec3d::Zero(), below = Vec3d::Zero();
    double spread = 0;
};

/// Minimises |A a + p - B b - q|^2 over all frames for a and b, with a weak pull towards their expected
/// positions (symmetrical centre of rotation estimation, Ehrig 2006).
Joint find_joint(const Cluster& upper, const Cluster& lower, const Vec3d& above, const Vec3d& below,
                 double pull) {
    Eigen::Matrix<double, 6, 6> matrix = Eigen::Matrix<double, 6, 6>::Zero();
    Eigen::Matrix<double, 6, 1> right = Eigen::Matrix<double, 6, 1>::Zero();
    double frames = 0;
    for (std::size_t f = 0; f < upper.position.size(); ++f) {
        if (!upper.seen(f) || !lower.seen(f)) continue;
        Eigen::Matrix<double, 3, 6> row;
        row << upper.rotation[f], -lower.rotation[f];
        matrix += row.transpose() * row;
        right += row.transpose() * (lower.position[f] - upper.position[f]);
        ++frames;
    }
    Eigen::Matrix<double, 6, 1> expected;
    expected << above, below;
    matrix.diagonal().array() += pull * frames;
    right += pull * frames * expected;
    const Eigen::Matrix<double, 6, 1> found = matrix.ldlt().solve(right);
    Joint joint{found.head<3>(), found.tail<3>(), 0};
    for (std::size_t f = 0; f < upper.position.size(); ++f) {
        if (!upper.seen(f) || !lower.seen(f)) continue;
        joint.spread += (upper.world(f, joint.above) - lower.world(f, joint.below)).squaredNorm() / frames;
    }
    joint.spread = std::sqrt(joint.spread);
    return joint;
}

/// Mean of a position in the local frame of a cluster over some frames.
template <class Position>
Vec3d expected(const Cluster& cluster, const std::vector<std::size_t>& frames, const Position& position) {
    Vec3d sum = Vec3d::Zero();
    for (const std::size_t f : frames) sum += cluster.local(f, position(f));
    return sum / static_cast<double>(frames.size());
}

/// Horizontal axes of the walking path.
struct Walking {
    Vec3d forward, left;
    bool walks = false;
};

Walking find_walking(const Cluster& pelvis) {
    Vec3d first = Vec3d::Constant(unseen), last = first;
    for (const Vec3d& position : pelvis.position) {
        if (!position.allFinite()) continue;
        if (!first.allFinite()) first = position;
        last = position;
    }
    Vec3d walking = last - first;
    walking.y() = 0;
    const bool walks = walking.norm() > 0.5;
    const Vec3d forward = walking.normalized();
    return {forward, Vec3d::UnitY().cross(forward), walks};
}

struct Leg {
    Side side = Side::none;
    Cluster thigh, shank, foot;
    std::vector<std::size_t> stance;  ///< frames in which the pelvis passes above the resting foot
    Joint hip, knee, ankle;

    bool complete() const { return !thigh.empty() && !shank.empty() && !stance.empty(); }
    std::string name(const char* joint) const {
        return (side == Side::left ? "left " : "right ") + std::string(joint);
    }
};

/// The frames in which the pelvis is most exactly above the shank (or foot) while that hardly moves.
std::vector<std::size_t> stance_frames(const model::Trial& trial, const Cluster& pelvis, const Leg& leg,
                                       const Walking& walking) {
    const Cluster& low = leg.foot.empty() ? leg.shank : leg.foot;
    std::vector<std::pair<double, std::size_t>> found;
    for (std::size_t f = 1; f + 1 < trial.frames; ++f) {
        if (!pelvis.seen(f) || !leg.thigh.seen(f) || !leg.shank.seen(f) || !low.seen(f)) continue;
        const double speed = (low.position[f + 1] - low.position[f - 1]).norm() * trial.rate / 2;
        if (!(speed < (leg.foot.empty() ? 0.5 : 0.1))) continue;
        found.emplace_back(std::abs((pelvis.position[f] - low.position[f]).dot(walking.forward)), f);
    }
    std::sort(found.begin(), found.end());
    found.resize(std::min<std::size_t>(found.size(), 12));
    std::vector<std::size_t> frames;
    for (const auto& [distance, f] : found) frames.push_back(f);
    return frames;
}

/// Heights of knee and ankle, and half the distance between the hips, relative to the height of the hips
/// (Drillis and Contini 1966: hips at 0.53 of the stature, knees at 0.285, ankles at 0.039, hip joints 0.1
/// apart).
constexpr double knee_height = 0.54, ankle_height = 0.074, hips_aside = 0.095;

/// Weak: matters along the flexion axis of walking, and is negligible where the motion determines the centre.
constexpr double pull = 0.003;

void find_joints(const Cluster& pelvis, const Walking& walking, double hips, Leg& leg) {
    const double sign = leg.side == Side::left ? 1 : -1;
    const auto at_hip = [&](std::size_t f) -> Vec3d {
        Vec3d p = pelvis.position[f] + sign * hips_aside * hips * walking.left;
        p.y() = hips;
        return p;
    };
    // In the frontal plane a leg is assumed straight down to the foot; in the sagittal plane the shank gives
    // its position.
    const Cluster& low = leg.foot.empty() ? leg.shank : leg.foot;
    const auto at = [&](double height) {
        return [&, height](std::size_t f) -> Vec3d {
            Vec3d p = at_hip(f);
            p += (1 - height) * (leg.shank.position[f] - p).dot(walking.forward) * walking.forward;
            p += (1 - height) / (1 - ankle_height) * (low.position[f] - p).dot(walking.left) * walking.left;
            p.y() = height * hips;
            return p;
        };
    };
    const auto& s = leg.stance;
    leg.hip =
        find_joint(pelvis, leg.thigh, expected(pelvis, s, at_hip), expected(leg.thigh, s, at_hip), pull);
    leg.knee = find_joint(leg.thigh, leg.shank, expected(leg.thigh, s, at(knee_height)),
                          expected(leg.shank, s, at(knee_height)), pull);
    leg.ankle.above = expected(leg.shank, s, at(ankle_height));
    if (leg.foot.empty()) return;
    leg.ankle =
        find_joint(leg.shank, leg.foot, leg.ankle.above, expected(leg.foot, s, at(ankle_height)), pull);
}

/// Collects computed points and appends them to the markers of a trial, in metres.
class Completed {
  public:
    explicit Completed(const model::Trial& trial) : from_(trial) {}

    /// A point fixed to a cluster.
    void add(const std::string& label, const Cluster& cluster, const Vec3d& local) {
        points_.push_back({label, &cluster, local});
    }

    model::Trial trial() const {
        model::Trial out = from_;
        out.to_world = {};
        out.unit = "m";
        const std::size_t before = from_.markers.count(), count = before + points_.size();
        out.markers.cameras.clear();
        out.markers.positions.assign(from_.frames * count, math::Vec3f::Constant(std::nanf("")));
        out.markers.residuals.assign(from_.frames * count, model::Points::missing);
        for (const Point& point : points_) {
            model::PointInfo info;
            info.label = point.label;
            info.description = "computed from clusters";
            if (before > 0) info.subject = from_.markers.info.front().subject;
            out.markers.info.push_back(std::move(info));
        }
        for (std::size_t f = 0; f < from_.frames; ++f) {
            const auto put = [&](std::size_t k, const Vec3d& position) {
                if (!position.allFinite()) return;
                out.markers.positions[f * count + k] = position.cast<float>();
                out.markers.residuals[f * count + k] = 0;
            };
            for (std::size_t k = 0; k < before; ++k) put(k, world_position_of(from_, f, k));
            for (std::size_t k = 0; k < points_.size(); ++k)
                put(before + k, points_[k].cluster->world(f, points_[k].local));
        }
        return out;
    }

    std::vector<std::string> labels() const {
        std::vector<std::string> labels;
        for (const Point& point : points_) labels.push_back(point.label);
        return labels;
    }

  private:
    struct Point {
        std::string label;
        const Cluster* cluster;
        Vec3d local;
    };
    const model::Trial& from_;
    std::vector<Point> points_;
};

/// Spines that give these hips by Harrington's regression: the depth of the pelvis is 0.6 of its width.
void add_spines(const Cluster& pelvis, const Walking& walking, const std::array<Leg, 2>& legs,
                Completed& out) {
    std::vector<std::size_t> frames;
    std::array<Vec3d, 2> hips;
    for (std::size_t s = 0; s < 2; ++s) {
        if (legs[s].complete()) frames.insert(frames.end(), legs[s].stance.begin(), legs[s].stance.end());
    }
    const auto axis = [&](const Vec3d& world) -> Vec3d {
        Vec3d sum = Vec3d::Zero();
        for (const std::size_t f : frames) sum += pelvis.rotation[f].transpose() * world;
        return sum.normalized();
    };
    const Vec3d up = axis(Vec3d::UnitY()),
                left = (axis(walking.left) - axis(walking.left).dot(up) * up).normalized();
    const Vec3d forward = left.cross(up);
    for (std::size_t s = 0; s < 2; ++s) {
        const Leg& leg = legs[s].complete() ? legs[s] : legs[1 - s];
        hips[s] = leg.hip.above;
        // The hip of a leg without clusters is the mirror image of the other hip.
        if (!legs[s].complete()) hips[s] -= 2 * hips[s].dot(left) * left;
    }
    const double half = std::clamp((hips[0] - hips[1]).dot(left) / 2, 0.05, 0.13);
    const double width = (half - 0.0073) / 0.33, depth = 0.6 * width;
    const Vec3d front =
        (hips[0] + hips[1]) / 2 + (0.24 * depth + 0.0099) * forward + (0.30 * width + 0.0109) * up;
    out.add("LASI", pelvis, front + width / 2 * left);
    out.add("RASI", pelvis, front - width / 2 * left);
    out.add("SACR", pelvis, front - depth * forward);
}

void add_leg_points(const Leg& leg, const Walking& walking, double hips, Completed& out) {
    const std::string side = leg.side == Side::left ? "L" : "R";
    const double sign = leg.side == Side::left ? 1 : -1;
    const auto beside = [&](const char* label, const Cluster& cluster, const Vec3d& joint, double reach) {
        const Vec3d local = expected(cluster, leg.stance, [&](std::size_t f) -> Vec3d {
            return cluster.world(f, joint) + sign * reach * walking.left;
        });
        out.add(side + label, cluster, local);
    };
    beside("KNE", leg.thigh, leg.knee.above, 0.055 * hips);
    beside("KNEM", leg.thigh, leg.knee.above, -0.055 * hips);
    beside("ANK", leg.shank, leg.ankle.above, 0.035 * hips);
    beside("ANKM", leg.shank, leg.ankle.above, -0.035 * hips);
    if (leg.foot.empty()) return;
    const auto sole = [&](const char* label, double ahead) {
        out.add(side + label, leg.foot, expected(leg.foot, leg.stance, [&](std::size_t f) -> Vec3d {
                    Vec3d p = leg.foot.world(f, leg.ankle.below) + ahead * hips * walking.forward;
                    p.y() -= 0.045 * hips;
                    return p;
                }));
    };
    sole("HEE", -0.05);
    sole("TOE", 0.14);
}

}  // namespace

bool has_only_clusters(const MarkerMap& map) {
    const auto on_pelvis = std::ranges::count_if(
        map.markers, [](const MappedMarker& m) { return m.location.segment == Role::hips; });
    const bool spines = map.find("LASI") >= 0 && map.find("RASI") >= 0;
    return on_pelvis >= 3 && !spines;
}

std::optional<model::Trial> complete_clusters(const model::Trial& trial, const MarkerMap& map,
                                              ClusterReport& report) {
    const Cluster pelvis = find_cluster(trial, map, Role::hips, Side::none);
    const Walking walking = find_walking(pelvis);
    if (pelvis.empty() || !walking.walks) {
        report.missing = pelvis.empty() ? "the pelvis has fewer than three markers"
                                        : "the body does not walk, so its clusters do not show the joints";
        return std::nullopt;
    }
    std::vector<double> heights;
    for (const Vec3d& position : pelvis.position)
        if (position.allFinite()) heights.push_back(position.y());
    // Bands and plates on a pelvis are about a tenth of the hip height above the hip joints.
    const double hips = 0.9 * median(std::move(heights));
    std::array<Leg, 2> legs;
    Completed completed(trial);
    for (std::size_t s = 0; s < 2; ++s) {
        Leg& leg = legs[s];
        leg.side = s == 0 ? Side::left : Side::right;
        leg.thigh = find_cluster(trial, map, Role::thigh, leg.side);
        leg.shank = find_cluster(trial, map, Role::shin, leg.side);
        leg.foot = find_cluster(trial, map, Role::foot, leg.side);
        if (leg.thigh.empty() || leg.shank.empty()) continue;
        leg.stance = stance_frames(trial, pelvis, leg, walking);
        if (!leg.complete()) continue;
        find_joints(pelvis, walking, hips, leg);
        report.joints.push_back({leg.name("hip"), leg.hip.spread});
        report.joints.push_back({leg.name("knee"), leg.knee.spread});
        if (!leg.foot.empty()) report.joints.push_back({leg.name("ankle"), leg.ankle.spread});
    }
    if (report.joints.empty()) {
        report.missing = "no leg has clusters of three markers on thigh and shank, visible during stance";
        return std::nullopt;
    }
    add_spines(pelvis, walking, legs, completed);
    for (const Leg& leg : legs)
        if (leg.complete()) add_leg_points(leg, walking, hips, completed);
    report.added = completed.labels();
    return completed.trial();
}

}  // namespace sinew::motion
