#include "sinew/rig/parts/part_body.h"

#include "sinew/base/error.h"
#include "sinew/geometry/cut_mesh.h"

namespace sinew::rig {
namespace {

PartBody given_body(const geometry::Mesh& mesh, const model::Skeleton& hierarchy, Monitor& monitor) {
    PartBody body;
    body.cut = geometry::cut_mesh(mesh);
    PartHierarchy joined = join_hierarchy(body.cut, hierarchy);
    body.tree = geometry::part_tree(body.cut, std::move(joined.parents), monitor);
    body.limits = std::move(joined.limits);
    return body;
}

/// The tree of the mesh's own parts, if it has several that hang together.
std::optional<PartBody> own_body(const geometry::Mesh& mesh, Monitor& monitor) {
    PartBody body;
    body.cut = geometry::cut_mesh(mesh);
    if (body.cut.part_count() < 2) return std::nullopt;
    try {
        body.tree = geometry::part_tree(body.cut, monitor);
        return body;
    } catch (const Error& error) {
        warn(monitor, "parts-automatic", "the mesh is cut automatically, because {}", error.reason());
        return std::nullopt;
    }
}

}  // namespace

PartBody part_body(const geometry::Mesh& mesh, const PartBodyOptions& options, Monitor& monitor) {
    if (mesh.triangles.empty()) fail(mesh.name, "there are no triangles to make parts of");
    if (options.hierarchy != nullptr) {
        PartBody body = given_body(mesh, *options.hierarchy, monitor);
        geometry::check_surface(mesh, body.cut, monitor);
        return body;
    }
    if (auto body = own_body(mesh, monitor)) {
        geometry::check_surface(mesh, body->cut, monitor);
        return *std::move(body);
    }
    PartBody body;
    Segmentation cut = segment(mesh, options.segmentation, monitor);
    body.cut = geometry::cut_mesh(mesh, std::move(cut.part_of), std::move(cut.names));
    body.tree = geometry::part_tree(body.cut, monitor);
    body.automatic = true;
    return body;
}

}  // namespace sinew::rig
