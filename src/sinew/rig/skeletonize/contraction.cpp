#include "sinew/rig/skeletonize/contraction.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/skeleton_quality.h"
#include "sinew/rig/skeletonize/collapse.h"
#include "sinew/rig/skeletonize/curve_growth.h"
#include "sinew/rig/skeletonize/curve_pieces.h"
#include "sinew/rig/skeletonize/unit_frame.h"

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

/// The welded surface, the right way out.
ContractionMesh contractible(const Mesh& mesh) {
    std::vector<Vec3d> positions;
    positions.reserve(mesh.positions.size());
    for (const auto& p : mesh.positions) positions.emplace_back(p.cast<double>());
    std::vector<ContractionMesh::Face> faces;
    for (const auto& t : geometry::welded(mesh.triangles, geometry::weld_map(mesh.positions))) {
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        faces.push_back({static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
    }
    if (geometry::signed_volume(mesh.positions, mesh.triangles) < 0) {
        for (auto& face : faces) std::swap(face[1], face[2]);
    }
    return {std::move(positions), std::move(faces)};
}

CurveSkeleton contracted(ContractionMesh surface, const ContractionOptions& options, int& iterations,
                         Monitor& monitor) {
    find_poles(surface);
    iterations = contract(surface, options.flow, monitor);
    return collapse_to_curve(surface);
}

CurveSkeleton contracted_au(ContractionMesh surface, const ContractionOptions& options, int& iterations,
                            Monitor& monitor) {
    const ContractionMesh original = surface;
    iterations = contract_au(surface, options.au, monitor);
    std::vector<int> node_of;
    CurveSkeleton curve = collapse_by_shape(surface, node_of);
    recentre(curve, node_of, surface, original);
    return curve;
}

/// Shrinking loses short limbs and makes branches that end nowhere: the tips of the body say which stay.
CurveSkeleton limbs_of(const CurveSkeleton& raw, const BodyField& field, const BodyGraph& graph,
                       const ContractionOptions& options) {
    // Shrinking makes limbs shorter: their length says less than the tips that they serve.
    RefineOptions rough = options.refine;
    rough.spur = std::min(rough.spur, 1.0);
    rough.rounds = std::min(rough.rounds, 2);
    const std::vector<BodyTip> tips = limb_tips(field, graph, options.limbs);
    CurveSkeleton curve = refine_curve(raw, field, rough);
    std::vector<int> node_of_tip = nodes_of_tips(curve, field, graph, tips);
    curve = without_idle(curve, node_of_tip);
    // Every branch ends at a limb by now.
    RefineOptions lenient = options.refine;
    lenient.spur = std::min(lenient.spur, 0.75);
    lenient.trim = 0;
    curve = refine_curve(with_all_tips(curve, graph, tips, node_of_tip, options.centring), field, lenient);
    const std::vector<BodyTip> side = side_tips(curve, tips, field, graph, options.limbs);
    if (side.empty()) return curve;
    return refine_curve(with_side_tips(curve, graph, side, options.centring), field, lenient);
}

}  // namespace

ContractionResult contraction_skeleton(const Mesh& mesh, const ContractionOptions& options,
                                       Monitor& monitor) {
    ContractionResult result;
    const UnitFrame frame = unit_frame(mesh);
    const Mesh body = in_unit(mesh, frame);
    const BodyField field = body_field(body, options.body, monitor);
    const std::string why = options.from_solid ? std::string() : obstacle(mesh);
    result.from_solid = options.from_solid || !why.empty();
    if (!why.empty()) {
        warn(monitor, "contracts-solid", "the mesh cannot be contracted itself ({}): its voxel solid is",
             why);
    }
    ContractionMesh surface =
        contractible(result.from_solid ? geometry::surface_of(field.solid, false) : body);
    if (surface.face_count() < 4) fail(mesh.name, "nothing is left to contract");
    remesh_evenly(surface, static_cast<std::size_t>(std::clamp(options.vertices, 100, 100000)));
    result.start_vertices = surface.vertex_count();
    const bool au = options.scheme == ContractionScheme::au;
    const CurveSkeleton raw = au ? contracted_au(std::move(surface), options, result.iterations, monitor)
                                 : contracted(std::move(surface), options, result.iterations, monitor);
    result.raw_nodes = raw.nodes.size();
    const BodyGraph graph(field);
    result.curve = au ? refine_curve(raw, field, options.refine) : limbs_of(raw, field, graph, options);
    finish_curve(result.curve, body, field, graph, monitor);
    result.inside_fraction = inside_fraction(result.curve, field.solid);
    to_world(result.curve, frame);
    return result;
}

}  // namespace sinew::rig
