#include "sinew/collide/query.h"

namespace sinew::collide {

std::vector<LevelRadii> level_radii(const SphereTree& tree, std::span<const deform::Mat34f> palette,
                                    deform::Method method, Refit refit) {
    std::vector<LevelRadii> rows;
    Body demand(tree, method, refit), bottom_up(tree, method), best(tree, method);
    QueryScratch room;
    for (Body* body : {&demand, &bottom_up, &best}) body->set_pose(palette);
    bottom_up.fill_bottom_up(room);
    best.fill_best(room);
    for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
        const Node& node = tree.nodes[n];
        if (node.level >= rows.size()) rows.resize(node.level + 1u);
        LevelRadii& row = rows[node.level];
        ++row.nodes;
        const Ball ball = demand.ball(n, room);
        if (!ball.bounded()) {
            ++row.unbounded;
            continue;
        }
        row.rest += static_cast<double>(node.ball.radius);
        row.on_demand += ball.radius;
        row.bottom_up += bottom_up.ball(n, room).radius;
        row.best += best.ball(n, room).radius;
    }
    for (LevelRadii& row : rows) {
        const double count = static_cast<double>(std::max<std::size_t>(1, row.nodes - row.unbounded));
        for (double* sum : {&row.rest, &row.on_demand, &row.bottom_up, &row.best}) *sum /= count;
    }
    return rows;
}

}  // namespace sinew::collide
