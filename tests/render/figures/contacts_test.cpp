// SPDX-License-Identifier: MIT
#include "support/pictures.h"
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/collide/query.h"
#include "sinew/deform/blend.h"
#include "sinew/render/figures.h"

namespace sinew::render {
namespace {

using collide::Body;
using collide::Contact;

/// Pixels that are much redder than green and blue.
std::size_t red_pixels(const Picture& picture) {
    std::size_t count = 0;
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            const Pixel p = picture.at(x, y);
            count += p[0] > 2 * p[1] && p[0] > 2 * p[2] && p[0] > 60;
        }
    }
    return count;
}

TEST(Contacts, TouchingTrianglesAreRedAndSpheresTellWhereTheSearchWent) {
    const model::Character& tube = test::sample("tube", 0);
    const collide::SphereTree tree = collide::build_tree(tube);
    Body a(tree), b(tree);
    deform::Mat34f matrix;
    matrix.rows[0][3] = 0.02f;
    b.set_rigid_pose(matrix);
    collide::QueryScratch scratch;
    std::vector<Contact> found;
    collide::find_contacts(a, b, found, scratch);
    ASSERT_FALSE(found.empty());

    Renderer renderer;
    ContactPictureOptions options;
    options.level.reset();
    options.render.width = options.render.height = 160;
    options.render.ground = false;
    const ContactScene scene = contact_scene(a, &b, found);
    EXPECT_EQ(scene.touching[0].size(), found.size());
    const Picture with = contact_picture(renderer, scene, options);
    const Picture without = contact_picture(renderer, contact_scene(a, &b, {}), options);
    EXPECT_EQ(with.width, 160);
    EXPECT_GT(red_pixels(with), 20u);
    EXPECT_EQ(red_pixels(without), 0u);
    // Where the search went, spheres are blue; of bodies far apart only those at the top were looked at.
    options.level = 2;
    const Picture searched = contact_picture(renderer, contact_scene(a, &b, {}), options);
    EXPECT_GT(searched.width, 2 * 160);
    EXPECT_GT(test::count_like(searched, 2), 1000);
    EXPECT_GT(test::count_like(searched, 2), 10 * test::count_like(searched, 0));
    Body still(tree), far(tree);
    matrix.rows[0][3] = 2;
    far.set_rigid_pose(matrix);
    EXPECT_FALSE(collide::touching(still, far, scratch));
    const Picture apart = contact_picture(renderer, contact_scene(still, &far, {}), options);
    EXPECT_EQ(test::count_like(apart, 2), 0);
    EXPECT_GT(test::count_like(apart, 0), 200);
    EXPECT_GT(contact_bounds(scene).size().norm(), 0.02f);
}

}  // namespace
}  // namespace sinew::render
