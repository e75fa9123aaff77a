// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "sinew/base/parallel.h"
#include "sinew/collide/query/leaf_search.h"

namespace sinew::collide {
struct CrowdBuffers {
    struct Task {
        std::uint32_t a = 0, b = 0;
        QueryScratch scratch;
        std::vector<Contact> contacts;
        bool touching = false;
    };
    std::vector<Task> tasks;
    std::size_t task_count = 0;  ///< pairs of the last query whose root spheres overlap
    std::vector<Sphere> roots;
    std::vector<std::uint32_t> order;
    QueryScratch query;
};

namespace {

/// Adds a task, reusing the scratch of an earlier query.
void add_task(CrowdBuffers& scratch, std::uint32_t a, std::uint32_t b) {
    if (scratch.task_count == scratch.tasks.size()) scratch.tasks.emplace_back();
    CrowdBuffers::Task& task = scratch.tasks[scratch.task_count++];
    task.a = std::min(a, b);
    task.b = std::max(a, b);
}

/// Sweep along x over the root spheres; an unbounded one overlaps all others.
void find_candidates(std::span<Body> bodies, CrowdBuffers& scratch, double tolerance) {
    scratch.roots.resize(bodies.size());
    scratch.order.clear();
    scratch.task_count = 0;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].tree().node_count() == 0) continue;
        scratch.roots[i] = bodies[i].sphere(0, scratch.query);
        scratch.order.push_back(i);
    }
    const auto low = [&](std::uint32_t i) { return scratch.roots[i].center.x() - scratch.roots[i].radius; };
    const auto high = [&](std::uint32_t i) { return scratch.roots[i].center.x() + scratch.roots[i].radius; };
    std::ranges::sort(scratch.order, [&](std::uint32_t a, std::uint32_t b) {
        return low(a) != low(b) ? low(a) < low(b) : a < b;
    });
    for (std::size_t i = 0; i < scratch.order.size(); ++i) {
        const std::uint32_t a = scratch.order[i];
        for (std::size_t k = i + 1; k < scratch.order.size(); ++k) {
            const std::uint32_t b = scratch.order[k];
            if (low(b) > high(a) + tolerance) break;
            ++scratch.query.counts().sphere_tests;
            if (!disjoint(scratch.roots[a], scratch.roots[b], tolerance)) add_task(scratch, a, b);
        }
    }
    std::sort(scratch.tasks.begin(), scratch.tasks.begin() + static_cast<std::ptrdiff_t>(scratch.task_count),
              [](const auto& x, const auto& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
}

void run(CrowdBuffers::Task& task, std::span<Body> bodies, const CrowdOptions& options) {
    Body& a = bodies[task.a];
    Body& b = bodies[task.b];
    if (options.first_only) {
        task.touching = touching(a, b, task.scratch, options.tolerance);
    } else {
        find_contacts(a, b, task.contacts, task.scratch, options.tolerance);
    }
}

}  // namespace

CrowdScratch::CrowdScratch() : buffers_(std::make_unique<CrowdBuffers>()) {}
CrowdScratch::~CrowdScratch() = default;

QueryCounts CrowdScratch::counts() const {
    QueryCounts sum = buffers_->query.counts();
    for (CrowdBuffers::Task& task : buffers_->tasks) sum += task.scratch.counts();
    return sum;
}

void find_crowd_contacts(std::span<Body> bodies, std::vector<BodyContact>& out, CrowdScratch& query,
                         const CrowdOptions& options) {
    CrowdBuffers& scratch = query.buffers();
    out.clear();
    find_candidates(bodies, scratch, options.tolerance);
    const std::size_t grain = options.threads ? 1 : std::max<std::size_t>(1, scratch.task_count);
    parallel_blocks(scratch.task_count, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) run(scratch.tasks[i], bodies, options);
    });
    for (std::size_t i = 0; i < scratch.task_count; ++i) {
        const CrowdBuffers::Task& task = scratch.tasks[i];
        if (options.first_only) {
            if (task.touching) out.push_back({task.a, task.b, {}});
            continue;
        }
        for (const Contact& contact : task.contacts) out.push_back({task.a, task.b, contact});
    }
}

}  // namespace sinew::collide
