#include "sinew/sample/body_mesh.h"

#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew::sample {
namespace {

HalfMesh extract(const ImplicitBody& body, const BodyMeshOptions& options) {
    const geometry::Mesh raw = geometry::surface_nets(body, options.lattice);
    HalfMesh half;
    half.positions.resize(raw.positions.size());
    half.triangles = raw.triangles;
    half.row.assign(raw.positions.size(), -1);
    // Crossings in the first layer of cells come in mirrored pairs, so their mean has x = 0 but for rounding.
    for (std::size_t v = 0; v < raw.positions.size(); ++v) {
        half.positions[v] = raw.positions[v].cast<double>();
        if (std::abs(half.positions[v].x()) < 1e-6) half.positions[v].x() = 0;
    }
    return half;
}

/// Order of the vertices of the half: the seam first.
std::vector<std::uint32_t> seam_first(const HalfMesh& half, std::uint32_t& seam_count) {
    std::vector<std::uint32_t> place(half.positions.size());
    std::uint32_t next = 0;
    for (const bool seam : {true, false}) {
        for (std::size_t v = 0; v < place.size(); ++v)
            if (half.on_seam(v) == seam) place[v] = next++;
        if (seam) seam_count = next;
    }
    return place;
}

BodyMesh mirrored(const HalfMesh& half, const ImplicitBody& body) {
    std::uint32_t seam = 0;
    const std::vector<std::uint32_t> place = seam_first(half, seam);
    const std::uint32_t count = static_cast<std::uint32_t>(place.size()), shift = count - seam;
    BodyMesh mesh;
    mesh.positions.resize(count + shift);
    mesh.normals.resize(count + shift);
    mesh.twin.resize(count + shift);
    parallel_for(count, 256, [&](std::size_t v) {
        const std::uint32_t at = place[v], other = at < seam ? at : at + shift;
        Vec3d position = half.positions[v], normal = body.normal(position);
        if (at < seam) normal.x() = 0;
        normal.normalize();
        mesh.positions[at] = position;
        mesh.normals[at] = normal;
        mesh.twin[at] = other;
        if (other == at) return;
        mesh.twin[other] = at;
        mesh.positions[other] = {-position.x(), position.y(), position.z()};
        mesh.normals[other] = {-normal.x(), normal.y(), normal.z()};
    });
    for (const Triangle& t : half.triangles)
        mesh.triangles.push_back({place[t[0]], place[t[1]], place[t[2]]});
    for (std::size_t n = half.triangles.size(), t = 0; t < n; ++t) {
        const auto [a, b, c] = mesh.triangles[t];
        mesh.triangles.push_back({mesh.twin[a], mesh.twin[c], mesh.twin[b]});
    }
    return mesh;
}

}  // namespace

BodyMesh mesh_body(const ImplicitBody& body, const BodyMeshOptions& options) {
    HalfMesh half = extract(body, options);
    relax(half, body, options.borders, options.rounds / 2);
    flip_edges(half, 4);
    if (options.size) refine(half, body, options.size, 6);
    for (std::size_t b = 0; b < options.borders.size(); ++b) insert_border(half, body, options.borders, b);
    flip_edges(half, 4);
    relax(half, body, options.borders, options.rounds - options.rounds / 2);
    flip_edges(half, 4);
    return mirrored(half, body);
}

}  // namespace sinew::sample
