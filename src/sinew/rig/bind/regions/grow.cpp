// SPDX-License-Identifier: MIT
#include "sinew/rig/bind/regions/grow.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/array.h"
#include "sinew/rig/bind/regions/region_joints.h"

namespace sinew::rig {
namespace {

/// A boundary with a smaller overlap is rejected: the difference is then more than a quarter of the common
/// area.
constexpr double min_agreement = 0.8;

class Grower {
  public:
    Grower(const RegionSurface& surface, const RegionJoints& joints, std::span<const JointCut> cuts)
        : surface_(surface),
          region_joints_(joints),
          cuts_(cuts),
          descent_(joints),
          bones_(bones_of_regions(joints)),
          nearest_(nearest_bones(surface, bones_)),
          areas_(vertex_areas(surface)),
          blocked_(surface.edges.edges.size(), 0),
          mark_(surface.positions.size(), 0) {
        has_skin_.assign(joints.joints.size(), 0);
        out_.joint_of.assign(surface.positions.size(), -1);
        out_.parent.assign(joints.joints.size(), -1);
        out_.kind.assign(joints.joints.size(), BoundaryKind::none);
    }

    void start_body();
    void label_other_shells();
    bool take(int joint, BoundaryKind kind);
    void part_strangers();
    Regions finish() { return std::move(out_); }

  private:
    int owner(int joint) const;
    /// What a joint may take: the skin of the joints above it.
    bool free(std::uint32_t vertex, int joint) const {
        const int region = out_.joint_of[vertex];
        return region >= 0 && region != joint && descent_.covers(region, joint);
    }
    std::vector<std::uint32_t> flood(std::span<const std::uint32_t> seeds, int joint);
    bool beyond_traced(int joint, std::vector<std::uint32_t>& reached);
    bool beyond_loop(int joint, std::vector<std::uint32_t>& reached);
    bool beyond_cut(int joint, std::vector<std::uint32_t>& reached);
    bool nearest_skin(int joint, std::vector<std::uint32_t>& reached);
    double agreement(int joint, std::span<const std::uint32_t> reached) const;
    void note_crossings(int joint, std::span<const std::uint32_t> taken);

