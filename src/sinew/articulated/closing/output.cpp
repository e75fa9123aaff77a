// SPDX-License-Identifier: MIT
#include "sinew/articulated/closing/output.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "sinew/base/parallel.h"

namespace sinew::articulated {

using geometry::Mesh;
using geometry::Rows;
using geometry::Triangle;
using math::Vec3f;

namespace {

Rows rows_of(const std::vector<std::vector<std::uint32_t>>& lists) {
    Rows rows;
    for (const auto& list : lists) {
        rows.items.insert(rows.items.end(), list.begin(), list.end());
        rows.offsets.push_back(static_cast<std::uint32_t>(rows.items.size()));
    }
    return rows;
}

/// The vertex of a mesh attribute, appended for a split or new vertex.
template <class Value>
void append_copies(std::vector<Value>& values, const std::vector<std::uint32_t>& source, std::size_t first) {
    if (values.empty()) return;
    for (std::size_t i = first; i < source.size(); ++i) values.push_back(values[source[i]]);
}

template <class Value>
void append_between(std::vector<Value>& values, std::uint32_t a, std::uint32_t b, double t) {
    if (values.empty()) return;
    const Value value = static_cast<float>(1 - t) * values[a] + static_cast<float>(t) * values[b];
    values.push_back(value);
}

/// The first output vertex of a point on either loop.
std::uint32_t loop_vertex(const SplitVertices& split, const GapPatch& patch, std::size_t slot) {
    const std::size_t parents = patch.strip.parent_count;
    const int side = slot < parents ? 0 : 1;
    const std::uint32_t point = patch.cut.sides[side].loop[side == 0 ? slot : slot - parents];
    return split.sides[2 * patch.gap + static_cast<std::size_t>(side)][point].front();
}

/// Material of a triangle of the rest mesh.
int material_at(const Mesh& mesh, std::uint32_t triangle) {
    for (const geometry::Part& part : mesh.parts)
        if (triangle >= part.first && triangle < part.first + part.count) return part.material;
    return -1;
}

void add_new_vertices(const SplitVertices& split, const math::Rigidd& world, const GapPatch& patch,
                      Mesh& mesh) {
    const StripPatch& strip = patch.strip;
    const auto append = [&](std::size_t point, std::uint32_t a, std::uint32_t b, double t) {
        mesh.positions.push_back(Vec3d(world * strip.points[point]).cast<float>());
        mesh.normals.push_back(Vec3f::UnitZ());
        append_between(mesh.uvs[0], a, b, t);
        append_between(mesh.uvs[1], a, b, t);
        append_between(mesh.colors, a, b, t);
        if (!mesh.tangents.empty()) mesh.tangents.push_back(mesh.tangents[a]);
    };
    for (std::size_t r = 0; r < patch.ribs.ribs.size(); ++r) {
        const Rib& rib = patch.ribs.ribs[r];
        const std::uint32_t a = loop_vertex(split, patch, rib.from % strip.parent_count);
        const std::uint32_t b = loop_vertex(split, patch, strip.parent_count + rib.to % strip.child_count);
        const std::size_t count = strip.first_new[r + 1] - strip.first_new[r];
        for (std::size_t i = 0; i < count; ++i)
            append(strip.first_new[r] + i, a, b, static_cast<double>(i + 1) / static_cast<double>(count + 1));
    }
    const std::uint32_t any = loop_vertex(split, patch, 0);
    for (std::size_t p = strip.first_new.back(); p < strip.points.size(); ++p) append(p, any, any, 0);
}

void add_kept_triangles(const PartBody& body, const SplitVertices& split, GapFrame& frame) {
    Mesh& mesh = frame.mesh;
    mesh.triangles.clear();
    mesh.parts = geometry::parts_of(body.mesh);
    for (geometry::Part& part : mesh.parts) {
        const auto first = static_cast<std::uint32_t>(mesh.triangles.size());
        for (std::uint32_t t = part.first; t < part.first + part.count; ++t)
            if (!frame.removed_triangles[t]) mesh.triangles.push_back(split.triangles[t]);
        part.first = first;
        part.count = static_cast<std::uint32_t>(mesh.triangles.size()) - first;
    }
}

}  // namespace

SplitVertices split_vertices(const PartBody& body, const std::vector<Gap>& gaps) {
    SplitVertices split;
    const std::size_t count = body.mesh.vertex_count();
    for (std::uint32_t v = 0; v < count; ++v) split.source.push_back(v);
    split.part.assign(count, -1);
    std::map<std::pair<std::uint32_t, int>, std::uint32_t> copies;
    split.triangles = body.mesh.triangles;
    for (std::size_t t = 0; t < split.triangles.size(); ++t) {
        const int part = body.cut.part_of[t];
        for (std::uint32_t& corner : split.triangles[t]) {
            if (split.part[corner] < 0) split.part[corner] = part;
            if (split.part[corner] == part) continue;
            const auto [at, fresh] =
                copies.try_emplace({corner, part}, static_cast<std::uint32_t>(split.source.size()));
            if (fresh) {
                split.source.push_back(corner);
                split.part.push_back(part);
            }
            corner = at->second;
        }
    }
    std::map<std::pair<std::uint32_t, int>, std::vector<std::uint32_t>> of_point;
    for (std::uint32_t v = 0; v < split.source.size(); ++v)
        of_point[{body.cut.point_of[split.source[v]], split.part[v]}].push_back(v);
    for (const Gap& gap : gaps) {
        for (const GapSide& side : gap.sides) {
            std::vector<std::vector<std::uint32_t>> lists;
            for (const std::uint32_t point : side.points) lists.push_back(of_point[{point, side.part}]);
            split.sides.push_back(rows_of(lists));
        }
    }
    split.triangles_of = geometry::vertex_triangles(body.cut.points.size(), body.cut.triangles);
    return split;
}

void move_parts(const PartBody& body, const SplitVertices& split, const std::vector<Vec3f>& rest_normals,
                std::span<const math::Rigidd> world, Mesh& mesh) {
    const std::size_t count = split.source.size();
    append_copies(mesh.uvs[0], split.source, mesh.uvs[0].size());
    append_copies(mesh.uvs[1], split.source, mesh.uvs[1].size());
    append_copies(mesh.colors, split.source, mesh.colors.size());
    append_copies(mesh.tangents, split.source, mesh.tangents.size());
    mesh.positions.resize(count);
    mesh.normals.resize(count);
    std::vector<math::Mat3d> rotations;
    for (const math::Rigidd& w : world) rotations.push_back(math::to_matrix(w.rotation));
    parallel_for(count, 4096, [&](std::size_t v) {
        const auto part = static_cast<std::size_t>(std::max(split.part[v], 0));
        const std::uint32_t from = split.source[v];
        mesh.positions[v] =
            Vec3d(rotations[part] * body.mesh.positions[from].cast<double>() + world[part].translation)
                .cast<float>();
        mesh.normals[v] = Vec3d(rotations[part] * rest_normals[from].cast<double>()).cast<float>();
        if (!mesh.tangents.empty())
            mesh.tangents[v].head<3>() =
                Vec3d(rotations[part] * body.mesh.tangents[from].head<3>().cast<double>()).cast<float>();
    });
}

void move_whole(const PartBody& body, const std::vector<Gap>& gaps, const SplitVertices& split,
                std::span<const math::Rigidd> world, Mesh& mesh) {
    const auto still = [](const math::Rigidd& w) {
        return w.rotation.vec().isZero(0) &&
               w.translation.isZero(0);  // exactly zero, so that even the sign of a zero is kept
    };
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        const math::Rigidd& w = world[static_cast<std::size_t>(std::max(split.part[v], 0))];
        if (still(w)) continue;
        mesh.positions[v] = Vec3d(w * body.mesh.positions[v].cast<double>()).cast<float>();
        if (!mesh.normals.empty())
            mesh.normals[v] = Vec3d(w.rotation * body.mesh.normals[v].cast<double>()).cast<float>();
        if (!mesh.tangents.empty())
            mesh.tangents[v].head<3>() =
                Vec3d(w.rotation * body.mesh.tangents[v].head<3>().cast<double>()).cast<float>();
    }
    // Parts may differ by less than the motion threshold: copies on seams must still coincide.
    if (std::ranges::all_of(world, still)) return;
    for (std::size_t g = 0; g < gaps.size(); ++g) {
        for (std::size_t i = 0; i < gaps[g].loop_size; ++i) {
            const std::uint32_t from = split.source[split.sides[2 * g][i].front()];
            for (const std::uint32_t v : split.sides[2 * g + 1][i])
                mesh.positions[split.source[v]] = mesh.positions[from];
        }
    }
}

