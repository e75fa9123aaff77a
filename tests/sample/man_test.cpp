// SPDX-License-Identifier: MIT
#include "sinew/sample/bodies/man.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "sinew/base/parallel.h"
#include "sinew/geometry/topology.h"
#include "sinew/sample/samples.h"

namespace sinew::sample {
namespace {

using geometry::Vec3f;

const model::Character& man() {
    static const model::Character character = make_man();
    return character;
}

using Key = std::array<float, 3>;

/// Vertex at the mirror image of each vertex.
std::vector<std::uint32_t> mirror_map(const geometry::Mesh& mesh) {
    std::map<Key, std::uint32_t> places;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& p = mesh.positions[v];
        places[{p.x() == 0 ? 0.0f : p.x(), p.y(), p.z()}] = v;
    }
    std::vector<std::uint32_t> twin;
    for (const Vec3f& p : mesh.positions) {
        const auto found = places.find({p.x() == 0 ? 0.0f : -p.x(), p.y(), p.z()});
        if (found == places.end()) return {};
        twin.push_back(found->second);
    }
    return twin;
}

TEST(Man, IsOneClosedSurfaceOfGenusZero) {
    const geometry::Topology t = geometry::topology(man().mesh);
    EXPECT_GE(man().mesh.vertex_count(), 8000u);
    EXPECT_LE(man().mesh.vertex_count(), 12000u);
    EXPECT_TRUE(t.closed && t.manifold && t.oriented);
    EXPECT_EQ(t.genus, 0);
    EXPECT_EQ(t.components, 1u);
    EXPECT_EQ(t.degenerate_faces + t.duplicate_vertices + t.isolated_vertices, 0u);
}

TEST(Man, HasTheSizeOfAMan) {
    const geometry::Box box = geometry::bounds(man().mesh.positions);
    EXPECT_NEAR(box.high.y(), 1.75, 0.004);
    EXPECT_NEAR(box.low.y(), 0, 0.003);
    EXPECT_NEAR(box.size().x(), 1.75, 0.08);  // the span of the arms is about the height
    const double volume = geometry::signed_volume(man().mesh.positions, man().mesh.triangles);
    EXPECT_GT(volume, 0.06);
    EXPECT_LT(volume, 0.09);
}

TEST(Man, IsMirrorSymmetricBitForBit) {
    const geometry::Mesh& mesh = man().mesh;
    const std::vector<std::uint32_t> twin = mirror_map(mesh);
    ASSERT_EQ(twin.size(), mesh.positions.size());
    for (std::size_t v = 0; v < twin.size(); ++v) {
        const Vec3f &n = mesh.normals[v], &m = mesh.normals[twin[v]];
        ASSERT_TRUE(n.x() == -m.x() && n.y() == m.y() && n.z() == m.z());
        ASSERT_EQ(mesh.colors[v], mesh.colors[twin[v]]);
    }
    std::set<geometry::Triangle> known;
    const auto canonical = [](geometry::Triangle t) {
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
        return t;
    };
    for (const auto& t : mesh.triangles) known.insert(canonical(t));
    for (const auto& t : mesh.triangles)
        ASSERT_TRUE(known.contains(canonical({twin[t[0]], twin[t[2]], twin[t[1]]})));
}

TEST(Man, WeightsAreConvexAndSymmetric) {
    const model::Skin& skin = man().skin;
    const std::vector<std::uint32_t> twin = mirror_map(man().mesh);
    const std::vector<int> other = opposite_joints(man().skeleton);
    ASSERT_EQ(skin.vertex_count(), twin.size());
    for (std::size_t v = 0; v < twin.size(); ++v) {
        std::map<int, float> here, there;
        double sum = 0;
        for (const model::Influence& i : skin.of(v)) {
            EXPECT_GT(i.weight, 0);
            sum += i.weight;
            here[static_cast<int>(i.joint)] = i.weight;
        }
        for (const model::Influence& i : skin.of(twin[v])) there[other[i.joint]] = i.weight;
        ASSERT_EQ(here, there) << "vertex " << v;
        ASSERT_NEAR(sum, 1, 1e-6);
        ASSERT_LE(skin.of(v).size(), 4u);
    }
}

TEST(Man, NoMoreThanFourJointsReachAnyPoint) {
    const auto skeleton = man_skeleton();
    const auto shares = man_shares(skeleton);
    for (const Vec3f& p : man().mesh.positions) {
        const auto weights = tree_weights(skeleton, shares, p.cast<double>());
        const auto count = std::count_if(weights.begin(), weights.end(), [](double w) { return w > 1e-3; });
        ASSERT_LE(count, 4) << p.transpose();
        double sum = 0;
        for (const double w : weights) sum += w;
        ASSERT_NEAR(sum, 1, 1e-9) << p.transpose();
    }
}

TEST(Man, WeightsDoNotLeak) {
    const auto& joints = man().skeleton.joints;
    for (std::size_t v = 0; v < man().skin.vertex_count(); ++v) {
        const Vec3f& p = man().mesh.positions[v];
        for (const model::Influence& i : man().skin.of(v)) {
            const std::string& name = joints[i.joint].name;
            const bool arm = name.ends_with("Arm") || name.ends_with("Hand") || name.ends_with("mal") ||
                             name.ends_with("tal");
            // No arm on the trunk, no leg on the other leg or above the hips, no head below the chin.
            EXPECT_TRUE(!arm || (std::abs(p.x()) > 0.10f && p.y() > 1.27f))
                << name << " at " << p.transpose();
            EXPECT_TRUE(name != "LeftLowerLeg" || p.x() > 0) << p.transpose();
            EXPECT_TRUE(name != "RightLowerLeg" || p.x() < 0) << p.transpose();
            EXPECT_TRUE(!name.ends_with("Leg") || p.y() < 1.02f) << name << " at " << p.transpose();
            EXPECT_TRUE(name != "Head" || p.y() > 1.48f) << p.transpose();
        }
    }
}

TEST(Man, EveryJointLiesInsideTheBody) {
    const ImplicitBody body = man_body();
    const auto world = model::rest_world_matrices(man().skeleton);
    EXPECT_GE(man().skeleton.size(), 20u);
    for (std::size_t j = 0; j < world.size(); ++j) {
        const math::Vec3d at = world[j].topRightCorner<3, 1>();
        EXPECT_LT(body(at), -0.004) << man().skeleton.joints[j].name;
        EXPECT_TRUE(world[j].isApprox(Eigen::Affine3d(Eigen::Translation3d(at)).matrix()));
    }
    for (const model::Bone& bone : model::bones(man().skeleton, world))
        EXPECT_LT(body(bone.end), 0.002) << man().skeleton.joints[static_cast<std::size_t>(bone.joint)].name;
}

TEST(Man, VerticesLieOnTheField) {
    const ImplicitBody body = man_body();
    double worst = 0;
    for (const Vec3f& p : man().mesh.positions) worst = std::max(worst, std::abs(body(p.cast<double>())));
    EXPECT_LT(worst, 0.002);
}

TEST(Man, NormalsAgreeWithTheTriangles) {
    const auto faces = geometry::vertex_normals(man().mesh.positions, man().mesh.triangles);
    std::size_t off = 0;
    for (std::size_t v = 0; v < faces.size(); ++v) {
        ASSERT_NEAR(man().mesh.normals[v].norm(), 1, 1e-5);
        off += faces[v].dot(man().mesh.normals[v]) < 0.7f;
    }
    EXPECT_LT(static_cast<double>(off), 0.02 * static_cast<double>(faces.size()));
}

TEST(Man, SameForEveryThreadCountAndCall) {
    set_thread_count(1);
    const model::Character again = make_man();
    set_thread_count(0);
    EXPECT_EQ(again.mesh.positions, man().mesh.positions);
    EXPECT_EQ(again.mesh.triangles, man().mesh.triangles);
    EXPECT_EQ(again.mesh.colors, man().mesh.colors);
    ASSERT_EQ(again.skin.influences.size(), man().skin.influences.size());
    for (std::size_t i = 0; i < again.skin.influences.size(); ++i)
        ASSERT_EQ(again.skin.influences[i].weight, man().skin.influences[i].weight);
}

}  // namespace
}  // namespace sinew::sample