    const RegionSurface& surface_;
    const RegionJoints& region_joints_;
    std::span<const JointCut> cuts_;
    Descent descent_;
    std::vector<BoneSegment> bones_;
    NearestBones nearest_;
    std::vector<double> areas_;
    std::vector<std::uint32_t> blocked_;  // equal to stamp_: not to be crossed
    std::vector<std::uint32_t> mark_;     // equal to stamp_: reached
    std::uint32_t stamp_ = 0;
    std::uint32_t body_ = 0;  // shell
    std::vector<char> has_skin_;
    Regions out_;
};

/// The shell with the largest area is the body, which first belongs to the root.
void Grower::start_body() {
    std::vector<double> area(surface_.shells, 0);
    for (std::size_t v = 0; v < areas_.size(); ++v)
        if (const std::uint32_t s = surface_.shell_of[v]; s != RegionSurface::none) area[s] += areas_[v];
    body_ = static_cast<std::uint32_t>(std::max_element(area.begin(), area.end()) - area.begin());
    for (std::size_t v = 0; v < areas_.size(); ++v)
        if (surface_.shell_of[v] == body_) out_.joint_of[v] = region_joints_.root;
    has_skin_[at(region_joints_.root)] = 1;
}

/// Shells that do not lie on the body are separate parts (the limbs of a robot): they are assigned to the
/// nearest bones, as a whole where one bone is nearest to most of the shell.
void Grower::label_other_shells() {
    std::vector<std::map<int, double>> votes(surface_.shells);
    const std::vector<char> lies_on = shells_on(surface_, body_, areas_);
    for (std::size_t v = 0; v < areas_.size(); ++v)
        if (const std::uint32_t s = surface_.shell_of[v];
            s != RegionSurface::none && s != body_ && lies_on[s] == 0)
            votes[s][nearest_.joint[v]] += areas_[v];
    std::vector<int> whole(surface_.shells, -1);
    for (std::size_t s = 0; s < votes.size(); ++s) {
        double all = 0;
        for (const auto& [joint, area] : votes[s]) all += area;
        for (const auto& [joint, area] : votes[s])
            if (area > 0.6 * all) whole[s] = joint;
    }
    for (std::size_t v = 0; v < areas_.size(); ++v) {
        const std::uint32_t s = surface_.shell_of[v];
        if (s == RegionSurface::none || votes[s].empty()) continue;
        out_.joint_of[v] = whole[s] >= 0 ? whole[s] : nearest_.joint[v];
        has_skin_[at(out_.joint_of[v])] = 1;
    }
    for (const int j : region_joints_.order)
        if (has_skin_[at(j)] != 0) out_.parent[at(j)] = owner(j);
}

/// The nearest joint above that has skin.
int Grower::owner(int joint) const {
    int above = region_joints_.joints[at(joint)].parent;
    while (above >= 0 && has_skin_[at(above)] == 0) above = region_joints_.joints[at(above)].parent;
    return above;
}

std::vector<std::uint32_t> Grower::flood(std::span<const std::uint32_t> seeds, int joint) {
    std::vector<std::uint32_t> reached;
    for (const std::uint32_t v : seeds) {
        if (mark_[v] == stamp_ || !free(v, joint)) continue;
        mark_[v] = stamp_;
        reached.push_back(v);
    }
    for (std::size_t next = 0; next < reached.size(); ++next) {
        const std::uint32_t v = reached[next];
        for (const std::uint32_t e : surface_.vertex_edges[v]) {
            const std::uint32_t w = surface_.other_end(e, v);
            if (blocked_[e] == stamp_ || mark_[w] == stamp_ || !free(w, joint)) continue;
            mark_[w] = stamp_;
            reached.push_back(w);
        }
    }
    return reached;
}

/// False when the far side is connected with the near one around the curve.
bool Grower::beyond_traced(int joint, std::vector<std::uint32_t>& reached) {
    ++stamp_;
    std::vector<std::uint32_t> seeds;
    for (const CrossedEdge& edge : cuts_[at(joint)].crossed) {
        blocked_[edge.edge] = stamp_;
        seeds.push_back(edge.beyond);
    }
    reached = flood(seeds, joint);
    return std::none_of(cuts_[at(joint)].crossed.begin(), cuts_[at(joint)].crossed.end(),
                        [&](const CrossedEdge& edge) { return mark_[edge.behind] == stamp_; });
}

/// The vertices of the loop are a barrier; the sides that it separates are identified by the side of most
/// vertices beside it.
bool Grower::beyond_loop(int joint, std::vector<std::uint32_t>& reached) {
    const JointCut& cut = cuts_[at(joint)];
    const auto wall = shortest_loop(surface_, cut.triangles);
    if (wall.empty()) return false;
    ++stamp_;
    std::vector<std::uint32_t> beside;
    for (const std::uint32_t v : wall) {
        mark_[v] = stamp_;
        for (const std::uint32_t e : surface_.vertex_edges[v]) beside.push_back(surface_.other_end(e, v));
    }
    std::sort(beside.begin(), beside.end());
    beside.erase(std::unique(beside.begin(), beside.end()), beside.end());
    reached.clear();
    int sides = 0;
    const std::vector<std::uint32_t> around = beside;
    for (const std::uint32_t seed : around) {
        if (mark_[seed] == stamp_) continue;
        const auto piece = flood(std::span(&seed, 1), joint);
        int votes = 0;
        for (const std::uint32_t v : piece)
            if (std::binary_search(around.begin(), around.end(), v))
                votes += cut.surface->beyond(surface_.positions[v]) ? 1 : -1;
        sides |= votes > 0 ? 1 : piece.empty() ? 0 : 2;
        if (votes > 0) reached.insert(reached.end(), piece.begin(), piece.end());
    }
    for (const std::uint32_t v : wall)
        if (free(v, joint)) reached.push_back(v);
    return sides == 3;
}

/// Every edge of the region that the cut crosses is blocked; the part connected with the side of the dividing
/// points is taken.
bool Grower::beyond_cut(int joint, std::vector<std::uint32_t>& reached) {
    const JointCut& cut = cuts_[at(joint)];
    ++stamp_;
    std::vector<std::uint32_t> seeds;
    for (const CrossedEdge& edge : cut.crossed) seeds.push_back(edge.beyond);
    std::vector<std::uint32_t> front;
    for (const std::uint32_t v : seeds)
        if (mark_[v] != stamp_ && free(v, joint)) {
            mark_[v] = stamp_;
            front.push_back(v);
        }
    for (std::size_t next = 0; next < front.size(); ++next)
        for (const std::uint32_t e : surface_.vertex_edges[front[next]]) {
            const std::uint32_t w = surface_.other_end(e, front[next]);
            if (mark_[w] == stamp_ || !free(w, joint)) continue;
            if (!cut.surface->beyond(surface_.positions[w])) continue;
            mark_[w] = stamp_;
            front.push_back(w);
        }
    reached = std::move(front);
    return !reached.empty();
}

/// The largest connected piece of the skin that is nearest to the bones of the joint and its descendants.
bool Grower::nearest_skin(int joint, std::vector<std::uint32_t>& reached) {
    ++stamp_;
    reached.clear();
    double max = 0;
    const auto lives_here = [&](std::uint32_t v) {
        return mark_[v] != stamp_ && free(v, joint) && descent_.covers(joint, nearest_.joint[v]);
    };
    for (std::uint32_t seed = 0; seed < nearest_.joint.size(); ++seed) {
        if (!lives_here(seed)) continue;
        std::vector<std::uint32_t> piece{seed};
        mark_[seed] = stamp_;
        double area = 0;
        for (std::size_t next = 0; next < piece.size(); ++next) {
            area += areas_[piece[next]];
            for (const std::uint32_t e : surface_.vertex_edges[piece[next]]) {
                const std::uint32_t w = surface_.other_end(e, piece[next]);
                if (!lives_here(w)) continue;
                mark_[w] = stamp_;
                piece.push_back(w);
            }
        }
        if (area <= max) continue;
        max = area;
        reached = std::move(piece);
    }
    return !reached.empty();
}

/// Overlap of the taken skin and the skin nearest to the bones beyond the joint: area of the intersection
/// over area of the union. Skin that is nearest to the joint itself is ignored, because it belongs to neither
/// side.
double Grower::agreement(int joint, std::span<const std::uint32_t> reached) const {
    double both = 0, either = 0;
    for (const std::uint32_t v : reached) {
        if (nearest_.contested[v] != 0) continue;
        either += areas_[v];
        if (descent_.covers(joint, nearest_.joint[v])) both += areas_[v];
    }
    for (std::uint32_t v = 0; v < areas_.size(); ++v)
        if (nearest_.contested[v] == 0 && free(v, joint) && descent_.covers(joint, nearest_.joint[v]))
            either += areas_[v];
    either -= both;
    return either > 0 ? both / either : 0;
}

/// Where the bones beyond the joint and all others are at the same distance.
void Grower::note_crossings(int joint, std::span<const std::uint32_t> taken) {
    const auto lead = [&](std::uint32_t v) {
        double inner = INFINITY, outer = INFINITY;
        for (const BoneSegment& bone : bones_) {
            double& min = descent_.covers(joint, bone.joint) ? inner : outer;
            min = std::min(min, distance(bone, surface_.positions[v]));
        }
        return outer - inner;
    };
    for (const std::uint32_t v : taken)
        for (const std::uint32_t e : surface_.vertex_edges[v]) {
            const geometry::Edge& edge = surface_.edges.edges[e];
            if (out_.joint_of[edge.a] == out_.joint_of[edge.b]) continue;
            const double a = lead(edge.a), b = lead(edge.b);
            if ((a > 0) != (b > 0)) out_.crossings[e] = std::clamp(a / (a - b), 1e-6, 1 - 1e-6);
        }
}

bool Grower::take(int joint, BoundaryKind kind) {
    const int from = owner(joint);
    if (from < 0) return false;
    std::vector<std::uint32_t> reached;
    const bool parted = kind == BoundaryKind::geodesic    ? beyond_loop(joint, reached)
                        : kind == BoundaryKind::whole_cut ? beyond_cut(joint, reached)
                        : kind == BoundaryKind::nearest   ? nearest_skin(joint, reached)
                                                          : beyond_traced(joint, reached);
    if (!parted || reached.empty()) return false;
    if (kind != BoundaryKind::nearest && agreement(joint, reached) < min_agreement) return false;
    for (const std::uint32_t v : reached) out_.joint_of[v] = joint;
    out_.parent[at(joint)] = from;
    out_.kind[at(joint)] = kind;
    has_skin_[at(joint)] = 1;
    if (kind == BoundaryKind::nearest) note_crossings(joint, reached);
    return true;
}

/// Where regions that are not parent and child touch, the deeper one cedes vertices to its parent.
void Grower::part_strangers() {
    std::vector<int> depth(region_joints_.joints.size(), 0);
    for (const int j : region_joints_.order)
        if (out_.parent[at(j)] >= 0) depth[at(j)] = depth[at(out_.parent[at(j)])] + 1;
    std::vector<std::uint32_t> back;
    do {
        back.clear();
        for (const geometry::Edge& edge : surface_.edges.edges) {
            const int a = out_.joint_of[edge.a], b = out_.joint_of[edge.b];
            if (a == b || a < 0 || b < 0) continue;
            if (out_.parent[at(a)] == b || out_.parent[at(b)] == a) continue;
            if (depth[at(a)] >= depth[at(b)] && out_.parent[at(a)] >= 0) back.push_back(edge.a);
            if (depth[at(b)] >= depth[at(a)] && out_.parent[at(b)] >= 0) back.push_back(edge.b);
        }
        std::sort(back.begin(), back.end());
        back.erase(std::unique(back.begin(), back.end()), back.end());
        for (const std::uint32_t v : back) out_.joint_of[v] = out_.parent[at(out_.joint_of[v])];
    } while (!back.empty());
}

}  // namespace

Regions grow_regions(const RegionSurface& surface, const RegionJoints& joints, std::span<const JointCut> cuts,
                     std::span<const std::string> names, Monitor& monitor) {
    Grower grower(surface, joints, cuts);
    grower.start_body();
    std::string second_best, none;
    const auto add = [&](std::string& list, int j) { list += (list.empty() ? "" : ", ") + names[at(j)]; };
    for (const int j : joints.order) {
        if (j == joints.root || grower.take(j, BoundaryKind::non_planar)) continue;
        const bool done = grower.take(j, BoundaryKind::geodesic) || grower.take(j, BoundaryKind::whole_cut) ||
                          grower.take(j, BoundaryKind::nearest);
        add(done ? second_best : none, j);
    }
    grower.label_other_shells();
    grower.part_strangers();
    if (!second_best.empty())
        warn(monitor, "boundary-fallback", "the boundary leaks; another one is used: {}", second_best);
    if (!none.empty())
        warn(monitor, "joint-without-skin", "no boundary was found, so the skin belongs to the parent: {}",
             none);
    return grower.finish();
}

}  // namespace sinew::rig