void join_seams(const std::vector<Gap>& gaps, const SplitVertices& split, std::span<const math::Rigidd> world,
                GapFrame& frame) {
    const auto set = [&](const Rows& rows, std::size_t point, const Vec3f& position) {
        for (const std::uint32_t v : rows[point]) frame.mesh.positions[v] = position;
    };
    for (const GapPatch& patch : frame.patches) {
        const Gap& gap = gaps[patch.gap];
        const Rows& parent = split.sides[2 * patch.gap];
        const Rows& child = split.sides[2 * patch.gap + 1];
        if (!patch.moved) {
            for (std::size_t i = 0; i < gap.loop_size; ++i)
                set(child, i, frame.mesh.positions[parent[i].front()]);
            continue;
        }
        for (const Rib& rib : patch.ribs.ribs) {
            if (!rib.welded) continue;
            const math::Rigidd& w = world[static_cast<std::size_t>(gap.parent)];
            const Vec3f position =
                Vec3d(w * patch.strip.points[rib.from % patch.strip.parent_count]).cast<float>();
            set(parent, rib.seam, position);
            set(child, rib.seam, position);
        }
    }
}

void add_patches(const PartBody& body, const std::vector<Gap>& gaps, const SplitVertices& split,
                 std::span<const math::Rigidd> world, GapFrame& frame) {
    add_kept_triangles(body, split, frame);
    for (const GapPatch& patch : frame.patches) {
        if (!patch.moved) continue;
        const Gap& gap = gaps[patch.gap];
        const auto first = static_cast<std::uint32_t>(frame.mesh.positions.size());
        add_new_vertices(split, world[static_cast<std::size_t>(gap.parent)], patch, frame.mesh);
        const auto vertex = [&](std::uint32_t p) {
            const std::size_t loops = patch.strip.loop_points();
            return p < loops ? loop_vertex(split, patch, p) : first + p - static_cast<std::uint32_t>(loops);
        };
        geometry::Part part;
        part.name = "gap " + body.cut.names[static_cast<std::size_t>(gap.child)];
        part.first = static_cast<std::uint32_t>(frame.mesh.triangles.size());
        part.material = material_at(body.mesh, gap.sides[1].triangle_ids.front());
        for (const Triangle& t : patch.strip.triangles)
            frame.mesh.triangles.push_back({vertex(t[0]), vertex(t[1]), vertex(t[2])});
        part.count = static_cast<std::uint32_t>(frame.mesh.triangles.size()) - part.first;
        frame.mesh.parts.push_back(part);
        frame.added_vertices += patch.new_points();
        frame.removed_vertices += patch.removed_points();
        frame.patch_triangles += part.count;
    }
}

