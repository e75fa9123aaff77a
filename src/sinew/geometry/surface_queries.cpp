// SPDX-License-Identifier: MIT
#include "sinew/geometry/surface_queries.h"

#include <algorithm>
#include <cmath>

#include <embree3/rtcore.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew::geometry {

/// Embree's scene, and the triangles for our own point queries.
struct SurfaceQueries::Tree {
    RTCScene scene = nullptr;
    std::vector<Vec3f> positions;
    std::vector<Triangle> triangles;

    Tree() = default;
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;
    ~Tree() {
        if (scene != nullptr) rtcReleaseScene(scene);
    }
};

namespace {

/// One for all queries, never released. Embree limits all thread pools of the program to the threads of its
/// devices, so this one must use all threads.
RTCDevice device() {
    static const RTCDevice only = rtcNewDevice(nullptr);
    if (only == nullptr) fail("", "the ray caster cannot start");
    return only;
}

/// The order in the tree decides which of equally near hits is the first, so it must not depend on threads.
void build(RTCScene scene) {
    const OneThread alone;
    rtcCommitScene(scene);
}

RTCRayHit make_ray(const Vec3f& origin, const Vec3f& direction, float max) {
    RTCRayHit query{};
    query.ray.org_x = origin.x();
    query.ray.org_y = origin.y();
    query.ray.org_z = origin.z();
    query.ray.dir_x = direction.x();
    query.ray.dir_y = direction.y();
    query.ray.dir_z = direction.z();
    query.ray.tnear = 0;
    query.ray.tfar = max;
    query.ray.mask = ~0u;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    return query;
}

RayHit make_hit(const RTCRay& ray, const RTCHit& hit) {
    // Embree's normal follows the winding of the triangle.
    const float facing = ray.dir_x * hit.Ng_x + ray.dir_y * hit.Ng_y + ray.dir_z * hit.Ng_z;
    return {ray.tfar, hit.primID, hit.u, hit.v, facing < 0};
}

/// Collects every hit and continues the ray.
struct HitCollector {
    RTCIntersectContext context;  // first, so that Embree's pointer to it is a pointer to this
    std::vector<RayHit>* hits;
};

void collect(const RTCFilterFunctionNArguments* arguments) {
    auto* const collector = reinterpret_cast<HitCollector*>(arguments->context);
    const auto* const ray = reinterpret_cast<const RTCRay*>(arguments->ray);
    const auto* const hit = reinterpret_cast<const RTCHit*>(arguments->hit);
    if (arguments->valid[0] != -1) return;
    collector->hits->push_back(make_hit(*ray, *hit));
    arguments->valid[0] = 0;
}

struct NearestSearch {
    std::span<const Vec3f> positions;
    std::span<const Triangle> triangles;
    NearestPoint best;
};

bool approach(RTCPointQueryFunctionArguments* arguments) {
    auto& search = *static_cast<NearestSearch*>(arguments->userPtr);
    const Triangle& t = search.triangles[arguments->primID];
    const Vec3f point(arguments->query->x, arguments->query->y, arguments->query->z);
    const Vec3f near =
        nearest_on_triangle(point, search.positions[t[0]], search.positions[t[1]], search.positions[t[2]]);
    const float distance = (near - point).norm();
    // Of equally near triangles the lowest index is used, regardless of the order of the tree.
    if (distance > search.best.distance ||
        (distance == search.best.distance && arguments->primID > search.best.triangle)) {
        return false;
    }
    search.best = {distance, arguments->primID, near};
    arguments->query->radius = distance;
    return true;
}

}  // namespace

