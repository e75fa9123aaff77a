#include "sinew/rig/bind/region_grow.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/rig/bind/bone_segments.h"

namespace sinew::rig {
namespace {

std::size_t index(int j) {
    return static_cast<std::size_t>(j);
}

/// Who is above whom, in constant time: joints numbered so that a subtree is a run.
class Descent {
  public:
    explicit Descent(const Linkage& linkage) : first_(linkage.joints.size(), -1), last_(first_) {
        if (linkage.root >= 0) number(linkage, linkage.root);
    }
    /// True when `above` is `below` or over it.
    bool covers(int above, int below) const {
        return first_[index(above)] <= first_[index(below)] && first_[index(below)] <= last_[index(above)];
    }

  private:
    void number(const Linkage& linkage, int root) {
        std::vector<int> stack{root};
        while (!stack.empty()) {
            const int j = stack.back();
            stack.pop_back();
            first_[index(j)] = next_++;
            last_[index(j)] = first_[index(j)] + linkage.joints[index(j)].subtree - 1;
            for (const int child : linkage.joints[index(j)].children) stack.push_back(child);
        }
    }
    std::vector<int> first_, last_;
    int next_ = 0;
};

std::vector<BoneSegment> linked_bones(const Linkage& linkage) {
    std::vector<BoneSegment> bones;
    for (const int j : linkage.order) {
        const LinkedJoint& joint = linkage.joints[index(j)];
        for (const Vec3d& end : joint.ends) bones.push_back({j, joint.position, end});
        if (joint.ends.empty()) bones.push_back({j, joint.position, joint.position});
    }
    return bones;
}

/// The joint whose bone is nearest to each vertex: not where the boundaries are, but who lives there.
std::vector<int> nearest_bones(const RegionSurface& surface, std::span<const BoneSegment> bones) {
    std::vector<int> nearest(surface.positions.size(), -1);
    parallel_for(nearest.size(), 512, [&](std::size_t v) {
        double least = INFINITY;
        for (const BoneSegment& bone : bones) {
            const double d = distance(bone, surface.positions[v]);
            if (d >= least) continue;
            least = d;
            nearest[v] = bone.joint;
        }
    });
    return nearest;
}

/// A third of the triangles around each vertex.
std::vector<double> vertex_areas(const RegionSurface& surface) {
    std::vector<double> areas(surface.positions.size(), 0);
    for (const geometry::Triangle& t : surface.triangles) {
        const Vec3d a = surface.positions[t[0]];
        const double area = (surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a).norm() / 6;
        for (const std::uint32_t v : t) areas[v] += area;
    }
    return areas;
}

/// Below this a boundary is not believed. Half: what is in common outweighs what is not.
static double least_agreement = getenv("AGREE") ? atof(getenv("AGREE")) : 0.5;

class Grower {
  public:
    Grower(const RegionSurface& surface, const Linkage& linkage, std::span<const JointCut> cuts)
        : surface_(surface),
          linkage_(linkage),
          cuts_(cuts),
          descent_(linkage),
          bones_(linked_bones(linkage)),
          nearest_(nearest_bones(surface, bones_)),
          areas_(vertex_areas(surface)),
          blocked_(surface.edges.edges.size(), 0),
          mark_(surface.positions.size(), 0) {
        has_skin_.assign(linkage.joints.size(), 0);
        out_.joint_of.assign(surface.positions.size(), -1);
        out_.parent.assign(linkage.joints.size(), -1);
        out_.kind.assign(linkage.joints.size(), BoundaryKind::none);
    }

