// SPDX-License-Identifier: MIT
#include <cmath>
#include <unordered_map>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/rig/rig_formats.h"

namespace sinew::io {
namespace {

using math::Vec3d;

struct Graph {
    std::vector<std::int64_t> ids;
    std::vector<Vec3d> points;
    std::vector<std::vector<int>> neighbors;
    std::vector<int> entered;  ///< number of edges that end at a point
};

std::int64_t read_id(TextCursor& cursor, std::string_view what) {
    const std::string location = cursor.location();
    const double value = cursor.number(what);
    if (!(std::abs(value) <= 1e15) || value != std::floor(value)) {
        fail(location, "{} is not a whole number", what);
    }
    return static_cast<std::int64_t>(value);
}

void read_points(TextCursor& cursor, Graph& graph, std::unordered_map<std::int64_t, int>& index) {
    while (cursor.skip_space() && cursor.peek() != "#") {
        const std::string location = cursor.location();
        const std::int64_t id = read_id(cursor, "the number of a point");
        Vec3d point;
        for (int i = 0; i < 3; ++i) point[i] = cursor.number("a coordinate");
        if (!point.allFinite()) fail(location, "point {} is not finite", id);
        if (!index.emplace(id, static_cast<int>(graph.ids.size())).second)
            fail(location, "point {} is given twice", id);
        graph.ids.push_back(id);
        graph.points.push_back(point);
        cursor.rest_of_line();
    }
}

void read_edges(TextCursor& cursor, Graph& graph, const std::unordered_map<std::int64_t, int>& index) {
    const auto point = [&] {
        const std::string location = cursor.location();
        const std::int64_t id = read_id(cursor, "a point of an edge");
        const auto found = index.find(id);
        if (found == index.end()) fail(location, "an edge refers to point {}, which does not exist", id);
        return found->second;
    };
    while (cursor.skip_space() && cursor.peek() != "#") {
        const int parent = point(), child = point();
        cursor.rest_of_line();
        graph.neighbors[static_cast<std::size_t>(parent)].push_back(child);
        graph.neighbors[static_cast<std::size_t>(child)].push_back(parent);
        ++graph.entered[static_cast<std::size_t>(child)];
    }
}

/// Parents, by walking each component from its root: the first point at which no edge ends, or else the first
/// point.
std::vector<int> hang_up(const Graph& graph, std::string_view location, Monitor& monitor) {
    constexpr int unseen = -2;
    std::vector<int> parents(graph.ids.size(), unseen);
    std::size_t loops = 0;
    const auto walk = [&](std::size_t root) {
        parents[root] = -1;
        std::vector<std::size_t> queue{root};
        for (std::size_t next = 0; next < queue.size(); ++next) {
            const std::size_t at = queue[next];
            bool back = false;  // the edge to the parent is found once in the list
            for (const int to : graph.neighbors[at]) {
                if (!back && to == parents[at]) {
                    back = true;
                } else if (parents[static_cast<std::size_t>(to)] != unseen) {
                    ++loops;
                } else {
                    parents[static_cast<std::size_t>(to)] = static_cast<int>(at);
                    queue.push_back(static_cast<std::size_t>(to));
                }
            }
        }
    };
    for (const bool entered_too : {false, true}) {
        for (std::size_t i = 0; i < parents.size(); ++i) {
            if (parents[i] == unseen && (entered_too || graph.entered[i] == 0)) walk(i);
        }
    }
    if (loops > 0)
        warn(monitor, "tgf-loop", "{}: {} edges close a loop and were dropped", location, (loops + 1) / 2);
    return parents;
}

}  // namespace

Asset read_tgf(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor& monitor) {
    std::string storage;
    const std::string name = path.string();
    TextCursor cursor(as_utf8(as_text(bytes), storage), name);
    Graph graph;
    std::unordered_map<std::int64_t, int> index;
    read_points(cursor, graph, index);
    if (graph.ids.empty()) fail(name, "holds no points");
    graph.neighbors.resize(graph.ids.size());
    graph.entered.resize(graph.ids.size(), 0);
    if (cursor.skip_space()) {
        cursor.rest_of_line();
        read_edges(cursor, graph, index);
    }
    const std::vector<int> parents = hang_up(graph, name, monitor);
    const std::vector<int> order = model::parents_first(parents, name);
    std::vector<int> location_of(order.size());
    Asset asset;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto old = static_cast<std::size_t>(order[i]);
        location_of[old] = static_cast<int>(i);
        model::Joint joint;
        joint.name = fmt::format("joint_{}", graph.ids[old]);
        joint.rest.translation = graph.points[old];
        if (parents[old] >= 0) {
            joint.parent = location_of[static_cast<std::size_t>(parents[old])];
            joint.rest.translation -= graph.points[static_cast<std::size_t>(parents[old])];
        }
        asset.character.skeleton.joints.push_back(std::move(joint));
    }
    return asset;
}

std::string write_tgf(const Asset& asset, const std::filesystem::path& path, const WriteOptions&, Monitor&) {
    const model::Skeleton& skeleton = asset.character.skeleton;
    if (skeleton.empty()) fail(path.string(), "there is no skeleton to write");
    const std::vector<math::Mat4d> world = model::rest_world_matrices(skeleton);
    std::string points, edges;
    std::size_t next = skeleton.size() + 1;
    const auto add_point = [&](std::size_t id, const Vec3d& p) {
        points += fmt::format("{} {} {} {}\n", id, p.x(), p.y(), p.z());
    };
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        add_point(j + 1, world[j].topRightCorner<3, 1>());
        if (skeleton.joints[j].parent >= 0)
            edges += fmt::format("{} {}\n", skeleton.joints[j].parent + 1, j + 1);
    }
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (!skeleton.joints[j].tip) continue;
        add_point(next, math::transform_point(world[j], *skeleton.joints[j].tip));
        edges += fmt::format("{} {}\n", j + 1, next++);
    }
    return points + "#\n" + edges;
}

}  // namespace sinew::io
