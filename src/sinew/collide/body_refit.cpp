// Refits: the ball of a node from the joints alone, in single precision. Every influence set gives points
// that its vertices lie around, once from the node's ball and once from its own; a centre is chosen, and each
// set counts with the variant that reaches less far from it.

#include <algorithm>
#include <cmath>

#include "sinew/collide/body.h"
#include "sinew/collide/body_blend.h"

namespace sinew::collide {

using deform::Method;

namespace {

/// Unit roundoff of the skinning that balls must contain: single precision.
constexpr double u = 0x1p-24;

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr std::uint32_t most_with_both = 40, few_records = 16;

Float4 center_of(const StoredBall& ball) {
    return make4(ball.center.x(), ball.center.y(), ball.center.z(), 0);
}

/// Farthest that the points of a reach are from a centre, with its radius.
float extent(const Reach& reach, const std::vector<Point4>& points, Float4 center) {
    float farthest2 = 0;
    for (std::uint32_t k = reach.first; k < reach.first + reach.count; ++k) {
        const Float4 off = load4(points[k].at) - center;
        farthest2 = std::max(farthest2, dot4(off, off));
    }
    return std::sqrt(farthest2) + reach.radius;
}

/// Box around the reaches number `first`, `first + step`, ...: its middle.
Float4 middle_of(const std::vector<Reach>& reaches, const std::vector<Point4>& points, std::size_t first,
                 std::size_t step) {
    Float4 low = all4(std::numeric_limits<float>::max()), high = all4(-std::numeric_limits<float>::max());
    for (std::size_t i = first; i < reaches.size(); i += step) {
        const Float4 radius = all4(reaches[i].radius);
        for (std::uint32_t k = reaches[i].first; k < reaches[i].first + reaches[i].count; ++k) {
            const Float4 point = load4(points[k].at);
            low = min4(low, point - radius);
            high = max4(high, point + radius);
        }
    }
    return (low + high) * make4(0.5f, 0.5f, 0.5f, 0);
}

/// Radius about a centre that covers every set; of `variants` reaches in a row the shortest counts. From
/// `limit` on the exact number does not matter.
float radius_about(Float4 center, const RefitRoom& room, std::size_t variants, float limit) {
    float radius = 0;
    for (std::size_t i = 0; i < room.reaches.size(); i += variants) {
        float least = extent(room.reaches[i], room.points, center);
        if (least <= radius) continue;
        if (variants == 2) least = std::min(least, extent(room.reaches[i + 1], room.points, center));
        if (!(least <= radius)) radius = least;
        if (radius >= limit) return radius;
    }
    return radius;
}

StoredBall around(Float4 center, float radius) {
    const Point4 point = stored4(center);
    radius *= 1 + 0x1p-20f;
    if (!(radius < infinite)) return {Vec3f::Zero(), infinite};
    return {point.point(), radius};
}

/// The best of the middles of both variants and of what lies between them.
StoredBall enclosing(const RefitRoom& room, std::size_t variants) {
    Float4 best = middle_of(room.reaches, room.points, 0, variants);
    float radius = radius_about(best, room, variants, infinite);
    if (variants == 1) return around(best, radius);
    const Float4 first = best, second = middle_of(room.reaches, room.points, 1, variants);
    const auto take = [&](Float4 center) {
        const float other = radius_about(center, room, variants, radius);
        if (!(other < radius)) return;
        best = center;
        radius = other;
    };
    take(second);
    if (room.reaches.size() > 2 * few_records) take((first + second) * all4(0.5f));
    return around(best, radius);
}

}  // namespace

/// How far a vertex as computed in single precision can be from the exact one, twice: A v + t has an error of
/// gamma_4 per component, blending adds gamma_n; weights off the corners move it too.
double Body::linear_slack(std::size_t joints) const {
    return ((4 * static_cast<double>(joints) + 16) * u + 2 * tree_->weight_slack) * size_ +
           displacements_.bound;
}

/// Dual quaternions lose more when their sum is short; `farther` is how far from the origin they reach
/// besides.
double Body::dual_slack(std::size_t joints, double least, double farther) const {
    const double factor = (8 * static_cast<double>(joints) + 64) * u + 2 * tree_->weight_slack;
    return factor * (size_ + farther) / (least * least) + displacements_.bound;
}

double Body::spherical_slack(std::size_t joints, double from_center, double center, double least) const {
    const double n = static_cast<double>(joints), kappa = 2 * tree_->weight_slack;
    return (((4 * n + 80) * u + kappa) * from_center +
            ((4 * n + 32) * u + kappa) * (std::sqrt(3.0) * center + moved_)) /
               least +
           displacements_.bound;
}

StoredBall Body::refit(const Node& node, RefitRoom& room) {
    if (refit_ != Refit::automatic || (method_ != Method::lbs && stretch_))
        return stored(reference_refit(node, room));
    return fast_refit(node, room);
}

StoredBall Body::fast_refit(const Node& node, RefitRoom& room) {
    if (node.joint_ball_count > 0) return stored(joint_hull(node, room));
    room.points.clear();
    room.reaches.clear();
    // A set that is alone has the node's ball; where there are many, the node's is too wide for all.
    const bool both = node.record_count > 1 && node.record_count <= most_with_both;
    for (const Record& record : tree_->records_of(node)) {
        const StoredBall* const balls[]{&record.ball, &node.ball};
        reach(record, std::span(balls).first(both ? 2 : 1), room);
        if (!(room.reaches.back().radius < infinite)) return {Vec3f::Zero(), infinite};
    }
    return enclosing(room, both ? 2 : 1);
}

void Body::reach(const Record& record, std::span<const StoredBall* const> balls, RefitRoom& room) {
    if (method_ == Method::lbs || tree_->sets[record.set].joint_count == 1) {
        for (const StoredBall* ball : balls) reach_linear(record, *ball, room);
    } else if (method_ == Method::sbs) {
        reach_spherical(record, balls, room);
    } else {
        reach_dual(record, balls, room);
    }
}

/// sum c_ki C_i p for every corner k (Kavan 2007, Algorithm 5.2); the radius is the largest that a joint
/// gives, because a corner of a simplex may have a weight below zero, though no vertex has.
void Body::reach_linear(const Record& record, const StoredBall& ball, RefitRoom& room) {
    const TreeSet& set = tree_->sets[record.set];
    const std::uint32_t* const joints = tree_->set_joints.data() + set.first_joint;
    const Float4 center = center_of(ball);
    const auto first = static_cast<std::uint32_t>(room.points.size());
    double stretch = joints_[joints[0]].stretch;
    if (set.joint_count == 1) {
        room.points.push_back(stored4(image(columns_[joints[0]].at, center)));
    } else {
        if (room.blends.size() < set.joint_count) room.blends.resize(set.joint_count);
        Point4* const moved = room.blends.data();
        for (std::uint32_t i = 0; i < set.joint_count; ++i) {
            moved[i] = stored4(image(columns_[joints[i]].at, center));
            stretch = std::max(stretch, joints_[joints[i]].stretch);
        }
        const float* corner = tree_->corners.data() + record.first_corner;
        for (std::uint32_t k = 0; k < record.corner_count; ++k) {
            Float4 sum = all4(*corner++) * load4(moved[0].at);
            for (std::uint32_t i = 1; i < set.joint_count; ++i)
                sum = sum + all4(*corner++) * load4(moved[i].at);
            room.points.push_back(stored4(sum));
        }
    }
    const double radius = stretch * static_cast<double>(ball.radius) + linear_slack(set.joint_count);
    const auto count = static_cast<std::uint32_t>(room.points.size()) - first;
    room.reaches.push_back({first, count, static_cast<float>(radius)});
}

namespace {

/// Corners of a record, blended: quaternions, then what goes with them.
struct Corners4 {
    const Point4* q = nullptr;
    const Point4* other = nullptr;
    std::uint32_t count = 0;
    float least = 1;   ///< smallest <q_k, s>, s the mean direction
    float factor = 1;  ///< largest |q_k|^2 / <q_k, s>^2
};

/// Smallest <q_k, s> and largest |q_k|^2 / <q_k, s>^2 over the corners.
void measure(Corners4& corners) {
    Float4 sum = all4(0);
    for (std::uint32_t k = 0; k < corners.count; ++k) sum = sum + load4(corners.q[k].at);
    const float length = std::sqrt(dot4(sum, sum));
    for (std::uint32_t k = 0; k < corners.count; ++k) {
        const Float4 q = load4(corners.q[k].at);
        const float along = dot4(q, sum) / length;
        if (!(along >= corners.least)) corners.least = along;
        corners.factor = std::max(corners.factor, dot4(q, q) / (along * along));
    }
}

/// Mean of some points, and the largest squared distance from it.
Float4 mean_of(const Point4* points, std::uint32_t count, float& distance2) {
    Float4 mean = all4(0);
    for (std::uint32_t k = 0; k < count; ++k) mean = mean + load4(points[k].at);
    mean = mean * all4(1.0f / static_cast<float>(count));
    distance2 = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const Float4 off = load4(points[k].at) - mean;
        distance2 = std::max(distance2, dot4(off, off));
    }
    return mean;
}

void add_reach(RefitRoom& room, Float4 center, double radius) {
    room.reaches.push_back({static_cast<std::uint32_t>(room.points.size()), 1, static_cast<float>(radius)});
    room.points.push_back(stored4(center * make4(1, 1, 1, 0)));
}

}  // namespace

