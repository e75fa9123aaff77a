// SPDX-License-Identifier: MIT
#include "scenes.h"
#include <gtest/gtest.h>

#include "sinew/collide/query.h"

namespace sinew::collide {
namespace {

using deform::Method;

/// Place of a triangle in the order of the tree.
std::vector<std::uint32_t> slots(const SphereTree& tree) {
    std::vector<std::uint32_t> result(tree.data().mesh_triangles);
    for (std::uint32_t t = 0; t < tree.data().triangle_ids.size(); ++t)
        result[tree.data().triangle_ids[t]] = t;
    return result;
}

bool holds(const Node& node, std::uint32_t slot) {
    return slot - node.first_triangle < node.triangle_count;
}

/// Every contact is found or lies in a pair that was left open; none is made up.
void expect_covered(const std::vector<Contact>& all, const BudgetedContacts& found, const SphereTree& tree,
                    const std::vector<std::uint32_t>& slot) {
    ASSERT_TRUE(std::ranges::includes(all, found.contacts));
    for (const Contact& contact : all) {
        const bool known = std::ranges::binary_search(found.contacts, contact);
        const bool open = std::ranges::any_of(found.open, [&](const NodePair& pair) {
            return holds(tree.data().nodes[pair.a], slot[contact.a]) &&
                   holds(tree.data().nodes[pair.b], slot[contact.b]);
        });
        ASSERT_NE(known, open) << contact.a << " " << contact.b;
    }
}

TEST(TimedQuery, WhateverTheBudgetNothingIsMissedAndNothingMadeUp) {
    const Actor horse("horse", 1000, {.max_leaf_triangles = 8});
    const auto slot = slots(horse.tree);
    for (const Method method : {Method::lbs, Method::dqs}) {
        Body a(horse.tree, method), b(horse.tree, method);
        for (Body* body : {&a, &b}) body->reuse_spheres(false);
        QueryScratch scratch;
        std::vector<Contact> all;
        BudgetedContacts found;
        for (const double x : {0.1, 0.35, 0.55, 3.0}) {
            const auto set = [&] {
                a.set_pose(horse.pose(0.2));
                b.set_pose(horse.pose(0.6, moved(x, 0, 0.1, 2.5)));
            };
            set();
            find_contacts(a, b, all, scratch);
            const double distance = find_nearest(a, b, scratch).distance;
            double precision = std::numeric_limits<double>::infinity(), smallest = 0, largest = precision;
            std::size_t known = 0;
            for (std::size_t budget = 1; budget < 100000; budget *= 2) {
                set();
                scratch.counts() = {};
                find_contacts_budgeted(a, b, {.sphere_tests = budget}, found, scratch);
                expect_covered(all, found, horse.tree, slot);
                EXPECT_LE(found.nearest_min, distance);
                EXPECT_GE(found.nearest_max, distance);
                EXPECT_LE(found.precision, precision);
                EXPECT_LE(found.nearest_max, largest);
                EXPECT_GE(found.nearest_min, smallest);
                EXPECT_GE(found.contacts.size(), known);
                EXPECT_LE(scratch.counts().sphere_tests, budget + horse.tree.statistics().max_children);
                precision = found.precision;
                largest = found.nearest_max;
                smallest = found.nearest_min;
                known = found.contacts.size();
            }
            EXPECT_TRUE(found.complete());
            EXPECT_EQ(found.contacts, all) << x;
            EXPECT_EQ(found.apart(), all.empty());
        }
    }
}

TEST(TimedQuery, BudgetsOfRefitsAndTrianglesHoldToo) {
    const Actor horse("horse", 1000, {.max_leaf_triangles = 8});
    Body a(horse.tree), b(horse.tree);
    for (Body* body : {&a, &b}) body->reuse_spheres(false);
    QueryScratch scratch;
    BudgetedContacts found;
    const auto run = [&](const QueryBudget& budget) {
        a.set_pose(horse.pose(0.2));
        b.set_pose(horse.pose(0.6, moved(0.3, 0, 0.1, 2.5)));
        scratch.counts() = {};
        find_contacts_budgeted(a, b, budget, found, scratch);
        return scratch.counts();
    };
    const QueryCounts full = run({});
    EXPECT_TRUE(found.complete());
    EXPECT_GT(found.levels, 4u);
    const std::size_t contacts = found.contacts.size();
    ASSERT_GT(contacts, 10u);
    const std::uint32_t levels = found.levels;
    const QueryCounts some = run({.refits = 20});
    EXPECT_LE(some.refits, 20 + horse.tree.statistics().max_children);
    EXPECT_LT(some.refits, full.refits);
    EXPECT_FALSE(found.complete());
    EXPECT_GT(found.deepest, 0);
    EXPECT_LT(found.levels, levels);
    const QueryCounts few = run({.triangle_tests = 5});
    EXPECT_LT(few.triangle_tests, full.triangle_tests);
    EXPECT_GT(found.contacts.size(), 0u);
    EXPECT_LT(found.contacts.size(), contacts);
    EXPECT_EQ(found.nearest_max, 0);
}

TEST(TimedQuery, BodiesWithoutTrianglesAreApart) {
    const Actor tube("tube", 0);
    const SphereTree nothing = build_tree(geometry::Mesh{}, {}, nullptr);
    Body a(tube.tree), b(nothing);
    QueryScratch scratch;
    BudgetedContacts found;
    find_contacts_budgeted(a, b, {}, found, scratch);
    EXPECT_TRUE(found.apart());
    EXPECT_EQ(found.nearest_min, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace sinew::collide
