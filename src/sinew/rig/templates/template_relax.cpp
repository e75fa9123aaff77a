// SPDX-License-Identifier: MIT
#include "sinew/rig/templates/template_relax.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "sinew/base/array.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/rig/templates/symmetry.h"

namespace sinew::rig {

namespace {

/// Holds points without a target nearby.
constexpr double anchor = 1e-4;

class Relaxer {
  public:
    Relaxer(const TemplatePlan& plan, const TemplateTargets& targets, const Similarity& start,
            double stiffness)
        : plan_(plan), targets_(targets), stiffness_(stiffness) {
        for (const Vec3d& point : plan.points) start_.push_back(start(point));
        result_.points = start_;
        result_.rotation.assign(plan.joint_count(), start.rotation);
    }

    RelaxedTemplate run(int rounds) {
        for (int round = 0; round < rounds; ++round) {
            solve_points();
            solve_rotations();
        }
        return std::move(result_);
    }

  private:
    Vec3d bone(std::size_t p) const { return plan_.points[p] - plan_.points[at(plan_.parent[p])]; }
    Vec3d wanted(std::size_t p) const {
        return targets_.bone_scale[p] * (result_.rotation[at(plan_.parent[p])] * bone(p));
    }

    void solve_points() {
        const std::size_t n = plan_.points.size();
        std::vector<double> diagonal(n);
        std::vector<Vec3d> right(n);
        for (std::size_t p = 0; p < n; ++p) {
            diagonal[p] = targets_.weight[p] + anchor;
            right[p] = targets_.weight[p] * targets_.position[p] + anchor * start_[p];
        }
        for (std::size_t p = 0; p < n; ++p) {
            if (plan_.parent[p] < 0) continue;
            const auto parent = at(plan_.parent[p]);
            const Vec3d pull = stiffness_ * wanted(p);
            diagonal[p] += stiffness_;
            diagonal[parent] += stiffness_;
            right[p] += pull;
            right[parent] -= pull;
        }
        for (std::size_t p = n; p-- > 0;) {
            if (plan_.parent[p] < 0) continue;
            const double factor = stiffness_ / diagonal[p];
            diagonal[at(plan_.parent[p])] -= stiffness_ * factor;
            right[at(plan_.parent[p])] += factor * right[p];
        }
        for (std::size_t p = 0; p < n; ++p) {
            Vec3d sum = right[p];
            if (plan_.parent[p] >= 0) sum += stiffness_ * result_.points[at(plan_.parent[p])];
            result_.points[p] = sum / diagonal[p];
        }
    }

    /// The rotation of a joint rotates its bones; about a single bone it follows its parent.
    void solve_rotations() {
        std::vector<Mat3d> moment(plan_.joint_count(), Mat3d::Zero());
        for (std::size_t p = 0; p < plan_.points.size(); ++p) {
            if (plan_.parent[p] < 0) continue;
            const Vec3d d = bone(p), now = result_.points[p] - result_.points[at(plan_.parent[p])];
            const double size = d.norm() * now.norm();
            if (size > 0) moment[at(plan_.parent[p])] += now * d.transpose() / size;
        }
        for (std::size_t j = 0; j < plan_.joint_count(); ++j) {
            const int parent = plan_.parent[j];
            const Mat3d& around = parent < 0 ? result_.rotation[j] : result_.rotation[at(parent)];
            result_.rotation[j] = math::nearest_rotation(moment[j] + 0.05 * around);
        }
    }

