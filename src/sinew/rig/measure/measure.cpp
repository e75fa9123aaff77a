// SPDX-License-Identifier: MIT
#include "sinew/rig/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::rig {
using math::Vec3d;
using model::Skeleton;

namespace {

/// An influence counts in precision and recall when its weight exceeds this.
constexpr double min_influence = 1e-4;

/// Points and segments of a skeleton at rest.
struct Shape {
    std::vector<Vec3d> points;
    std::vector<model::Bone> bones;
};

Shape shape_of(const Skeleton& skeleton) {
    const auto world = model::rest_world_matrices(skeleton);
    Shape shape{model::joint_positions(world), model::bones(skeleton, world)};
    for (const model::Bone& bone : shape.bones) {
        if (bone.end_joint < 0) shape.points.push_back(bone.end);
    }
    return shape;
}

double diagonal_of(const std::vector<Vec3d>& points) {
    Vec3d low = points[0], high = points[0];
    for (const Vec3d& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
    return (high - low).norm();
}

/// Drops points at the position of an earlier one.
void merge_equal(std::vector<Vec3d>& points, double distance) {
    std::vector<Vec3d> kept;
    for (const Vec3d& p : points) {
        const auto same = [&](const Vec3d& q) { return (p - q).norm() <= distance; };
        if (std::ranges::none_of(kept, same)) kept.push_back(p);
    }
    points = std::move(kept);
}

double to_points(const Vec3d& p, const Shape& shape) {
    double min = std::numeric_limits<double>::max();
    for (const Vec3d& q : shape.points) min = std::min(min, (p - q).squaredNorm());
    return std::sqrt(min);
}

double to_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const double length2 = (b - a).squaredNorm();
    const double t = length2 > 0 ? std::clamp((p - a).dot(b - a) / length2, 0.0, 1.0) : 0;
    return (p - a - t * (b - a)).norm();
}

/// Distance from the nearest bone; a skeleton without bones has only its points.
double to_bones(const Vec3d& p, const Shape& shape) {
    if (shape.bones.empty()) return to_points(p, shape);
    double min = std::numeric_limits<double>::max();
    for (const model::Bone& bone : shape.bones) min = std::min(min, to_segment(p, bone.start, bone.end));
    return min;
}

template <class Distance>
double mean_from_points(const Shape& from, const Shape& to, const Distance& distance) {
    double sum = 0;
    for (const Vec3d& p : from.points) sum += distance(p, to);
    return sum / static_cast<double>(from.points.size());
}

/// Mean over the length of all bones, by the midpoints of short pieces.
double mean_from_bones(const Shape& from, const Shape& to, double spacing) {
    double sum = 0, total = 0;
    for (const model::Bone& bone : from.bones) {
        const double length = (bone.end - bone.start).norm();
        const int count = std::max(1, static_cast<int>(std::ceil(length / spacing)));
        for (int i = 0; i < count; ++i) {
            const Vec3d p = bone.start + (i + 0.5) / count * (bone.end - bone.start);
            sum += length / count * to_bones(p, to);
        }
        total += length;
    }
    return total > 0 ? sum / total : mean_from_points(from, to, to_bones);
}

/// Largest number of one-to-one pairs within a distance (augmenting paths, Kuhn 1955).
class Pairing {
  public:
    Pairing(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b, double distance)
        : a_(a), b_(b), distance_(distance), partner_(b.size(), none) {}

    std::size_t count() {
        std::size_t pairs = 0;
        for (std::size_t i = 0; i < a_.size(); ++i) {
            tried_.assign(b_.size(), false);
            pairs += assign(i) ? 1 : 0;
        }
        return pairs;
    }

  private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    bool assign(std::size_t i) {
        for (std::size_t k = 0; k < b_.size(); ++k) {
            if (tried_[k] || (a_[i] - b_[k]).norm() > distance_) continue;
            tried_[k] = true;
            if (partner_[k] != none && !assign(partner_[k])) continue;
            partner_[k] = i;
            return true;
        }
        return false;
    }