SurfaceQueries::SurfaceQueries(std::span<const Vec3f> positions, std::span<const Triangle> triangles)
    : tree_(std::make_unique<Tree>()) {
    tree_->positions.assign(positions.begin(), positions.end());
    tree_->triangles.assign(triangles.begin(), triangles.end());
    tree_->scene = rtcNewScene(device());
    rtcSetSceneFlags(tree_->scene, static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST |
                                                              RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
    RTCGeometry geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* const vertices = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                std::max<std::size_t>(1, positions.size())));
    auto* const corners = static_cast<std::uint32_t*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                3 * sizeof(std::uint32_t), std::max<std::size_t>(1, triangles.size())));
    if (triangles.empty()) std::fill(corners, corners + 3, 0u);
    if (positions.empty()) std::fill(vertices, vertices + 3, 0.0f);
    for (std::size_t i = 0; i < positions.size(); ++i) Vec3f::Map(vertices + 3 * i) = positions[i];
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        std::copy(triangles[i].begin(), triangles[i].end(), corners + 3 * i);
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(tree_->scene, geometry);
    rtcReleaseGeometry(geometry);
    build(tree_->scene);
}
SurfaceQueries::SurfaceQueries(SurfaceQueries&&) noexcept = default;
SurfaceQueries& SurfaceQueries::operator=(SurfaceQueries&&) noexcept = default;
SurfaceQueries::~SurfaceQueries() = default;

std::optional<RayHit> SurfaceQueries::first_hit(const Vec3f& origin, const Vec3f& direction,
                                                float max) const {
    RTCRayHit query = make_ray(origin, direction, max);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(tree_->scene, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
    return make_hit(query.ray, query.hit);
}

void SurfaceQueries::all_hits(const Vec3f& origin, const Vec3f& direction, std::vector<RayHit>& hits) const {
    hits.clear();
    RTCRayHit query = make_ray(origin, direction, std::numeric_limits<float>::infinity());
    HitCollector collector;
    rtcInitIntersectContext(&collector.context);
    collector.context.filter = collect;
    collector.hits = &hits;
    rtcIntersect1(tree_->scene, &collector.context, &query);
    std::sort(hits.begin(), hits.end(), [](const RayHit& a, const RayHit& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.triangle < b.triangle;
    });
    // A tree may return a triangle twice.
    hits.erase(std::unique(hits.begin(), hits.end(),
                           [](const RayHit& a, const RayHit& b) {
                               return a.triangle == b.triangle && a.distance == b.distance;
                           }),
               hits.end());
}

bool SurfaceQueries::sees(const Vec3f& from, const Vec3f& to) const {
    RTCRay ray = make_ray(from, to - from, 1).ray;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(tree_->scene, &context, &ray);
    return ray.tfar >= 0;
}

std::optional<NearestPoint> SurfaceQueries::nearest(const Vec3f& point, float max) const {
    if (tree_->triangles.empty()) return std::nullopt;
    NearestSearch search{tree_->positions, tree_->triangles, {}};
    search.best.distance = max;
    search.best.triangle = std::numeric_limits<std::uint32_t>::max();
    RTCPointQuery query{point.x(), point.y(), point.z(), 0, max};
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(tree_->scene, &query, &context, approach, &search);
    if (search.best.triangle == std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return search.best;
}

Vec3f nearest_on_triangle(const Vec3f& p, const Vec3f& a, const Vec3f& b, const Vec3f& c) {
    const Vec3f ab = b - a, ac = c - a, ap = p - a;
    const float d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0) return a;
    const Vec3f bp = p - b;
    const float d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3) return b;
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 != d3) return a + ab * (d1 / (d1 - d3));
    const Vec3f cp = p - c;
    const float d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6) return c;
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 != d6) return a + ac * (d2 / (d2 - d6));
    const float va = d3 * d6 - d5 * d4;
    const float along = d4 - d3, against = d5 - d6;
    if (va <= 0 && along >= 0 && against >= 0 && along + against > 0) {
        return b + (c - b) * (along / (along + against));
    }
    const float sum = va + vb + vc;
    if (!(std::abs(sum) > 0)) return a;  // no area, and no nearer edge
    return a + ab * (vb / sum) + ac * (vc / sum);
}