    const TemplatePlan& plan_;
    const TemplateTargets& targets_;
    double stiffness_;
    std::vector<Vec3d> start_;
    RelaxedTemplate result_;
};

}  // namespace

Similarity align(const TemplatePlan& plan, const TemplateTargets& targets) {
    double total = 0;
    Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
        total += targets.weight[p];
        from += targets.weight[p] * plan.points[p];
        to += targets.weight[p] * targets.position[p];
    }
    Similarity result;
    if (!(total > 0)) return result;
    from /= total;
    to /= total;
    Mat3d moment = Mat3d::Zero();
    double spread = 0, target_spread = 0;
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
        const Vec3d a = plan.points[p] - from, b = targets.position[p] - to;
        moment += targets.weight[p] * b * a.transpose();
        spread += targets.weight[p] * a.squaredNorm();
        target_spread += targets.weight[p] * b.squaredNorm();
    }
    result.rotation = math::nearest_rotation(moment);
    const double trace = (result.rotation.transpose() * moment).trace();
    result.scale = spread > 0 && trace > 0 ? trace / spread : 1;
    result.shift = to - result.scale * (result.rotation * from);
    const double miss = target_spread - (spread > 0 ? trace * trace / spread : 0);
    result.residual = target_spread > 0 ? std::sqrt(std::max(miss, 0.0) / target_spread) : 0;
    return result;
}

RelaxedTemplate relax_template(const TemplatePlan& plan, const TemplateTargets& targets,
                               const Similarity& start, double stiffness, int rounds) {
    return Relaxer(plan, targets, start, stiffness).run(rounds);
}

namespace {

/// True when most of the surface visible from a point is its outer side.
bool sees_outside(const geometry::SurfaceQueries& surface, const math::Vec3f& point) {
    int outer = 0, inner = 0;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float sign : {1.0f, -1.0f}) {
            const auto hit = surface.first_hit(point, sign * math::Vec3f::Unit(axis));
            if (!hit)
                ++outer;
            else
                ++(hit->entering ? outer : inner);
        }
    }
    return outer > inner;
}

}  // namespace

std::vector<int> twins_of(const TemplatePlan& plan, const TemplateTargets& targets) {
    std::vector<int> twin(plan.points.size(), -1);
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
        const auto other = at(plan.mirror[p]);
        const bool middle =
            other == p && p < plan.joint_count() && plan.roles[p] && plan.roles[p].side == model::Side::none;
        const bool known = targets.weight[p] > 0 && targets.weight[other] > 0;
        if (known && (other != p || middle)) twin[p] = plan.mirror[p];
    }
    return twin;
}

void make_symmetric(const TemplatePlan& plan, TemplateTargets& targets, double limit) {
    const std::vector<int> twin = twins_of(plan, targets);
    const std::optional<MirrorPlane> plane = mirror_plane(targets.position, twin);
    if (!plane || plane->residual > limit) return;
    const std::vector<Vec3d> before = targets.position;
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
        if (twin[p] >= 0) targets.position[p] = (before[p] + plane->reflect(before[at(twin[p])])) / 2;
    }
}

void mirror_short_cuts(const TemplatePlan& plan, TemplateTargets& targets, const MirrorPlane& plane,
                       double size, double limit) {
    const double far = limit / 100 * size;
    const auto miss = [&](int p) {
        return (targets.position[at(p)] - plane.reflect(targets.position[at(plan.mirror[at(p)])])).norm();
    };
    for (std::size_t l = 0; l < plan.limbs.limbs.size(); ++l) {
        const std::vector<int>& joints = plan.limbs.limbs[l].joints;
        const int end = joints.back();
        if (plan.mirror[at(end)] <= end || targets.weight[at(end)] <= 0 ||
            targets.weight[at(plan.mirror[at(end)])] <= 0 || miss(end) > far)
            continue;
        double here = 0, there = 0, most = 0;
        for (const int joint : joints) {
            here += std::abs(plane.side(targets.position[at(joint)]));
            there += std::abs(plane.side(targets.position[at(plan.mirror[at(joint)])]));
            most = std::max(most, miss(joint));
        }
        if (most <= far) continue;
        for (const int joint : joints) {
            const auto mine = at(joint), other = at(plan.mirror[mine]);
            const std::size_t from = here > there ? mine : other, to = here > there ? other : mine;
            targets.position[to] = plane.reflect(targets.position[from]);
            targets.weight[to] = targets.weight[from];
            targets.bone_scale[to] = targets.bone_scale[from];
        }
    }
}

