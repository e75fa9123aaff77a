#pragma once
/// \file
/// Queries that may not take long: level by level, until the work that is allowed is done. What is known
/// then is sure, and how well it is known is part of the answer (Hubbard 1996).

#include "sinew/collide/query.h"

namespace sinew::collide {

/// Work that a query may do; 0 leaves it open. It may end a little later: pairs are opened whole, and leaves
/// are tested whole.
struct QueryBudget {
    std::size_t ball_tests = 0;
    std::size_t refits = 0;
    std::size_t triangle_tests = 0;
};

/// What a query knew when its budget was spent.
struct BudgetedContacts {
    std::vector<Contact> contacts;  ///< that are sure, in rising order
    std::vector<NodePair> open;     ///< pairs of nodes not looked into: all other contacts lie there
    /// All was done: the contacts are those of find_contacts().
    bool complete() const { return open.empty(); }
    /// Surely not touching.
    bool apart() const { return contacts.empty() && open.empty(); }

    /// The distance of the bodies lies between these two; infinite when one has no triangles.
    double nearest_least = 0, nearest_most = 0;
    /// Two nodes left open come apart when one moves by this from the other: how deep they can be in each
    /// other at most.
    double deepest = 0;
    /// Radius of the largest ball left open: what the bodies are known by.
    double precision = 0;
    std::uint32_t levels = 0;  ///< of the search that were done
};

/// All contacts that can be found within a budget. `out` is replaced, its room is kept.
void find_contacts_budgeted(Body& a, Body& b, const QueryBudget& budget, BudgetedContacts& out, QueryScratch& room);

}  // namespace sinew::collide
