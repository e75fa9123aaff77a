#include "sinew/rig/bind/inner_sight.h"

namespace sinew::rig {
namespace {

/// In diagonals of the mesh.
constexpr float clearance = 1e-4f;

std::vector<math::Vec3f> normals_of(const BindInput& input) {
    const geometry::Mesh mesh = mesh_of(input);
    return geometry::vertex_normals(mesh.positions, mesh.triangles);
}

}  // namespace

InnerSight::InnerSight(const BindInput& input)
    : input_(input), surface_(mesh_of(input)), normals_(normals_of(input)) {}

bool InnerSight::reaches(std::size_t point, const BoneSegment& bone) const {
    const Vec3d& place = input_.points[point];
    const Vec3d to = bone.start + nearest_fraction(bone, place) * (bone.end - bone.start);
    const math::Vec3f from = place.cast<float>(), way = (to - place).cast<float>();
    const float length = way.norm();
    if (length <= 2 * clearance) return true;
    if (way.dot(normals_[point]) > 1e-3f * length) return false;
    return surface_.sees(from + way * (clearance / length), from + way * (1 - clearance / length));
}

}  // namespace sinew::rig
