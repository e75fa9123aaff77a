// Refits: the ball of a node from the joints alone, in single precision. Every influence set gives points
// that its vertices lie around: from the node's ball, and where that is not good enough from its own too. A
// centre is chosen, and each set counts with the variant that reaches less far from it.

#include <algorithm>
#include <cmath>

#include "sinew/collide/body.h"

namespace sinew::collide {

using deform::Method;

namespace {

/// More records than this have balls so much smaller than the node's that only theirs are tried.
constexpr std::uint32_t most_with_both = 40;
constexpr std::size_t few_records = 16;
/// A node's ball that has grown by no more than this is not tried to be made smaller.
constexpr float close_enough = 1.12f;
/// How much of the radius the difference between blends may take before quaternions are blended. At nodes
/// with many records, of which few reach as far as the ball, more, but not of one that sticks out for it.
constexpr std::uint32_t many_records = 12;
constexpr float close_bend = 0.03f, rough_bend = 0.3f, bend_beyond_others = 0.03f;

/// Farthest that the points of a reach are from a centre, with its radius.
float extent(const Reach& reach, const std::vector<Point4>& points, Float4 center) {
    float farthest2 = 0;
    for (std::uint32_t k = reach.first; k < reach.first + reach.count; ++k) {
        const Float4 off = load4(points[k].at) - center;
        farthest2 = std::max(farthest2, dot4(off, off));
    }
    return std::sqrt(farthest2) + reach.radius;
}

/// Radius about a centre where every set has two reaches, of which the shorter counts.
float radius_about(Float4 center, std::span<const Reach> first, std::span<const Reach> second,
                   const std::vector<Point4>& points, float limit) {
    float radius = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        float least = extent(first[i], points, center);
        if (least <= radius) continue;
        least = std::min(least, extent(second[i], points, center));
        if (!(least <= radius)) radius = least;
        if (radius >= limit) break;
    }
    return radius;
}

/// The best of the middles of both variants and of what lies between them; `best` and `radius` are what the
/// first gives by itself.
StoredBall better_of(Float4 best, float radius, std::span<const Reach> first, std::span<const Reach> second,
                     const std::vector<Point4>& points) {
    const Float4 one = best, other = middle_of(second, points);
    const auto take = [&](Float4 center) {
        const float tried = radius_about(center, second, first, points, radius);
        if (!(tried < radius)) return;
        best = center;
        radius = tried;
    };
    take(other);
    take(one);
    if (first.size() > few_records) take((one + other) * all4(0.5f));
    return ball_about(best, radius);
}

}  // namespace

Float4 middle_of(std::span<const Reach> reaches, const std::vector<Point4>& points) {
    Float4 low = all4(std::numeric_limits<float>::max()), high = all4(-std::numeric_limits<float>::max());
    for (const Reach& reach : reaches) {
        const Float4 radius = all4(reach.radius);
        for (std::uint32_t k = reach.first; k < reach.first + reach.count; ++k) {
            const Float4 point = load4(points[k].at);
            low = min4(low, point - radius);
            high = max4(high, point + radius);
        }
    }
    return (low + high) * make4(0.5f, 0.5f, 0.5f, 0);
}

float radius_about(Float4 center, std::span<const Reach> reaches, const std::vector<Point4>& points,
                   float limit) {
    float radius = 0;
    for (const Reach& reach : reaches) {
        const float own = extent(reach, points, center);
        if (!(own <= radius)) radius = own;
        if (radius >= limit) break;
    }
    return radius;
}

StoredBall ball_about(Float4 center, float radius) {
    const Point4 point = stored4(center);
    radius *= 1 + 0x1p-20f;
    if (!(radius < infinite)) return {Vec3f::Zero(), infinite};
    return {point.point(), radius};
}

StoredBall Body::refit(const Node& node, QueryScratch& room) {
    const bool fast = refit_ == Refit::automatic || refit_ == Refit::edges;
    if (!fast || (method_ != Method::lbs && stretch_)) return stored(reference_refit(node, room));
    if (node.joint_ball_count > 0) return stored(joint_hull(node, room));
    return fast_refit(node, room);
}

StoredBall Body::fast_refit(const Node& node, QueryScratch& room) {
    const auto records = tree_->records_of(node);
    const TreeSet& first = tree_->sets[records[0].set];
    if (records.size() == 1 && first.joint_count == 1) {  // just moved
        const std::uint32_t joint = tree_->set_joints[first.first_joint];
        const float stretch = even_ ? most_stretch_ : joints_[joint].stretch_up();
        return ball_about(image(columns_[joint].at, center_of(node.ball)),
                          stretch * node.ball.radius + linear_slack_);
    }
    const float share = room.rough || records.size() > many_records ? rough_bend : close_bend;
    const float limit = refit_ == Refit::edges ? infinite : share * node.ball.radius;
    room.points.clear();
    room.reaches.clear();
    room.own_reaches.clear();
    room.images.start(tree_->palette_size);
    for (std::size_t i = 0; i < records.size(); ++i) {
        reach_both(records[i], node, limit, room);
        if (!(room.reaches[i].radius < infinite)) return {Vec3f::Zero(), infinite};
    }
    Float4 center = middle_of(room.reaches, room.points);
    float radius = radius_about(center, room.reaches, room.points);
    if (method_ != Method::lbs && !room.rough && records.size() > many_records &&
        reach_less(node, center, radius, room)) {
        center = middle_of(room.reaches, room.points);
        radius = radius_about(center, room.reaches, room.points);
    }
    // A set that is alone has the node's ball.
    if (records.size() == 1 || records.size() > most_with_both || radius <= close_enough * node.ball.radius)
        return ball_about(center, radius);
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (room.own_reaches[i].count == 0)
            room.own_reaches[i] = reach_linear(records[i], records[i].ball, nullptr, infinite, room);
    }
    return better_of(center, radius, room.reaches, room.own_reaches, room.points);
}

