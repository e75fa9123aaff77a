// SPDX-License-Identifier: MIT
#include "sinew/collide/body.h"

#include "sinew/collide/body/posed_body.h"
#include "sinew/collide/query/search_scratch.h"

namespace sinew::collide {

QueryCounts& QueryCounts::operator+=(const QueryCounts& other) {
    sphere_tests += other.sphere_tests;
    refits += other.refits;
    reused += other.reused;
    vertices += other.vertices;
    triangle_tests += other.triangle_tests;
    contacts += other.contacts;
    return *this;
}

QueryScratch::QueryScratch() : buffers_(std::make_unique<SearchScratch>()) {}
QueryScratch::~QueryScratch() = default;
QueryScratch::QueryScratch(QueryScratch&&) noexcept = default;
QueryScratch& QueryScratch::operator=(QueryScratch&&) noexcept = default;

QueryCounts& QueryScratch::counts() {
    return buffers_->refit.counts;
}

Body::Body(const SphereTree& tree, deform::Method method)
    : tree_(tree), posed_(std::make_unique<PosedBody>(tree_.data(), nullptr, method)) {}

Body::Body(const SphereTree& tree, const MorphBounds& morphs, deform::Method method)
    : tree_(tree),
      morphs_(morphs),
      posed_(std::make_unique<PosedBody>(tree_.data(), morphs.empty() ? nullptr : &morphs_.data(), method)) {}

Body::~Body() = default;
Body::Body(Body&&) noexcept = default;
Body& Body::operator=(Body&&) noexcept = default;

void Body::set_pose(std::span<const deform::Mat34f> palette, const Displacements& displacements) {
    posed_->set_pose(palette, displacements);
}

void Body::set_rigid_pose(const deform::Mat34f& matrix) {
    posed_->set_rigid_pose(matrix);
}

void Body::set_morph_weights(std::span<const float> weights) {
    posed_->set_morph_weights(weights);
}

void Body::reuse_spheres(bool reuse) {
    posed_->reuse_spheres(reuse);
}

deform::Method Body::method() const {
    return posed_->method();
}

Sphere Body::sphere(std::uint32_t node, QueryScratch& scratch) {
    return posed_->sphere(node, scratch.buffers().refit).widen();
}

bool Body::refitted(std::uint32_t node) const {
    return posed_->refitted(node);
}

Vec3f Body::vertex(std::uint32_t vertex, QueryScratch& scratch) {
    return posed_->vertex(vertex, scratch.buffers().refit);
}

Corners Body::corners(std::uint32_t triangle, QueryScratch& scratch) {
    return posed_->corners(triangle, scratch.buffers().refit);
}

void Body::refit_bottom_up(QueryScratch& scratch, std::span<const Vec3f> vertices) {
    posed_->refit_bottom_up(scratch.buffers().refit, vertices);
}

std::size_t Body::memory() const {
    return sizeof(*this) + posed_->bytes();
}

std::vector<Corners> posed_triangles(Body& body) {
    const TreeData& tree = body.tree().data();
    RefitScratch scratch;
    std::vector<Corners> triangles(tree.mesh_triangles);
    for (std::uint32_t t = 0; t < tree.triangles.size(); ++t)
        triangles[tree.triangle_ids[t]] = body.posed().corners(t, scratch);
    return triangles;
}

std::vector<PosedSphere> spheres_of_level(Body& body, int level) {
    const TreeData& tree = body.tree().data();
    // The refitted spheres must be recorded before this function requests any.
    std::vector<bool> refitted;
    for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) refitted.push_back(body.refitted(n));
    RefitScratch scratch;
    std::vector<PosedSphere> spheres;
    for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
        const Node& node = tree.nodes[n];
        if (node.level != level && !(node.leaf() && node.level < level)) continue;
        const Sphere sphere = body.posed().sphere(n, scratch).widen();
        if (sphere.bounded()) spheres.push_back({sphere, refitted[n]});
    }
    return spheres;
}

}  // namespace sinew::collide
