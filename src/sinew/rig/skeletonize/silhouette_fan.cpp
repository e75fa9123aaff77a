#include "sinew/rig/skeletonize/silhouette_fan.h"

#include <algorithm>
#include <cmath>

namespace sinew::rig {

double signed_clockwise(const Vec2d& u, const Vec2d& v) {
    return -std::atan2(geometry::cross2(u, v), u.dot(v));
}

std::vector<std::uint32_t> FanFinder::neighbors(std::uint32_t vertex) const {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t t : around_[vertex]) {
        for (const std::uint32_t v : surface_.triangles[t]) {
            if (v != vertex) out.push_back(v);
        }
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

void FanFinder::unroll(std::uint32_t vertex, std::uint32_t start, std::vector<std::uint32_t>& used,
                       Fan& fan) const {
    const auto direction = [&](std::uint32_t v) { return Vec2d(projection_.xy[v] - projection_.xy[vertex]); };
    std::uint32_t at = start;
    double angle = 0;
    while (true) {
        bool stepped = false;
        for (const std::uint32_t t : around_[vertex]) {
            const Triangle& c = surface_.triangles[t];
            if (std::ranges::find(used, t) != used.end() || std::ranges::find(c, at) == c.end()) continue;
            used.push_back(t);
            const auto next =
                std::ranges::find_if(c, [&](std::uint32_t v) { return v != vertex && v != at; });
            angle += signed_clockwise(direction(at), direction(*next));
            at = *next;
            stepped = true;
            break;
        }
        if (!stepped) return;
        if (at == start) {
            fan.closed = true;
            fan.total = angle;
            fan.winding = static_cast<int>(std::lround(angle / (2 * math::pi)));
            return;
        }
        fan.neighbors.push_back(at);
        fan.angles.push_back(angle);
    }
}

Fan FanFinder::operator()(std::uint32_t vertex, std::uint32_t start) const {
    Fan fan;
    fan.neighbors.push_back(start);
    fan.angles.push_back(0);
    std::vector<std::uint32_t> used;
    unroll(vertex, start, used, fan);
    if (!fan.closed) unroll(vertex, start, used, fan);
    return fan;
}

}  // namespace sinew::rig
