#include "sinew/collide/query.h"

#include <algorithm>
#include <numeric>

#include "sinew/base/parallel.h"

namespace sinew::collide {
namespace {

/// Adds a task, reusing the room of an earlier query.
void add_task(CrowdScratch& room, std::uint32_t a, std::uint32_t b) {
    if (room.task_count == room.tasks.size()) room.tasks.emplace_back();
    CrowdScratch::Task& task = room.tasks[room.task_count++];
    task.a = std::min(a, b);
    task.b = std::max(a, b);
}

/// Sweep along x over the root balls; an unbounded one meets everything.
void find_candidates(std::span<Body> bodies, CrowdScratch& room, double tolerance) {
    room.roots.resize(bodies.size());
    room.order.clear();
    room.task_count = 0;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].tree().nodes.empty()) continue;
        room.roots[i] = bodies[i].ball(0, room.refit);
        room.order.push_back(i);
    }
    const auto low = [&](std::uint32_t i) { return room.roots[i].center.x() - room.roots[i].radius; };
    const auto high = [&](std::uint32_t i) { return room.roots[i].center.x() + room.roots[i].radius; };
    std::ranges::sort(room.order, [&](std::uint32_t a, std::uint32_t b) {
        return low(a) != low(b) ? low(a) < low(b) : a < b;
    });
    for (std::size_t i = 0; i < room.order.size(); ++i) {
        const std::uint32_t a = room.order[i];
        for (std::size_t k = i + 1; k < room.order.size(); ++k) {
            const std::uint32_t b = room.order[k];
            if (low(b) > high(a) + tolerance) break;
            ++room.refit.counts.ball_tests;
            if (!disjoint(room.roots[a], room.roots[b], tolerance)) add_task(room, a, b);
        }
    }
    std::sort(room.tasks.begin(), room.tasks.begin() + static_cast<std::ptrdiff_t>(room.task_count),
              [](const auto& x, const auto& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
}

void run(CrowdScratch::Task& task, std::span<Body> bodies, const CrowdOptions& options) {
    Body& a = bodies[task.a];
    Body& b = bodies[task.b];
    if (options.first_only) {
        task.touching = touching(a, b, task.room, options.tolerance);
    } else {
        find_contacts(a, b, task.contacts, task.room, options.tolerance);
    }
}

}  // namespace

QueryCounts CrowdScratch::counts() const {
    QueryCounts sum = refit.counts;
    for (const Task& task : tasks) sum += task.room.refit.counts;
    return sum;
}

void find_crowd_contacts(std::span<Body> bodies, std::vector<BodyContact>& out, CrowdScratch& room,
                         const CrowdOptions& options) {
    out.clear();
    find_candidates(bodies, room, options.tolerance);
    const std::size_t grain = options.threads ? 1 : std::max<std::size_t>(1, room.task_count);
    parallel_blocks(room.task_count, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) run(room.tasks[i], bodies, options);
    });
    for (std::size_t i = 0; i < room.task_count; ++i) {
        const CrowdScratch::Task& task = room.tasks[i];
        if (options.first_only) {
            if (task.touching) out.push_back({task.a, task.b, {}});
            continue;
        }
        for (const Contact& contact : task.contacts) out.push_back({task.a, task.b, contact});
    }
}

}  // namespace sinew::collide