namespace {

/// A triangle with the normal of its plane.
struct Facet {
    const TriangleCorners& corners;
    Vec3d normal;

    explicit Facet(const TriangleCorners& t) : corners(t), normal((t[1] - t[0]).cross(t[2] - t[0])) {}
};

using Heights = std::array<double, 3>;

/// Heights of the corners above the plane, times the length of its normal.
Heights heights_above(const Facet& plane, const TriangleCorners& t) {
    const Vec3d& origin = plane.corners[0];
    return {plane.normal.dot(t[0] - origin), plane.normal.dot(t[1] - origin),
            plane.normal.dot(t[2] - origin)};
}

bool on_one_side(const Heights& h) {
    return (h[0] > 0 && h[1] > 0 && h[2] > 0) || (h[0] < 0 && h[1] < 0 && h[2] < 0);
}

/// Whether the segment from p to q intersects the triangle. Signs of volumes (Guigue and Devillers 2003).
bool meets(const Vec3d& p, const Vec3d& q, double at_p, double at_q, const Facet& facet) {
    if (at_p * at_q > 0 || at_p == at_q) return false;
    const Vec3d x = p + at_p / (at_p - at_q) * (q - p);
    const TriangleCorners& t = facet.corners;
    for (std::size_t i = 0; i < 3; ++i)
        if (facet.normal.dot((t[(i + 1) % 3] - t[i]).cross(x - t[i])) < 0) return false;
    return true;
}

bool a_side_meets(const TriangleCorners& t, const Heights& heights, const Facet& facet) {
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        if (meets(t[i], t[j], heights[i], heights[j], facet)) return true;
    }
    return false;
}

struct Slab {
    double low, high;
    std::size_t index;
};

std::vector<Slab> slabs_of(const std::vector<TriangleCorners>& triangles) {
    std::vector<Slab> slabs;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const auto [low, high] = std::minmax({triangles[i][0].x(), triangles[i][1].x(), triangles[i][2].x()});
        slabs.push_back({low, high, i});
    }
    std::ranges::sort(slabs, {}, &Slab::low);
    return slabs;
}

bool boxes_apart(const TriangleCorners& a, const TriangleCorners& b) {
    for (int axis = 1; axis < 3; ++axis) {
        const auto [low_a, high_a] = std::minmax({a[0][axis], a[1][axis], a[2][axis]});
        const auto [low_b, high_b] = std::minmax({b[0][axis], b[1][axis], b[2][axis]});
        if (low_a > high_b || low_b > high_a) return true;
    }
    return false;
}

}  // namespace

bool triangles_cross(const TriangleCorners& a, const TriangleCorners& b) {
    // Most neighbours are completely on one side of each other's planes.
    const Facet second(b);
    const Heights of_a = heights_above(second, a);
    if (on_one_side(of_a)) return false;
    const Facet first(a);
    const Heights of_b = heights_above(first, b);
    if (on_one_side(of_b)) return false;
    return a_side_meets(a, of_a, second) || a_side_meets(b, of_b, first);
}

bool surfaces_cross(const std::vector<TriangleCorners>& a, const std::vector<TriangleCorners>& b,
                    CrossingPair* pair) {
    const std::vector<Slab> first = slabs_of(a), second = slabs_of(b);
    std::vector<const Slab*> open;  // of b, those that may still overlap later ones
    std::size_t next = 0;
    for (const Slab& slab : first) {
        while (next < second.size() && second[next].low <= slab.high) open.push_back(&second[next++]);
        std::erase_if(open, [&](const Slab* s) { return s->high < slab.low; });
        for (const Slab* s : open) {
            if (s->low > slab.high || boxes_apart(a[slab.index], b[s->index])) continue;
            if (!triangles_cross(a[slab.index], b[s->index])) continue;
            if (pair != nullptr) *pair = {slab.index, s->index};
            return true;
        }
    }
    return false;
}

}  // namespace sinew::geometry