    void start_shells();
    bool take(int joint, BoundaryKind kind);
    void part_strangers();
    Regions finish();

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
    const Linkage& linkage_;
    std::span<const JointCut> cuts_;
    Descent descent_;
    std::vector<BoneSegment> bones_;
    std::vector<int> nearest_;
    std::vector<double> areas_;
    std::vector<std::uint32_t> blocked_;  // equal to stamp_: not to be crossed
    std::vector<std::uint32_t> mark_;     // equal to stamp_: reached
    std::uint32_t stamp_ = 0;
    std::vector<char> has_skin_;
    Regions out_;
};

/// A shell belongs to the joint above all whose boundaries touch it; the largest is the body, touched or not.
void Grower::start_shells() {
    std::vector<std::size_t> size(surface_.shells, 0);
    for (const std::uint32_t s : surface_.shell_of)
        if (s != RegionSurface::none) ++size[s];
    std::vector<int> base(surface_.shells, -1);
    for (const int j : linkage_.order) {
        const int parent = linkage_.joints[index(j)].parent;
        for (const CrossedEdge& edge : cuts_[index(j)].crossed) {
            int& top = base[surface_.shell_of[edge.behind]];
            if (top < 0) top = parent;
            while (!descent_.covers(top, parent)) top = linkage_.joints[index(top)].parent;
        }
    }
    const auto body = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
    if (base[body] < 0) base[body] = linkage_.root;
    for (std::size_t v = 0; v < out_.joint_of.size(); ++v)
        if (const std::uint32_t shell = surface_.shell_of[v]; shell != RegionSurface::none)
            out_.joint_of[v] = base[shell];
    for (const int joint : base)
        if (joint >= 0) has_skin_[index(joint)] = 1;
    has_skin_[index(linkage_.root)] = 1;
}

/// The nearest joint above that has skin.
int Grower::owner(int joint) const {
    int above = linkage_.joints[index(joint)].parent;
    while (above >= 0 && has_skin_[index(above)] == 0) above = linkage_.joints[index(above)].parent;
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
    for (const CrossedEdge& edge : cuts_[index(joint)].crossed) {
        blocked_[edge.edge] = stamp_;
        seeds.push_back(edge.beyond);
    }
    reached = flood(seeds, joint);
    return std::none_of(cuts_[index(joint)].crossed.begin(), cuts_[index(joint)].crossed.end(),
                        [&](const CrossedEdge& edge) { return mark_[edge.behind] == stamp_; });
}

/// The vertices of the loop are a wall; what it parts is told by the side of most vertices beside it.
bool Grower::beyond_loop(int joint, std::vector<std::uint32_t>& reached) {
    const JointCut& cut = cuts_[index(joint)];
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

/// Every edge of the region that the cut crosses is closed; what the dividing points' side reaches is taken.
bool Grower::beyond_cut(int joint, std::vector<std::uint32_t>& reached) {
    const JointCut& cut = cuts_[index(joint)];
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

/// The largest connected piece of the skin that is nearest to the bones from the joint on.
bool Grower::nearest_skin(int joint, std::vector<std::uint32_t>& reached) {
    ++stamp_;
    reached.clear();
    double most = 0;
    const auto lives_here = [&](std::uint32_t v) {
        return mark_[v] != stamp_ && free(v, joint) && descent_.covers(joint, nearest_[v]);
    };
    for (std::uint32_t seed = 0; seed < nearest_.size(); ++seed) {
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
        if (area <= most) continue;
        most = area;
        reached = std::move(piece);
    }
    return !reached.empty();
}

/// What is taken and what is nearest to the bones beyond the joint: area of both over area of either.
double Grower::agreement(int joint, std::span<const std::uint32_t> reached) const {
    double both = 0, either = 0;
    for (const std::uint32_t v : reached) {
        either += areas_[v];
        if (descent_.covers(joint, nearest_[v])) both += areas_[v];
    }
    for (std::uint32_t v = 0; v < nearest_.size(); ++v)
        if (free(v, joint) && descent_.covers(joint, nearest_[v])) either += areas_[v];
    either -= both;
    return either > 0 ? both / either : 0;
}

/// Where the bones beyond the joint and the others are equally far.
void Grower::note_crossings(int joint, std::span<const std::uint32_t> taken) {
    const auto lead = [&](std::uint32_t v) {
        double inner = INFINITY, outer = INFINITY;
        for (const BoneSegment& bone : bones_) {
            double& least = descent_.covers(joint, bone.joint) ? inner : outer;
            least = std::min(least, distance(bone, surface_.positions[v]));
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
    if (kind != BoundaryKind::nearest && agreement(joint, reached) < least_agreement) return false;
    for (const std::uint32_t v : reached) out_.joint_of[v] = joint;
    out_.parent[index(joint)] = from;
    out_.kind[index(joint)] = kind;
    has_skin_[index(joint)] = 1;
    if (kind == BoundaryKind::nearest) note_crossings(joint, reached);
    return true;
}

/// Where regions touch that are not parent and child, the deeper one steps back to its parent.
void Grower::part_strangers() {
    std::vector<int> depth(linkage_.joints.size(), 0);
    for (const int j : linkage_.order)
        if (out_.parent[index(j)] >= 0) depth[index(j)] = depth[index(out_.parent[index(j)])] + 1;
    std::vector<std::uint32_t> back;
    do {
        back.clear();
        for (const geometry::Edge& edge : surface_.edges.edges) {
            const int a = out_.joint_of[edge.a], b = out_.joint_of[edge.b];
            if (a == b || a < 0 || b < 0) continue;
            if (out_.parent[index(a)] == b || out_.parent[index(b)] == a) continue;
            if (depth[index(a)] >= depth[index(b)] && out_.parent[index(a)] >= 0) back.push_back(edge.a);
            if (depth[index(b)] >= depth[index(a)] && out_.parent[index(b)] >= 0) back.push_back(edge.b);
        }
        std::sort(back.begin(), back.end());
        back.erase(std::unique(back.begin(), back.end()), back.end());
        for (const std::uint32_t v : back) out_.joint_of[v] = out_.parent[index(out_.joint_of[v])];
    } while (!back.empty());
}

Regions Grower::finish() {
    out_.size.assign(linkage_.joints.size(), 0);
    for (const int j : out_.joint_of)
        if (j >= 0) ++out_.size[index(j)];
    return std::move(out_);
}

}  // namespace

Regions grow_regions(const RegionSurface& surface, const Linkage& linkage, std::span<const JointCut> cuts,
                     BoundaryKind first, std::span<const std::string> names, Monitor& monitor) {
    Grower grower(surface, linkage, cuts);
    grower.start_shells();
    std::string second_best, none;
    const auto add = [&](std::string& list, int j) { list += (list.empty() ? "" : ", ") + names[index(j)]; };
    for (const int j : linkage.order) {
        if (j == linkage.root) continue;
        if (!grower.take(j, first)) {
            const bool done = (first != BoundaryKind::geodesic && grower.take(j, BoundaryKind::geodesic)) ||
                              grower.take(j, BoundaryKind::whole_cut) ||
                              grower.take(j, BoundaryKind::nearest);
            add(done ? second_best : none, j);
        }
    }
    grower.part_strangers();
    if (!second_best.empty())
        warn(monitor, "boundary-fallback", "the boundary leaks and another is taken: {}", second_best);
    if (!none.empty())
        warn(monitor, "joint-without-skin", "no boundary is found, the parent keeps the skin: {}", none);
    return grower.finish();
}

}  // namespace sinew::rig