/// sum c_ki q_i for every corner k of a record, and sum c_ki d_i of the duals or of the moved centres. Last
/// come as many places for images.
Point4* Body::blend_corners(const Record& record, bool duals, RefitRoom& room) const {
    const TreeSet& set = tree_->sets[record.set];
    const PlayedJoint* const joints = played_joints_.data() + set.first_joint;
    const float* corner = tree_->corners.data() + record.first_corner;
    const std::uint32_t count = record.corner_count;
    if (room.blends.size() < 3 * count) room.blends.resize(3 * count);
    Point4* const out = room.blends.data();
    for (std::uint32_t k = 0; k < count; ++k) {
        Float4 q = all4(0), other = all4(0);
        for (std::uint32_t i = 0; i < set.joint_count; ++i) {
            const Float4 c = all4(*corner++);
            q = q + c * load4(joints[i].q.at);
            other = other + c * load4(duals ? joints[i].dual.at : joints[i].moved.at);
        }
        out[k] = stored4(q);
        out[count + k] = stored4(other);
    }
    return out;
}

/// By the quotient lemma with E_k = Y_k b_k, where Y_k is the image of p under corner k and its fourth number
/// the scalar part: |y - h| <= max |Y_k - h| |b_k| / <b_k, s>. Two corners of two joints: the path is part of
/// a screw, inside the ball on its chord.
void Body::reach_dual(const Record& record, std::span<const StoredBall* const> balls, RefitRoom& room) {
    prepare_set(record.set);
    const std::uint32_t count = record.corner_count, joints = tree_->sets[record.set].joint_count;
    Point4* const blends = blend_corners(record, true, room);
    Corners4 corners{blends, blends + count, count};
    measure(corners);
    const bool bounded = corners.least >= static_cast<float>(least_blend), chord = joints == 2 && count == 2;
    const double slack = bounded ? dual_slack(joints, static_cast<double>(corners.least)) : infinite;
    Point4* const images = blends + 2 * count;
    for (const StoredBall* ball : balls) {
        for (std::uint32_t k = 0; k < count; ++k) {
            const Float4 real = load4(corners.q[k].at), dual = load4(corners.other[k].at);
            const float squared = dot4(real, real);
            Float4 y = moved_by(real, dual, squared, center_of(*ball));
            if (!chord) y = y + make4(0, 0, 0, 2 * dot4(real, dual) / squared);
            images[k] = stored4(y);
        }
        float spread2 = 0;
        const Float4 mean = mean_of(images, count, spread2);
        const float spread = std::sqrt(chord ? spread2 : spread2 * corners.factor);
        add_reach(room, mean, static_cast<double>(spread * (1 + 0x1p-19f) + ball->radius) + slack);
    }
}

