// SPDX-License-Identifier: MIT
#include "reference/deform/reference.h"
#include "support/random.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/deform/corrective/delta_mush.h"
#include "sinew/deform/deformer.h"
#include "sinew/sample/samples.h"

namespace sinew::deform {
namespace direct_delta_mush_test {

using math::Mat4d;
using math::Vec3f;

/// Largest distance between two results, in percent of the diagonal of the first.
double largest_percent(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
    const std::vector<float> distances = vertex_distances(a, b);
    return 100 * *std::ranges::max_element(distances) / geometry::bounds(a).diagonal();
}

/// A sample in a pose, with its palette.
struct Posed {
    model::Character character;
    std::vector<Mat4d> palette;

    Posed(const char* name, const char* clip, double time) : character(sample::make(name)) {
        palette = model::palette(character.skin,
                                 model::world_matrices(character, model::find_clip(character, clip), time));
    }
    std::vector<Vec3f> skinned(Method method) const {
        const model::InfluenceSets sets = model::group_by_influences(character.skin, &character.skeleton);
        return deform<float>(character.mesh, character.skin, sets, palette, method).positions;
    }
};

/// Every vertex on its heaviest joint alone.
model::Skin rigid_weights(const model::Skin& skin) {
    model::Skin rigid = skin;
    model::clean(rigid, {.max_influences = 1});
    return rigid;
}

/// The formula of the paper as it stands, with 4 x 4 matrices and the SVD.
std::vector<Vec3f> by_the_formula(const geometry::Mesh& mesh, const model::Skin& skin,
                                  const DeltaMushOptions& options, const std::vector<Mat4d>& palette) {
    const auto count = static_cast<Eigen::Index>(mesh.vertex_count());
    VertexField b = VertexField::Identity(count, count);
    MeshSmoother(mesh, options).smooth(b);
    std::vector<Vec3f> result;
    for (Eigen::Index k = 0; k < count; ++k) {
        Mat4d sum = Mat4d::Zero();
        for (Eigen::Index l = 0; l < count; ++l) {
            const auto at = static_cast<std::size_t>(l);
            const Eigen::Vector4d v = mesh.positions[at].cast<double>().homogeneous();
            for (const model::Influence& i : skin.of(at))
                sum += palette[i.joint] * (b(k, l) * i.weight * v * v.transpose());
        }
        const math::Vec3d q = sum.topRightCorner<3, 1>(), p = sum.bottomLeftCorner<1, 3>().transpose();
        const math::Mat3d r = math::nearest_rotation(sum.topLeftCorner<3, 3>() - q * p.transpose());
        const math::Vec3d v = mesh.positions[static_cast<std::size_t>(k)].cast<double>();
        result.push_back((r * v + q - r * p).cast<float>());
    }
    return result;
}

TEST(DirectDeltaMush, IsTheFormulaInWildPosesToo) {
    test::Random random(11);
    const geometry::Mesh mesh = test::torus(14, 9);
    model::Skin skin;
    for (int j = 0; j < 3; ++j) skin.joints.push_back({j, Mat4d::Identity()});
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        const auto w = static_cast<float>(random.uniform(0, 0.5));
        skin.push_vertex(std::vector<model::Influence>{{0, w}, {1, 0.5f}, {2, 0.5f - w}});
    }
    model::clean(skin);
    for (const DeltaMushOptions& options : {DeltaMushOptions{5, 0.5}, DeltaMushOptions{2, 3, true}}) {
        const DirectDeltaMush mush(mesh, skin, options);
        for (int n = 0; n < 20; ++n) {
            std::vector<Mat4d> palette;
            for (int j = 0; j < 3; ++j) palette.push_back(random.rigid(1).matrix());
            if (n % 4 == 3) palette[1].topLeftCorner<3, 3>() *= 1.5;
            EXPECT_LT(largest_percent(by_the_formula(mesh, skin, options, palette), mush.apply(palette)),
                      0.01);
        }
    }
}

TEST(DirectDeltaMush, ARigidPaletteMovesTheRestPoseRigidly) {
    test::Random random(7);
    const model::Character tube = sample::make("tube");
    for (const DeltaMushOptions& options : {DeltaMushOptions{}, DeltaMushOptions{4, 2.5, true}}) {
        const DirectDeltaMush mush(tube.mesh, tube.skin, options);
        const std::vector<Mat4d> still(tube.skin.joints.size(), Mat4d::Identity());
        EXPECT_LT(largest_percent(mush.apply(still), tube.mesh.positions), 1e-4);
        const math::Rigidd move = random.rigid(30);
        std::vector<Vec3f> moved;
        for (const Vec3f& p : tube.mesh.positions) moved.push_back((move * p.cast<double>()).cast<float>());
        const std::vector<Mat4d> palette(still.size(), move.matrix());
        EXPECT_LT(largest_percent(mush.apply(palette), moved), 1e-3);
    }
}

TEST(DirectDeltaMush, WithoutSmoothingItIsLinearSkinning) {
    const Posed bent("tube", "bend", 0.6);
    for (const DeltaMushOptions& options : {DeltaMushOptions{0, 0.5}, DeltaMushOptions{20, 0}}) {
        const DirectDeltaMush mush(bent.character.mesh, bent.character.skin, options);
        EXPECT_LT(largest_percent(mush.apply(bent.palette), bent.skinned(Method::lbs)), 1e-4);
    }
}

// Delta Mush takes frames from the smoothed surface, the direct form the rotation nearest to the smoothed
// motion: alike, not equal.
TEST(DirectDeltaMush, StaysCloseToDeltaMush) {
    struct Case {
        const char *name, *clip;
        double time, max_percent;
    };
    for (const Case& one :
         {Case{"tube", "bend", 0.6, 0.2}, {"tube", "twist", 0.6, 0.2}, {"man", "walk", 0.4, 1}}) {
        const Posed posed(one.name, one.clip, one.time);
        const std::vector<Vec3f> skinned = posed.skinned(Method::lbs);
        const std::vector<Vec3f> mushed = DeltaMush(posed.character.mesh).apply(skinned);
        const std::vector<Vec3f> direct =
            DirectDeltaMush(posed.character.mesh, posed.character.skin).apply(posed.palette);
        double rms = 0;
        for (const float d : vertex_distances(mushed, direct)) rms += double(d) * d;
        rms = 100 * std::sqrt(rms / double(mushed.size())) / geometry::bounds(mushed).diagonal();
        EXPECT_LT(largest_percent(mushed, direct), one.max_percent) << one.name << " " << one.clip;
        EXPECT_LT(rms, 0.1) << one.name << " " << one.clip;
        EXPECT_GT(largest_percent(mushed, skinned), 2 * largest_percent(mushed, direct));
    }
}

TEST(DirectDeltaMush, SoftensRigidWeights) {
    Posed bent("tube", "bend", 0.6);
    bent.character.skin = rigid_weights(bent.character.skin);
    const std::vector<Vec3f> rigid = bent.skinned(Method::lbs);
    const std::vector<Vec3f> soft =
        DirectDeltaMush(bent.character.mesh, bent.character.skin).apply(bent.palette);
    const auto longest = [&](const std::vector<Vec3f>& positions) {
        double max = 0;
        for (const geometry::Edge& edge : geometry::edge_table(bent.character.mesh.triangles).edges) {
            const auto& rest = bent.character.mesh.positions;
            max = std::max<double>(
                max, (positions[edge.a] - positions[edge.b]).norm() / (rest[edge.a] - rest[edge.b]).norm());
        }
        return max;
    };
    EXPECT_GT(longest(rigid), 4);
    EXPECT_LT(longest(soft), 0.6 * longest(rigid));
}

TEST(DirectDeltaMush, SeamsStayClosedAndLonePointsFollowTheirJoint) {
    Posed bent("tube", "bend", 0.6);
    geometry::Mesh& mesh = bent.character.mesh;
    model::Skin& skin = bent.character.skin;
    // A copy of one vertex for one triangle, and a point without triangles.
    const std::uint32_t corner = mesh.triangles.front()[0];
    const std::vector<model::Influence> weights(skin.of(corner).begin(), skin.of(corner).end());
    mesh.triangles.front()[0] = static_cast<std::uint32_t>(mesh.vertex_count());
    for (const Vec3f& place : {Vec3f(mesh.positions[corner]), Vec3f(5, 6, 7)}) {
        mesh.positions.push_back(place);
        skin.push_vertex(weights);
    }
    mesh.normals.clear();
    const std::vector<Vec3f> soft = DirectDeltaMush(mesh, skin).apply(bent.palette);
    EXPECT_EQ(soft[corner], soft[soft.size() - 2]);
    EXPECT_LT((soft.back() - bent.skinned(Method::lbs).back()).norm(), 1e-5f);
}

TEST(DirectDeltaMush, BadRequestsAreErrors) {
    const model::Character tube = sample::make("tube");
    EXPECT_THROW(DirectDeltaMush(test::cube(), tube.skin), Error);
    EXPECT_THROW(DirectDeltaMush(tube.mesh, tube.skin, {-1, 0.5}), Error);
    EXPECT_THROW(DirectDeltaMush(tube.mesh, tube.skin, {1, 1.5}), Error);
    EXPECT_NO_THROW(DirectDeltaMush(tube.mesh, tube.skin, {1, 1.5, true}));
    EXPECT_THROW(DirectDeltaMush(tube.mesh, tube.skin).apply({}), Error);
}

}  // namespace direct_delta_mush_test
}  // namespace sinew::deform
