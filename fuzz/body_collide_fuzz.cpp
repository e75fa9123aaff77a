// SPDX-License-Identifier: MIT
// Any two meshes on two joints in any pose: contacts are those of brute force.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "reference/collide/brute_force.h"
#include "support/odd_mesh.h"

#include "sinew/base/error.h"
#include "sinew/rig/bind.h"

namespace {

using namespace sinew;

struct TwoJointed {
    explicit TwoJointed(test::Dice& dice) {
        character.mesh = test::odd_mesh(dice);
        // Brute force is square in the triangles.
        if (character.mesh.triangles.size() > 400) character.mesh.triangles.resize(400);
        const geometry::Box box = geometry::bounds(character.mesh.positions);
        model::Joint root, tip;
        root.name = "root";
        root.rest.translation = box.center().cast<double>();
        tip.name = "tip";
        tip.parent = 0;
        tip.rest.translation = 0.3 * static_cast<double>(box.diagonal()) * dice.point();
        character.skeleton.joints = {root, tip};
        character.skin =
            rig::bind(character.mesh, character.skeleton, {.method = rig::BindMethod::distance}).skin;
    }
    std::vector<deform::Mat34f> pose(test::Dice& dice) const {
        std::vector<deform::Mat34f> palette(2);
        const double size = static_cast<double>(geometry::bounds(character.mesh.positions).diagonal());
        for (deform::Mat34f& matrix : palette) {
            const math::Vec3d axis = (dice.point() + math::Vec3d(0, 2, 0)).normalized();
            math::Mat4d move = math::Mat4d::Identity();
            move.topLeftCorner<3, 3>() = Eigen::AngleAxisd(dice.between(-4, 4), axis).toRotationMatrix();
            move.topRightCorner<3, 1>() = 0.2 * size * dice.point();
            matrix = deform::to_mat34(move);
        }
        return palette;
    }
    model::Character character;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    test::Dice dice({data, size});
    constexpr deform::Method methods[] = {deform::Method::lbs, deform::Method::sbs, deform::Method::dqs};
    const deform::Method method = methods[dice.pick(3)];
    try {
        const TwoJointed first(dice), second(dice);
        const collide::SphereTree tree_a = collide::build_tree(first.character);
        const collide::SphereTree tree_b = collide::build_tree(second.character);
        collide::Body a(tree_a, method), b(tree_b, method);
        a.set_pose(first.pose(dice));
        b.set_pose(second.pose(dice));
        collide::QueryScratch scratch;
        std::vector<collide::Contact> found, own;
        collide::find_contacts(a, b, found, scratch);
        collide::find_self_contacts(a, own, scratch);
        if (found != collide::brute_force_contacts(a, b)) std::abort();
        if (own != collide::brute_force_self_contacts(a)) std::abort();
    } catch (const Error& error) {
        if (error.reason().size() < 10) std::abort();
    }
    return 0;
}