/// As for dual quaternions with Y_k = R(q_k) g + L_k; that rotation and translation are not one quotient
/// costs 2 max |q_k - b| |L_k - L| more.
void Body::reach_spherical(const Record& record, std::span<const StoredBall* const> balls, RefitRoom& room) {
    prepare_set(record.set);
    const std::uint32_t count = record.corner_count, joints = tree_->sets[record.set].joint_count;
    Point4* const blends = blend_corners(record, false, room);
    Corners4 corners{blends, blends + count, count};
    measure(corners);
    float away2 = 0, apart2 = 0;
    mean_of(corners.q, count, away2);
    const Float4 middle = mean_of(corners.other, count, apart2);
    const float apart = std::sqrt(apart2), extra = 2 * std::sqrt(away2) * apart / corners.least;
    const Vec3f pivot = sets_[record.set].center.cast<float>();
    const double pivot_size = sets_[record.set].center.norm();
    Point4* const images = blends + 2 * count;
    for (const StoredBall* ball : balls) {
        const Float4 g = center_of(*ball) - make4(pivot.x(), pivot.y(), pivot.z(), 0);
        for (std::uint32_t k = 0; k < count; ++k) {
            const Float4 q = load4(corners.q[k].at);
            images[k] = stored4(turned(q, dot4(q, q), g) + load4(corners.other[k].at));
        }
        float spread2 = 0, least = corners.least;
        Float4 mean = mean_of(images, count, spread2);
        float radius = std::sqrt(spread2 * corners.factor) + extra;
        const float from_center = std::sqrt(dot4(g, g));
        if (!(least > static_cast<float>(least_blend)) || !(radius <= from_center + apart)) {
            // Any rotation keeps |g|: the whole sphere about the moved centres.
            mean = middle;
            radius = from_center + apart;
            least = 1;
        }
        const double slack = spherical_slack(joints, static_cast<double>(from_center + ball->radius),
                                             pivot_size, static_cast<double>(least));
        add_reach(room, mean, static_cast<double>(radius * (1 + 0x1p-19f) + ball->radius) + slack);
    }
}