namespace {

/// First output vertex of the new points of each moved patch, in their order.
std::vector<std::size_t> first_new_vertices(const SplitVertices& split, const GapFrame& frame) {
    std::vector<std::size_t> first;
    std::size_t at = split.source.size();
    for (const GapPatch& patch : frame.patches) {
        first.push_back(at);
        if (patch.moved) at += patch.new_points();
    }
    return first;
}

Vec3d facet_normal(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d normal = (b - a).cross(c - a);
    return normal.norm() == 0 ? normal : Vec3d(normal.normalized());
}

/// Sums of facet normals at the points of a patch, in the parent's rest frame: of the patch and, at its ends,
/// of the remaining facets of the parts.
std::vector<Vec3d> sum_normals(const PartBody& body, const Gap& gap, const SplitVertices& split,
                               const GapFrame& frame, const GapPatch& patch) {
    const StripPatch& strip = patch.strip;
    std::vector<Vec3d> sums(strip.points.size(), Vec3d::Zero());
    for (const Triangle& t : strip.triangles) {
        const Vec3d normal = facet_normal(strip.points[t[0]], strip.points[t[1]], strip.points[t[2]]);
        for (const std::uint32_t corner : t) sums[corner] += normal;
    }
    const geometry::CutMesh& cut = body.cut;
    for (std::size_t i = 0; i < strip.loop_points(); ++i) {
        const int s = i < strip.parent_count ? 0 : 1;
        const std::uint32_t local = patch.cut.sides[s].loop[s == 0 ? i : i - strip.parent_count];
        const std::uint32_t point = gap.sides[s].points[local];
        Vec3d own = Vec3d::Zero();
        for (const std::uint32_t t : split.triangles_of[point]) {
            if (cut.part_of[t] != gap.sides[s].part || frame.removed_triangles[t]) continue;
            const Triangle& c = split.triangles[t];
            const auto location = [&](std::uint32_t v) {
                return Vec3d(frame.mesh.positions[v].cast<double>());
            };
            own += facet_normal(location(c[0]), location(c[1]), location(c[2]));
        }
        sums[i] += patch.world.rotation.conjugate() * own;
    }
    // Welded points are on both loops and have one normal.
    for (const Rib& rib : patch.ribs.ribs) {
        if (!rib.welded) continue;
        const std::size_t a = rib.from % strip.parent_count,
                          b = strip.parent_count + rib.to % strip.child_count;
        sums[a] += sums[b];
        sums[b] = sums[a];
    }
    return sums;
}

}  // namespace

