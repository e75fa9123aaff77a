#include "sinew/rig/skeletonize/template_finish.h"

#include <algorithm>

#include "sinew/base/array.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/rig/symmetry.h"

namespace sinew::rig {
namespace {

/// True when most of what a point sees is the outer side of the surface.
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