/// Every vertex is a blend of its images under its joints, and those lie in the joints' balls. Linear: in
/// their hull. Dual quaternions: no farther from any point h than max |y_i - h| / <q_i, s> (the quotient
/// lemma with E_i = y_i q_i); spherical: the same with the spread of the moved centre added.
Ball Body::joint_hull(const Node& node, RefitRoom& room) {
    room.points.clear();
    room.reaches.clear();
    for (const JointBall& entry : tree_->joint_balls_of(node)) {
        const Joint& joint = joints_[entry.joint];
        const double radius = joint.stretch * static_cast<double>(entry.ball.radius) + joint.bend;
        room.reaches.push_back(
            {static_cast<std::uint32_t>(room.points.size()), 1, static_cast<float>(radius * (1 + 1e-7))});
        room.points.push_back(stored4(image(columns_[entry.joint].at, center_of(entry.ball))));
    }
    Ball hull = enclosing(room, 1).widen();
    if (method_ == Method::lbs) {
        hull.radius += linear_slack(tree_->max_set_joints);
        return hull;
    }
    double least = 1, spread = 0, centers = 0;
    for (const Record& record : tree_->records_of(node)) {
        if (tree_->sets[record.set].joint_count == 1) continue;
        prepare_set(record.set);
        least = std::min(least, sets_[record.set].least);
        spread = std::max(spread, sets_[record.set].spread);
        centers = std::max(centers, sets_[record.set].center.squaredNorm());
    }
    if (!(least >= least_blend)) return unbounded();
    const double slack = dual_slack(tree_->max_set_joints, least, 2 * std::sqrt(centers));
    return {hull.center, (hull.radius + spread) / least * (1 + 1e-9) + slack};
}

}  // namespace sinew::collide
