// SPDX-License-Identifier: MIT
// Queries allocate nothing once their scratch has grown.

#include "counter.h"
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/collide/query.h"

namespace sinew::collide {
namespace {

TEST(Allocations, CollisionQueriesNeedNoneAfterTheFirst) {
    const auto horse = test::sample("horse", 1000);
    const SphereTree tree = build_tree(horse);
    const model::Clip* clip = model::find_clip(horse, "");
    for (const deform::Method method : {deform::Method::lbs, deform::Method::sbs, deform::Method::dqs}) {
        Body a(tree, method), b(tree, method);
        QueryScratch scratch;
        std::vector<Contact> out;
        const auto pose = [&](double time, double x) {
            auto palette = model::palette(horse.skin, model::world_matrices(horse, clip, time));
            for (auto& m : palette) m(0, 3) += x;
            return deform::to_mat34(palette);
        };
        const auto first = pose(0.2, 0), second = pose(0.5, 0.2);
        const auto query = [&] {
            a.set_pose(first);
            b.set_pose(second);
            find_contacts(a, b, out, scratch);
            touching(a, b, scratch);
        };
        query();
        EXPECT_FALSE(out.empty());
        EXPECT_EQ(test::allocations_in(query), 0u) << deform::name(method);
    }
}

}  // namespace
}  // namespace sinew::collide
