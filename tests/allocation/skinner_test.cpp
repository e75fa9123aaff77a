// SPDX-License-Identifier: MIT
// Deforming a frame allocates nothing.

#include "sinew/deform/skinner.h"

#include "counter.h"
#include "support/motion.h"
#include <gtest/gtest.h>

namespace sinew::deform {
namespace {

TEST(Allocations, DeformingAFrameNeedsNone) {
    test::Random random(4);
    const model::Skeleton skeleton = test::random_skeleton(random, 30);
    geometry::Mesh mesh;
    model::Skin skin;
    skin.joints = model::bind_at_rest(skeleton);
    for (int v = 0; v < 2000; ++v) {
        mesh.positions.push_back(random.vector().cast<float>());
        mesh.normals.push_back(random.unit_vector().cast<float>());
        std::vector<model::Influence> list;
        const int count = random.integer(1, 4);
        for (int i = 0; i < count; ++i)
            list.push_back({static_cast<std::uint32_t>(random.integer(0, 29)), 0.5f});
        skin.push_vertex(list);
    }
    model::clean(skin);
    SkinnerOptions options;
    options.centers = mesh.positions;
    const Skinner skinner(mesh, skin, &skeleton, options);
    Skinner::Pose pose(skinner);
    std::vector<std::byte> bytes(skinner.vertex_count() * 24);
    std::vector<Mat34f> palette(skin.joints.size());
    for (Mat34f& matrix : palette) matrix = to_mat34(random.rigid().matrix());
    for (const bool affine : {false, true}) {
        if (affine) palette[3].rows[0][0] *= 2;
        for (const MethodInfo& info : methods()) {
            EXPECT_EQ(test::allocations_in(
                          [&] { skinner.deform(palette, info.method, pose, VertexBuffer{bytes}); }),
                      0u)
                << info.name << (affine ? " affine" : "");
        }
    }
}

}  // namespace
}  // namespace sinew::deform