    const std::vector<Vec3d>& a_;
    const std::vector<Vec3d>& b_;
    double distance_;
    std::vector<std::size_t> partner_;
    std::vector<bool> tried_;
};

/// Weights of a vertex by joint name.
using NamedWeights = std::map<std::size_t, double>;

/// Numbers for joint names, the same for both characters.
class NameTable {
  public:
    std::vector<std::size_t> numbers(const model::Character& character) {
        std::vector<std::size_t> result;
        for (const model::SkinJoint& entry : character.skin.joints) {
            const std::string& name = character.skeleton.joints[at(entry.joint)].name;
            result.push_back(table_.try_emplace(to_lower(name), table_.size()).first->second);
        }
        return result;
    }

  private:
    std::unordered_map<std::string, std::size_t> table_;
};

NamedWeights named(const model::Skin& skin, std::size_t vertex, const std::vector<std::size_t>& numbers) {
    NamedWeights weights;
    for (const model::Influence& influence : skin.of(vertex))
        weights[numbers[influence.joint]] += influence.weight;
    return weights;
}

double weight_of(const NamedWeights& weights, std::size_t joint) {
    const auto found = weights.find(joint);
    return found == weights.end() ? 0 : found->second;
}

}  // namespace

SkeletonDifference measure(const Skeleton& reference, const Skeleton& other,
                           const SkeletonMeasureOptions& options) {
    if (reference.empty() || other.empty()) fail("measure", "a skeleton without joints cannot be measured");
    Shape a = shape_of(reference), b = shape_of(other);
    SkeletonDifference result;
    result.diagonal = options.diagonal > 0 ? options.diagonal : diagonal_of(a.points);
    if (!(result.diagonal > 0)) fail("measure", "the reference skeleton has no extent");
    merge_equal(a.points, 1e-6 * result.diagonal);
    merge_equal(b.points, 1e-6 * result.diagonal);
    const double percent = 100 / result.diagonal, spacing = result.diagonal / 400;
    const auto both = [&](double there, double back) { return percent * (there + back) / 2; };
    result.j2j_percent = both(mean_from_points(a, b, to_points), mean_from_points(b, a, to_points));
    result.j2b_percent = both(mean_from_points(a, b, to_bones), mean_from_points(b, a, to_bones));
    result.b2b_percent = both(mean_from_bones(a, b, spacing), mean_from_bones(b, a, spacing));
    const double distance = 0.02 * result.diagonal;
    const auto pairs = static_cast<double>(Pairing(a.points, b.points, distance).count());
    result.precision = pairs / static_cast<double>(b.points.size());
    result.recall = pairs / static_cast<double>(a.points.size());
    return result;
}

WeightDifference measure_weights(const model::Character& reference, const model::Character& other) {
    const std::size_t count = reference.skin.vertex_count();
    if (!reference.has_skin() || !other.has_skin())
        fail("measure", "a character without a skin has no weights");
    if (other.skin.vertex_count() != count) {
        fail("measure", "the reference has {} vertices, the other {}", count, other.skin.vertex_count());
    }
    NameTable names;
    const auto numbers_a = names.numbers(reference), numbers_b = names.numbers(other);
    WeightDifference result;
    result.vertices = count;
    std::size_t in_a = 0, in_b = 0, in_both = 0;
    for (std::size_t v = 0; v < count; ++v) {
        const NamedWeights a = named(reference.skin, v, numbers_a), b = named(other.skin, v, numbers_b);
        double difference = 0;
        for (const auto& [joint, weight] : a) {
            const double partner = weight_of(b, joint);
            difference += std::abs(weight - partner);
            in_a += weight > min_influence;
            in_both += weight > min_influence && partner > min_influence;
        }
        for (const auto& [joint, weight] : b) {
            if (!a.contains(joint)) difference += weight;
            in_b += weight > min_influence;
        }
        result.mean_l1 += difference;
        result.max_l1 = std::max(result.max_l1, difference);
    }
    if (count > 0) result.mean_l1 /= static_cast<double>(count);
    if (in_b > 0) result.precision = static_cast<double>(in_both) / static_cast<double>(in_b);
    if (in_a > 0) result.recall = static_cast<double>(in_both) / static_cast<double>(in_a);
    return result;
}

}  // namespace sinew::rig
