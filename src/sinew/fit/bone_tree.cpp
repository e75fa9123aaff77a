#include "sinew/fit/bone_tree.h"

#include <algorithm>
#include <map>

#include <Eigen/Cholesky>

#include "sinew/base/error.h"
#include "sinew/fit/character.h"
#include "sinew/fit/clips.h"
#include "sinew/math/transform.h"

namespace sinew::fit {

using math::Mat3d;
using math::Mat4d;
using math::Quatd;

namespace {

/// Where two bones meet.
struct Meeting {
    std::size_t a = 0, b = 0;
    double shared = 0;  ///< sum of w_a w_b
    Vec3d place = Vec3d::Zero();
    double gap = 0;
};

/// All pairs with vertices in common, and the weighted middle of those vertices.
std::vector<Meeting> meetings(const FitResult& fit) {
    std::map<std::pair<std::size_t, std::size_t>, Meeting> found;
    for (std::size_t v = 0; v < fit.weights.vertex_count(); ++v) {
        for (const BoneWeight& a : fit.weights.of(v)) {
            for (const BoneWeight& b : fit.weights.of(v)) {
                if (a.bone >= b.bone) continue;
                Meeting& m = found[{a.bone, b.bone}];
                m.a = a.bone;
                m.b = b.bone;
                m.shared += a.weight * b.weight;
                m.place += a.weight * b.weight * fit.rest.positions[v].cast<double>();
            }
        }
    }
    std::vector<Meeting> list;
    for (auto& [key, m] : found) {
        m.place /= m.shared;
        list.push_back(m);
    }
    return list;
}

/// Moves the place to where the two bones agree best; a weak pull keeps it where the motion leaves it open,
/// as along the axis of a hinge.
void settle(const FitResult& fit, Meeting& m) {
    Mat3d square = Mat3d::Zero();
    Vec3d right = Vec3d::Zero();
    for (const BonePose& pose : fit.frames) {
        const Mat34d d = matrix_of(pose, m.a) - matrix_of(pose, m.b);
        square += d.leftCols<3>().transpose() * d.leftCols<3>();
        right -= d.leftCols<3>().transpose() * (d * m.place.homogeneous());
    }
    square.diagonal().array() += 1e-3 * square.trace() + 1e-12;
    m.place += square.ldlt().solve(right);
    double sum = 0;
    for (const BonePose& pose : fit.frames)
        sum += ((matrix_of(pose, m.a) - matrix_of(pose, m.b)) * m.place.homogeneous()).squaredNorm();
    m.gap = std::sqrt(sum / static_cast<double>(fit.frames.size()));
}

std::size_t heaviest(const FitResult& fit) {
    std::vector<double> mass(fit.bone_count(), 0);
    for (std::size_t v = 0; v < fit.weights.vertex_count(); ++v) {
        for (const BoneWeight& w : fit.weights.of(v)) mass[w.bone] += w.weight;
    }
    return static_cast<std::size_t>(std::max_element(mass.begin(), mass.end()) - mass.begin());
}

}  // namespace

BoneTree bone_tree(const FitResult& fit) {
    std::vector<Meeting> edges = meetings(fit);
    for (Meeting& m : edges) settle(fit, m);
    BoneTree tree;
    tree.parents.assign(fit.bone_count(), -1);
    tree.pivots = fit.centers;
    tree.gaps.assign(fit.bone_count(), 0);
    std::vector<bool> inside(fit.bone_count(), false);
    tree.order.push_back(heaviest(fit));
    inside[tree.order[0]] = true;
    // Prim's tree; bones of other shells hang on the root.
    while (tree.order.size() < fit.bone_count()) {
        const Meeting* best = nullptr;
        double least = std::numeric_limits<double>::infinity();
        for (const Meeting& m : edges) {
            const double cost = m.gap / std::sqrt(m.shared);
            if (inside[m.a] == inside[m.b] || cost >= least) continue;
            least = cost;
            best = &m;
        }
        std::size_t next = 0;
        while (inside[next]) ++next;
        if (best != nullptr) {
            next = inside[best->a] ? best->b : best->a;
            tree.pivots[next] = best->place;
            tree.gaps[next] = best->gap;
        }
        tree.parents[next] =
            static_cast<int>(best == nullptr ? tree.order[0] : (inside[best->a] ? best->a : best->b));
        inside[next] = true;
        tree.order.push_back(next);
    }
    return tree;
}

model::Character to_tree_character(const FitResult& fit, const BoneTree& tree, Monitor& monitor) {
    if (!fit.rigid) fail("fit", "a hierarchy needs rigid bones");
    model::Character character = without_joints(fit, tree.pivots, monitor);
    std::vector<int> joint_of(fit.bone_count(), -1);
    for (std::size_t i = 0; i < tree.order.size(); ++i) joint_of[tree.order[i]] = static_cast<int>(i);
    for (const std::size_t bone : tree.order) {
        const int parent = tree.parents[bone];
        model::Joint& joint = character.skeleton.joints.emplace_back();
        joint.name = fmt::format("bone_{}", bone);
        joint.parent = parent < 0 ? -1 : joint_of[static_cast<std::size_t>(parent)];
        joint.rest.translation =
            tree.pivots[bone] - (parent < 0 ? Vec3d::Zero() : tree.pivots[static_cast<std::size_t>(parent)]);
        character.skin.joints[bone].joint = joint_of[bone];
        model::Track& track = character.clips[0].tracks.emplace_back();
        track.joint = joint_of[bone];
        track.rotation.times = track.translation.times =
            model::KeyTimes::even(0, 1 / fit.rate, fit.frames.size());
        // A joint's frame in the world is T_bone after the shift to its pivot; locally it follows its parent.
        const auto world = [&](const BonePose& pose, std::size_t b) {
            Mat4d m = Mat4d::Identity();
            m.topRows<3>() = matrix_of(pose, b);
            m.topRightCorner<3, 1>() = m.topRows<3>() * tree.pivots[b].homogeneous();
            return m;
        };
        for (const BonePose& pose : fit.frames) {
            Mat4d local = world(pose, bone);
            if (parent >= 0) local = world(pose, static_cast<std::size_t>(parent)).inverse() * local;
            math::Quatf q(Quatd(math::nearest_rotation(Mat3d(local.topLeftCorner<3, 3>()))).cast<float>());
            if (!track.rotation.values.empty() && track.rotation.values.back().dot(q) < 0) q.coeffs() *= -1;
            track.rotation.values.push_back(q);
            track.translation.values.push_back(local.topRightCorner<3, 1>().cast<float>());
        }
    }
    cut_clips(fit, character);
    return character;
}

}  // namespace sinew::fit