void patch_normals(const PartBody& body, const std::vector<Gap>& gaps, const SplitVertices& split,
                   const SoftSeams& soft, const GapOptions& options, GapFrame& frame) {
    const std::vector<std::size_t> first = first_new_vertices(split, frame);
    const auto one = [&](std::size_t i) {
        GapPatch& patch = frame.patches[i];
        if (!patch.moved) return;
        const auto start = std::chrono::steady_clock::now();
        const Gap& gap = gaps[patch.gap];
        const std::vector<Vec3d> sums = sum_normals(body, gap, split, frame, patch);
        const math::Quatd& rotation = patch.world.rotation;
        const auto unit = [&](const Vec3d& sum, const geometry::Vec3f& fallback) {
            return sum.norm() > 0 ? geometry::Vec3f(Vec3d(rotation * sum.normalized()).cast<float>())
                                  : fallback;
        };
        for (std::size_t p = 0; p < sums.size(); ++p) {
            if (p >= patch.strip.loop_points()) {
                geometry::Vec3f& normal = frame.mesh.normals[first[i] + p - patch.strip.loop_points()];
                normal = unit(sums[p], normal);
                continue;
            }
            const std::size_t s = p < patch.strip.parent_count ? 0 : 1;
            const std::uint32_t local = patch.cut.sides[s].loop[s == 0 ? p : p - patch.strip.parent_count];
            if (soft.whole(gap.sides[s].points[local])) continue;
            for (const std::uint32_t v : split.sides[2 * patch.gap + s][local])
                frame.mesh.normals[v] = unit(sums[p], frame.mesh.normals[v]);
        }
        patch.seconds.normals =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    if (options.parallel) {
        parallel_for(frame.patches.size(), 1, one);
    } else {
        for (std::size_t i = 0; i < frame.patches.size(); ++i) one(i);
    }
}

}  // namespace sinew::articulated