void settle_middle(const TemplatePlan& plan, TemplateTargets& targets, const MirrorPlane& plane, double size,
                   double limit) {
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
        const double side = plane.side(targets.position[p]);
        if (plan.mirror[p] != static_cast<int>(p) || targets.weight[p] <= 0) continue;
        if (std::abs(side) < limit / 100 * size) targets.position[p] -= side * plane.normal;
    }
}

void end_head(const TemplatePlan& plan, TemplateTargets& targets, const MirrorPlane& plane,
              const BodyField& field, const Similarity& similarity) {
    constexpr double min_length =
        0.25;  // of the length on the curve: with less, the head joint is beside the head
    for (std::size_t j = 0; j < plan.joint_count(); ++j) {
        const int tip = plan.tip_of[j];
        if (plan.roles[j].role != model::Role::head || tip < 0 || targets.weight[at(tip)] <= 0) continue;
        const Vec3d bone = plan.points[at(tip)] - plan.points[j];
        Vec3d along = similarity.rotation * bone;
        along = (along - along.dot(plane.normal) * plane.normal).normalized();
        double inside = 0;
        const double step = field.cell() / 2;
        while (field.depth_at(targets.position[j] + (inside + step) * along) > step) inside += step;
        if (inside < min_length * (targets.position[at(tip)] - targets.position[j]).norm()) continue;
        targets.position[at(tip)] = targets.position[j] + inside * along;
        targets.bone_scale[at(tip)] = inside / bone.norm();
    }
}

void pull_inside(const TemplatePlan& plan, const BodyField& field, std::vector<Vec3d>& points) {
    for (std::size_t p = 0; p < plan.joint_count(); ++p) {
        for (int i = 0; i < 12 && field.depth_at(points[p]) < 0.5 * field.cell(); ++i) {
            const Vec3d slope = field.gradient_at(points[p]);
            if (!(slope.norm() > 1e-9)) break;
            points[p] += slope.normalized() * (0.75 * field.cell() - field.depth_at(points[p]));
        }
    }
}

void pull_into_thin(const TemplatePlan& plan, const geometry::Mesh& mesh, double diagonal,
                    std::vector<Vec3d>& points) {
    const geometry::SurfaceQueries surface(mesh);
    const auto most = static_cast<float>(0.03 * diagonal);
    for (std::size_t p = 0; p < plan.joint_count(); ++p) {
        const math::Vec3f point = points[p].cast<float>();
        if (!sees_outside(surface, point)) continue;
        const auto nearest = surface.nearest(point, most);
        if (!nearest || !(nearest->distance > 0)) continue;
        const math::Vec3f inwards = (nearest->position - point) / nearest->distance;
        const math::Vec3f start = nearest->position + 1e-3f * most * inwards;
        const auto across = surface.first_hit(start, inwards);
        if (!across || across->entering) continue;
        points[p] = (start + std::min(across->distance / 2, most) * inwards).cast<double>();
    }
}

model::Skeleton posed(const TemplatePlan& plan, const RelaxedTemplate& relaxed,
                      const model::Skeleton& source) {
    const std::vector<math::Mat4d> rest = model::rest_world_matrices(source);
    std::vector<Mat3d> frame(source.size());
    model::Skeleton result = source;
    for (std::size_t j = 0; j < source.size(); ++j) {
        frame[j] = relaxed.rotation[j] * math::nearest_rotation(rest[j].topLeftCorner<3, 3>());
        model::Joint& joint = result.joints[j];
        const int parent = joint.parent;
        const Mat3d above = parent < 0 ? Mat3d(Mat3d::Identity()) : frame[at(parent)];
        const Vec3d origin = parent < 0 ? Vec3d(Vec3d::Zero()) : relaxed.points[at(parent)];
        joint.rest.translation = above.transpose() * (relaxed.points[j] - origin);
        joint.rest.rotation = math::Quatd(Mat3d(above.transpose() * frame[j])).normalized();
        joint.rest.scale = Vec3d::Ones();
        if (joint.tip)
            joint.tip = frame[j].transpose() * (relaxed.points[at(plan.tip_of[j])] - relaxed.points[j]);
    }
    return result;
}

}  // namespace sinew::rig