/// Points that the vertices of a record lie around, from the node's ball, or of many records from their own.
/// Where quaternions have to be blended, both come at once; else the own reach is left without points, for it
/// may not be needed.
void Body::reach_both(const Record& record, const Node& node, float limit, QueryScratch& room) {
    const bool many = node.record_count > most_with_both;
    const StoredBall& ball = many ? record.ball : node.ball;
    const Reach reach = reach_linear(record, ball, many ? nullptr : &room.images, limit, room);
    if (reach.count > 0) {
        room.reaches.push_back(reach);
        room.own_reaches.push_back({0, 0, 0});
        return;
    }
    const StoredBall* const own = many || node.record_count == 1 ? nullptr : &record.ball;
    // Joints take the middle of a set less far apart than that of the node.
    const Reach nearer = own == nullptr ? reach : reach_linear(record, *own, nullptr, limit, room);
    if (nearer.count > 0) {
        room.reaches.push_back(nearer);
        room.own_reaches.push_back(nearer);
        return;
    }
    if (method_ == Method::sbs) {
        reach_spherical(record, ball, own, room);
    } else {
        reach_dual(record, ball, own, room);
    }
    if (own == nullptr) room.own_reaches.push_back({0, 0, 0});
}

/// Looks closer at the sets that make the ball larger than linear blending would; true when there are some.
bool Body::reach_less(const Node& node, Float4 center, float radius, QueryScratch& room) {
    const float close = bend_beyond_others * node.ball.radius;
    float linear = 0;
    for (const Reach& reach : room.reaches)
        linear = std::max(linear, extent(reach, room.points, center) - reach.bend);
    if (refit_ == Refit::edges || radius <= linear + close) return false;
    for (std::size_t i = 0; i < room.reaches.size(); ++i) {
        if (!(room.reaches[i].bend > close && extent(room.reaches[i], room.points, center) > linear + close))
            continue;
        reach_both(tree_->records_of(node)[i], node, close, room);
        for (std::vector<Reach>* reaches : {&room.reaches, &room.own_reaches}) {
            (*reaches)[i] = reaches->back();
            reaches->pop_back();
        }
    }
    return true;
}

/// How far a blend of quaternions can be from the linear one, with what its rounding needs more: the images
/// of a centre lie in `room.blends`.
float Body::bend_beyond(const Bend& bend, std::uint32_t joints, const QueryScratch& room) const {
    const Point4* const moved = room.blends.data();
    float around = 0;
    if (joints == 2) {
        const Float4 off = load4(moved[0].at) - load4(moved[1].at);
        around = std::sqrt(dot4(off, off)) / 2;
    } else {
        Float4 mean = load4(moved[0].at);
        for (std::uint32_t i = 1; i < joints; ++i) mean = mean + load4(moved[i].at);
        mean = mean * all4(1.0f / static_cast<float>(joints));
        for (std::uint32_t i = 0; i < joints; ++i) {
            const Float4 off = load4(moved[i].at) - mean;
            around = std::max(around, dot4(off, off));
        }
        around = std::sqrt(around);
    }
    return bend.turn * (around + bend.spread) + bend.slack;
}

/// sum c_ki C_i p for every corner k (Kavan 2007, Algorithm 5.2); the radius is the largest that a joint
/// gives, because a corner of a simplex may have a weight below zero, though no vertex has. Images of a
/// centre that several sets share are kept. Other blends are that far from this as they can be; where that is
/// more than `limit`, there are no points.
Reach Body::reach_linear(const Record& record, const StoredBall& ball, KeptImages* images, float limit,
                         QueryScratch& room) {
    const TreeSet& set = tree_->sets[record.set];
    const std::uint32_t* const joints = tree_->set_joints.data() + set.first_joint;
    const Float4 center = center_of(ball);
    const auto image_of = [&](std::uint32_t joint) {
        return images == nullptr ? image(columns_[joint].at, center)
                                 : images->at(joint, [&] { return image(columns_[joint].at, center); });
    };
    const auto first = static_cast<std::uint32_t>(room.points.size());
    float stretch = most_stretch_, beyond = 0;
    if (!even_) stretch = joints_[joints[0]].stretch_up();
    if (set.joint_count == 1) {
        room.points.push_back(stored4(image_of(joints[0])));
    } else {
        if (room.blends.size() < set.joint_count) room.blends.resize(set.joint_count);
        Point4* const moved = room.blends.data();
        for (std::uint32_t i = 0; i < set.joint_count; ++i) {
            store4(moved[i].at, image_of(joints[i]));
            if (!even_) stretch = std::max(stretch, joints_[joints[i]].stretch_up());
        }
        if (method_ != Method::lbs) {
            const Bend& bend = bend_of(record.set);
            beyond = bend.most <= limit ? bend.most : bend_beyond(bend, set.joint_count, room);
            if (!(beyond <= limit) && method_ == Method::sbs)
                beyond = bend_beyond(tight_bend_of(record.set), set.joint_count, room);
            if (!(beyond <= limit)) return {first, 0, 0};
        }
        const float* corner = tree_->corners.data() + record.first_corner;
        for (std::uint32_t k = 0; k < record.corner_count; ++k) {
            Float4 sum = all4(*corner++) * load4(moved[0].at);
            for (std::uint32_t i = 1; i < set.joint_count; ++i)
                sum = sum + all4(*corner++) * load4(moved[i].at);
            room.points.push_back(stored4(sum));
        }
    }
    const auto count = static_cast<std::uint32_t>(room.points.size()) - first;
    return {first, count, stretch * ball.radius + linear_slack_ + beyond, beyond};
}

}  // namespace sinew::collide
