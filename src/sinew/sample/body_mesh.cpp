#include "sinew/sample/bodies/body_mesh.h"

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/sample/bodies/half_mesh.h"

namespace sinew::sample {
namespace {

HalfMesh extract(const ImplicitBody& body, const geometry::Lattice& lattice, bool symmetric = true) {
    const geometry::Mesh raw = geometry::surface_nets(body, lattice);
    HalfMesh half;
    half.positions.resize(raw.positions.size());
    half.triangles = raw.triangles;
    half.row.assign(raw.positions.size(), -1);
    // Crossings in the first layer of cells come in mirrored pairs, so their mean has x = 0 but for rounding.
    for (std::size_t v = 0; v < raw.positions.size(); ++v) {
        half.positions[v] = raw.positions[v].cast<double>();
        if (symmetric && std::abs(half.positions[v].x()) < 1e-6) half.positions[v].x() = 0;
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

geometry::Lattice lattice_of(const CountedMeshOptions& options, double step) {
    geometry::Lattice lattice = geometry::lattice_over(options.box, step);
    if (!options.symmetric) return lattice;
    lattice.origin.x() = -lattice.step.x() / 2;
    lattice.points[0] = static_cast<std::size_t>(options.box.high.x() / lattice.step.x()) + 3;
    return lattice;
}

/// The body with at least twice the wanted triangles, so that there is a choice where they should go.
HalfMesh extract_finely(const ImplicitBody& body, const CountedMeshOptions& options, std::size_t wanted) {
    const HalfMesh coarse = extract(body, lattice_of(options, options.step), options.symmetric);
    const double ratio = 2.0 * static_cast<double>(wanted) / static_cast<double>(coarse.triangles.size());
    if (ratio <= 1) return coarse;
    return extract(body, lattice_of(options, options.step / std::sqrt(1.05 * ratio)), options.symmetric);
}

BodyMesh whole(HalfMesh mesh, const ImplicitBody& body) {
    BodyMesh result;
    result.positions = std::move(mesh.positions);
    result.triangles = std::move(mesh.triangles);
    result.normals.resize(result.positions.size());
    result.twin.resize(result.positions.size());
    parallel_for(result.positions.size(), 256, [&](std::size_t v) {
        result.normals[v] = body.normal(result.positions[v]);
        result.twin[v] = static_cast<std::uint32_t>(v);
    });
    return result;
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
    HalfMesh half = extract(body, options.lattice);
    relax(half, body, options.borders, options.rounds / 2);
    flip_edges(half, 4);
    if (options.size) refine(half, body, options.size, 6);
    for (std::size_t b = 0; b < options.borders.size(); ++b) insert_border(half, body, options.borders, b);
    flip_edges(half, 4);
    relax(half, body, options.borders, options.rounds - options.rounds / 2);
    flip_edges(half, 4);
    if (2 * half.triangles.size() < options.faces) {
        densify(half, body, (options.faces + 1) / 2);
        flip_edges(half, 2);
        relax(half, body, options.borders, 1);
    }
    return mirrored(half, body);
}

BodyMesh mesh_body(const ImplicitBody& body, const CountedMeshOptions& options) {
    const std::size_t faces = options.faces + options.faces % 2,
                      wanted = options.symmetric ? faces / 2 : faces;
    if (faces < options.least)
        fail("faces", "at least {} triangles are needed, not {}", options.least, faces);
    HalfMesh mesh = extract_finely(body, options, wanted);
    relax(mesh, body, {}, 2);
    flip_edges(mesh, 4);
    decimate(mesh, body, sizes_by_curvature(mesh, body, options.size_range), wanted);
    if (mesh.triangles.size() != wanted) fail("faces", "{} triangles are too few for this body", faces);
    for (int round = 0; round < 3; ++round) {
        relax(mesh, body, {}, 1);
        flip_edges(mesh, 2);
    }
    return options.symmetric ? mirrored(mesh, body) : whole(std::move(mesh), body);
}

geometry::Mesh colored_mesh(const std::string& name, const BodyMesh& body,
                            const std::function<math::Vec4f(const Vec3d&)>& color) {
    geometry::Mesh mesh;
    mesh.name = name;
    for (std::size_t v = 0; v < body.positions.size(); ++v) {
        mesh.positions.push_back(body.positions[v].cast<float>());
        mesh.normals.push_back(body.normals[v].cast<float>());
        mesh.colors.push_back(color(body.positions[v]));
    }
    mesh.triangles = body.triangles;
    geometry::Material material;
    material.name = name;
    mesh.materials.push_back(material);
    mesh.parts.push_back({name, 0, static_cast<std::uint32_t>(mesh.triangles.size()), 0});
    return mesh;
}

}  // namespace sinew::sample
