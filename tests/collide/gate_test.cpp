// SPDX-License-Identifier: MIT
// The gate: no vertex, as skinning computes it, is ever outside a sphere. Random soups, sets, weights, poses
// and places. SINEW_SLOW asks for ten million checks, SINEW_GATE for any number, instead of the few of an
// ordinary run.

#include <cstdlib>

#include "reference/deform/reference.h"
#include "scenes.h"
#include <gtest/gtest.h>

#include "sinew/collide/query/search_scratch.h"
#include "sinew/deform/skinner.h"

namespace sinew::collide {
namespace gate_test {

using deform::Method;
using test::Random;

std::size_t wanted_checks() {
    const char* const text = std::getenv("SINEW_GATE");
    if (text != nullptr) return std::strtoull(text, nullptr, 10);
    return std::getenv("SINEW_SLOW") != nullptr ? 10000000 : 2000000;
}

/// Triangles without topology around a few joints; every vertex follows 1 to 8 of them.
model::Character random_soup(Random& random) {
    model::Character character;
    const int joints = random.integer(1, 8), groups = random.integer(1, 5);
    character.skin.joints.resize(static_cast<std::size_t>(joints));
    for (auto& joint : character.skin.joints)
        joint.inverse_bind = Rigidd{random.rotation(), random.vector(1)}.matrix();
    std::vector<std::vector<model::Influence>> kinds;
    for (int g = 0; g < groups; ++g) {
        std::vector<model::Influence> kind;
        for (int j = 0; j < joints; ++j) {
            if (random.uniform() < 0.5 || j == g % joints) kind.push_back({static_cast<std::uint32_t>(j), 0});
        }
        kinds.push_back(kind);
    }
    const double spread = std::pow(10.0, random.uniform(-6, 0));
    std::vector<std::vector<double>> bases;
    for (const auto& kind : kinds) bases.push_back(random.weights(static_cast<int>(kind.size())));
    const int triangles = random.integer(1, 40);
    for (int t = 0; t < triangles; ++t) {
        const Vec3d center = random.vector(1);
        const auto first = static_cast<std::uint32_t>(character.mesh.positions.size());
        character.mesh.triangles.push_back({first, first + 1, first + 2});
        for (int k = 0; k < 3; ++k) {
            character.mesh.positions.push_back((center + random.vector(0.1)).cast<float>());
            const auto g = static_cast<std::size_t>(random.integer(0, groups - 1));
            auto influences = kinds[g];
            const auto w = random.weights(static_cast<int>(influences.size()));
            for (std::size_t i = 0; i < influences.size(); ++i)
                influences[i].weight = static_cast<float>(spread * w[i] + (1 - spread) * bases[g][i]);
            character.skin.push_vertex(influences);
        }
    }
    model::clean(character.skin, {8, 0});
    return character;
}

std::vector<Mat34f> soup_palette(std::size_t joints, Random& random) {
    const double far = std::pow(10.0, random.uniform(-2, 4)), angle = random.uniform(0, math::pi),
                 apart = random.uniform(0, 1);
    const Vec3d position = far * random.unit_vector();
    std::vector<Mat34f> palette;
    for (std::size_t j = 0; j < joints; ++j) {
        const Rigidd rotation{random.rotation(angle), position + random.vector(apart)};
        palette.push_back(deform::to_mat34(rotation.matrix()));
    }
    return palette;
}

/// Joints that turn about rest places they share with the one before, by little or much, about axes from
/// nearly one to any; some places come apart. What bounds without centres are made for.
std::vector<Mat34f> chained_palette(const SphereTree& tree, Random& random) {
    const Rigidd positioned{random.rotation(), std::pow(10.0, random.uniform(-2, 3)) * random.unit_vector()};
    const double angle = std::pow(10.0, random.uniform(-6, 0.3)),
                 tilt = std::pow(10.0, random.uniform(-9, 0)),
                 apart = random.integer(0, 2) == 0 ? std::pow(10.0, random.uniform(-7, -1)) : 0;
    const Vec3d axis = random.unit_vector();
    std::vector<Rigidd> motions;
    for (std::size_t j = 0; j < tree.data().palette_size; ++j) {
        const Vec3d own = (axis + tilt * random.unit_vector()).normalized();
        Rigidd rotation =
            math::rotation_about<double>(tree.data().joint_centers[j], own, random.uniform(-angle, angle));
        rotation.translation += random.vector(apart);
        const auto before = static_cast<std::size_t>(random.integer(0, j == 0 ? 0 : static_cast<int>(j) - 1));
        motions.push_back(j == 0 ? positioned * rotation : motions[before] * rotation);
    }
    std::vector<Mat34f> palette;
    for (const Rigidd& motion : motions) palette.push_back(deform::to_mat34(motion.matrix()));
    return palette;
}

std::vector<Vec3f> played(const model::Character& character, std::span<const Mat34f> palette, Method method) {
    deform::SkinnerOptions options;
    options.normals = false;
    return collide::played(deform::Skinner(character.mesh, character.skin, nullptr, options), palette,
                           method);
}

/// Vertices as kernels and as the reference have them.
struct Played {
    std::vector<Vec3f> kernel;
    std::vector<Vec3d> exact;
};

std::size_t check(Body& body, const Played& played, bool rough) {
    QueryScratch scratch;
    scratch.buffers().refit.rough = rough;
    const SphereTree& tree = body.tree();
    std::size_t checks = 0, outside = 0;
    for (std::uint32_t n = 0; n < tree.data().nodes.size(); ++n) {
        const Node& node = tree.data().nodes[n];
        const Sphere sphere = body.sphere(n, scratch);
        for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count; ++v) {
            const Vec3d points[]{played.kernel[tree.data().vertex_ids[v]].cast<double>(),
                                 played.exact[tree.data().vertex_ids[v]],
                                 body.vertex(v, scratch).cast<double>()};
            for (const Vec3d& p : points) {
                outside += !((p - sphere.center).norm() <= sphere.radius);
                ++checks;
            }
        }
    }
    EXPECT_EQ(outside, 0u) << deform::name(body.method());
    return checks;
}

/// All spheres of a tree in one pose, in every blending, by careful and by rough refits.
std::size_t check_pose(const model::Character& soup, const SphereTree& tree,
                       std::span<const Mat34f> palette) {
    const auto sets = model::group_by_influences(soup.skin, nullptr);
    std::vector<Mat4d> matrices;
    for (const Mat34f& m : palette) matrices.push_back(deform::to_mat4(m));
    std::size_t checks = 0;
    for (const Method method : {Method::lbs, Method::sbs, Method::dqs}) {
        const Played vertices{played(soup, palette, method),
                              deform::deform<double>(soup.mesh, soup.skin, sets, matrices, method).positions};
        Body body(tree, method);
        for (const bool rough : {false, true}) {
            if (rough && method == Method::lbs) continue;
            body.set_pose(palette);
            checks += check(body, vertices, rough);
        }
    }
    return checks;
}

TEST(Gate, NoVertexIsEverOutsideItsSpheres) {
    Random random(71);
    const std::size_t wanted = wanted_checks();
    std::size_t checks = 0;
    while (checks < wanted && !testing::Test::HasFailure()) {
        const model::Character soup = random_soup(random);
        TreeLimits options;
        options.max_leaf_triangles = random.integer(1, 6);
        options.leaf_set_bounds = random.integer(0, 1) == 1;
        options.joint_hull_above = random.integer(0, 1) == 1 ? 2 : 0;
        const SphereTree tree = limited_tree(soup, options);
        checks += check_pose(soup, tree, soup_palette(tree.data().palette_size, random));
        checks += check_pose(soup, tree, chained_palette(tree, random));
    }
    EXPECT_GE(checks, wanted);
}

}  // namespace gate_test
}  // namespace sinew::collide
