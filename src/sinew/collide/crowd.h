#pragma once
/// \file
/// Many bodies at once: root balls sorted along an axis find the pairs that may meet, threads share the
/// pairs.

#include "sinew/collide/query.h"

namespace sinew::collide {

/// A contact between two bodies of a list, body_a < body_b.
struct BodyContact {
    std::uint32_t body_a = 0, body_b = 0;
    Contact pair;
    auto operator<=>(const BodyContact&) const = default;
};

/// Room for queries over many bodies, kept between them.
struct CrowdScratch {
    struct Task {
        std::uint32_t a = 0, b = 0;
        QueryScratch room;
        std::vector<Contact> contacts;
        bool touching = false;
    };
    std::vector<Task> tasks;
    std::size_t task_count = 0;  ///< pairs of the last query whose root balls overlap
    std::vector<Ball> roots;
    std::vector<std::uint32_t> order;
    QueryScratch refit;

    QueryCounts counts() const;  ///< summed over everything so far
};

struct CrowdOptions {
    bool first_only = false;  ///< one line for every pair of bodies that touches, its triangles not named
    double tolerance = 0;
    bool threads = true;
};

/// All contacts between different bodies, in rising order, the same whatever the thread count. `out` is
/// replaced.
void find_crowd_contacts(std::span<Body> bodies, std::vector<BodyContact>& out, CrowdScratch& room,
                         const CrowdOptions& options = {});

}  // namespace sinew::collide
