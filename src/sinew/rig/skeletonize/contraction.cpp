#include "sinew/rig/skeletonize/contraction.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/geometry/adjacency.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/skeletonize/collapse.h"

namespace sinew::rig {
namespace {

using geometry::Mesh;

/// Why a mesh cannot be contracted itself, or an empty text.
std::string obstacle(const Mesh& mesh) {
    const geometry::Topology topology = geometry::topology(mesh);
    if (!topology.closed) return "it is not closed";
    if (!topology.manifold) return "it is not manifold";
    if (!topology.oriented) return "its faces do not agree on which side is out";
    if (topology.components > 1) return fmt::format("it has {} shells", topology.components);
    if (topology.degenerate_faces > 0) return "it has faces without area";
    return {};
}

/// The welded surface in a box of diagonal 1 around the origin, so that no constant depends on the unit.
struct UnitFrame {
    Vec3d center = Vec3d::Zero();
    double scale = 1;
};

ContractionMesh surface_in_unit(const Mesh& mesh, const UnitFrame& frame) {
    std::vector<Vec3d> positions;
    positions.reserve(mesh.positions.size());
    for (const auto& p : mesh.positions) positions.push_back((p.cast<double>() - frame.center) * frame.scale);
    std::vector<ContractionMesh::Face> faces;
    for (const auto& t : geometry::welded(mesh.triangles, geometry::weld_map(mesh.positions))) {
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        faces.push_back({static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
    }
    // Inside out: every face is turned.
    if (geometry::signed_volume(mesh.positions, mesh.triangles) < 0) {
        for (auto& face : faces) std::swap(face[1], face[2]);
    }
    return {std::move(positions), std::move(faces)};
}

}  // namespace

ContractionResult contraction_skeleton(const Mesh& mesh, const ContractionOptions& options,
                                       Monitor& monitor) {
    ContractionResult result;
    const BodyField field = body_field(mesh, options.body, monitor);
    const std::string why = options.from_solid ? "asked for" : obstacle(mesh);
    result.from_solid = !why.empty();
    if (result.from_solid && !options.from_solid) {
        warn(monitor, "contracts-solid", "the mesh cannot be contracted itself ({}): its voxel solid is",
             why);
    }
    const geometry::Box box = geometry::bounds(mesh.positions);
    const UnitFrame frame{box.center().cast<double>(), 1 / static_cast<double>(box.diagonal())};
    ContractionMesh surface =
        surface_in_unit(result.from_solid ? geometry::surface_of(field.solid, false) : mesh, frame);
    if (surface.face_count() < 4) fail(mesh.name, "nothing is left to contract");
    remesh_evenly(surface, static_cast<std::size_t>(std::clamp(options.vertices, 100, 100000)));
    result.start_vertices = surface.vertex_count();
    find_poles(surface);
    result.iterations = contract(surface, options.flow, monitor);
    CurveSkeleton raw = collapse_to_curve(surface);
    for (CurveNode& node : raw.nodes) node.position = node.position / frame.scale + frame.center;
    result.raw_nodes = raw.nodes.size();
    result.curve = refine_curve(std::move(raw), field, options.refine);
    const BodyGraph graph(field);
    result.curve.node_of_vertex = assign_to_nodes(result.curve, field, graph, mesh.positions);
    const auto inside =
        std::count_if(result.curve.nodes.begin(), result.curve.nodes.end(),
                      [&](const CurveNode& node) { return field.solid.contains(node.position); });
    result.inside_fraction = static_cast<double>(inside) /
                             static_cast<double>(std::max<std::size_t>(1, result.curve.nodes.size()));
    return result;
}

}  // namespace sinew::rig
