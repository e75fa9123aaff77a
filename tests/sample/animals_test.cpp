// SPDX-License-Identifier: MIT
#include "sinew/sample/bodies/animals.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/topology.h"
#include "sinew/sample/bodies/man.h"
#include "sinew/sample/samples.h"

namespace sinew::sample {
namespace {

using geometry::Vec3f;

struct Case {
    const char* name;
    Animal (*animal)();
    model::Character (*make)(std::size_t faces);
    std::size_t published;  ///< the even number next to the published one
    bool symmetric;
};

constexpr Case cases[] = {
    {"horse", horse, make_horse, 16844, true},
    {"cat", cat, make_cat, 20000, true},
    {"ostrich", ostrich, make_ostrich, 52896, true},
    {"hand", hand, make_hand, 38016, false},
};

constexpr std::size_t few = 6000;

class Animals : public testing::TestWithParam<Case> {
  protected:
    /// With few triangles; made once.
    const model::Character& character() const {
        static std::map<std::string, model::Character> made;
        auto found = made.find(GetParam().name);
        if (found == made.end()) found = made.emplace(GetParam().name, GetParam().make(few)).first;
        return found->second;
    }
};

void expect_one_closed_surface(const geometry::Mesh& mesh) {
    const geometry::Topology t = geometry::topology(mesh);
    EXPECT_TRUE(t.closed && t.manifold && t.oriented);
    EXPECT_EQ(t.genus, 0);
    EXPECT_EQ(t.components, 1u);
    EXPECT_EQ(t.degenerate_faces + t.duplicate_vertices + t.isolated_vertices, 0u);
}

TEST_P(Animals, AreClosedSurfacesOfGenusZeroWithTheWantedFaces) {
    EXPECT_EQ(character().mesh.triangles.size(), few);
    expect_one_closed_surface(character().mesh);
    EXPECT_GT(geometry::signed_volume(character().mesh.positions, character().mesh.triangles), 0);
    EXPECT_NO_THROW(model::validate(character(), GetParam().name));
}

TEST_P(Animals, HaveThePublishedFacesByDefault) {
    const geometry::Mesh mesh = GetParam().make(0).mesh;
    EXPECT_EQ(mesh.triangles.size(), GetParam().published);
    expect_one_closed_surface(mesh);
}

TEST_P(Animals, AreMirrorSymmetricBitForBit) {
    if (!GetParam().symmetric) GTEST_SKIP() << "no symmetric animal";
    std::map<std::array<float, 3>, std::size_t> places;
    const auto& mesh = character().mesh;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& p = mesh.positions[v];
        places[{p.x() == 0 ? 0.0f : p.x(), p.y(), p.z()}] = v;
    }
    const std::vector<int> other = opposite_joints(character().skeleton);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& p = mesh.positions[v];
        const auto twin = places.find({p.x() == 0 ? 0.0f : -p.x(), p.y(), p.z()});
        ASSERT_NE(twin, places.end()) << p.transpose();
        ASSERT_EQ(mesh.colors[v], mesh.colors[twin->second]);
        std::map<int, float> here, there;
        for (const auto& i : character().skin.of(v)) here[static_cast<int>(i.joint)] = i.weight;
        for (const auto& i : character().skin.of(twin->second)) there[other[i.joint]] = i.weight;
        ASSERT_EQ(here, there) << p.transpose();
    }
}

TEST_P(Animals, EveryJointAndTipLiesInsideTheBody) {
    const ImplicitBody body = GetParam().animal().body;
    const auto world = model::rest_world_matrices(character().skeleton);
    const auto& joints = character().skeleton.joints;
    for (std::size_t j = 0; j < world.size(); ++j)
        EXPECT_LT(body(Vec3d(world[j].topRightCorner<3, 1>())), -0.002) << joints[j].name;
    for (const model::Bone& bone : model::bones(character().skeleton, world)) {
        const double length = (bone.end - bone.start).norm();
        EXPECT_LT(body(bone.end), 0.02 * length) << joints[static_cast<std::size_t>(bone.joint)].name;
    }
}

double distance_to_bone(const model::Bone& bone, const Vec3d& p) {
    const Vec3d along = bone.end - bone.start;
    const double t = std::clamp((p - bone.start).dot(along) / along.squaredNorm(), 0.0, 1.0);
    return (p - bone.start - t * along).norm();
}

TEST_P(Animals, WeightsFollowTheNearestBones) {
    const auto& joints = character().skeleton.joints;
    const auto bones = model::bones(character().skeleton, model::rest_world_matrices(character().skeleton));
    std::size_t near = 0;
    const std::size_t count = character().skin.vertex_count();
    for (std::size_t v = 0; v < count; ++v) {
        const Vec3d p = character().mesh.positions[v].cast<double>();
        const auto nearest = std::min_element(bones.begin(), bones.end(), [&](const auto& a, const auto& b) {
            return distance_to_bone(a, p) < distance_to_bone(b, p);
        });
        const auto list = character().skin.of(v);
        double sum = 0;
        for (const auto& i : list) sum += i.weight;
        ASSERT_NEAR(sum, 1, 1e-5);
        ASSERT_LE(list.size(), 4u);
        const int heaviest =
            static_cast<int>(std::max_element(list.begin(), list.end(), [](const auto& a, const auto& b) {
                                 return a.weight < b.weight;
                             })->joint);
        const auto parent = [&](int j) { return joints[static_cast<std::size_t>(j)].parent; };
        near += heaviest == nearest->joint || parent(heaviest) == nearest->joint ||
                heaviest == parent(nearest->joint);
    }
    // Not all: a folded wing lies on the body, whose bones are nearer to it than its own.
    EXPECT_GT(static_cast<double>(near), 0.8 * static_cast<double>(count));
}

TEST_P(Animals, NoSideReachesOverToTheOther) {
    if (!GetParam().symmetric) GTEST_SKIP() << "no symmetric animal";
    for (std::size_t v = 0; v < character().skin.vertex_count(); ++v) {
        const Vec3f& p = character().mesh.positions[v];
        for (const auto& i : character().skin.of(v)) {
            const std::string& name = character().skeleton.joints[i.joint].name;
            const double across = (name.starts_with("Left") ? -p.x() : p.x());
            EXPECT_FALSE((name.starts_with("Left") || name.starts_with("Right")) && across > 0.05)
                << name << " at " << p.transpose();
            EXPECT_FALSE(name.starts_with("Tail") && p.z() > 0) << name << " at " << p.transpose();
        }
    }
}

TEST_P(Animals, EveryJointMovesAndTheLastClipLoops) {
    ASSERT_FALSE(character().clips.empty());
    const model::Clip& clip = character().clips.back();
    const model::TimeRange range = model::time_range(clip);
    const auto first = model::sample(clip, character().skeleton, range.start),
               last = model::sample(clip, character().skeleton, range.end);
    std::size_t still = 0;
    for (std::size_t j = 0; j < first.size(); ++j) {
        EXPECT_TRUE(first[j].rotation.isApprox(last[j].rotation, 1e-6));
        EXPECT_TRUE(first[j].translation.isApprox(last[j].translation, 1e-6));
        double moved = 0;
        for (const auto& q : clip.tracks[j].rotation.values)
            moved = std::max(moved, q.cast<double>().angularDistance(first[j].rotation));
        still += moved < 0.01;
    }
    EXPECT_LE(still, 1u);  // the forearm of the hand
}

TEST_P(Animals, FeetStayWhereTheyArePut) {
    const model::Clip& clip = character().clips.front();
    if (clip.name != "walk") GTEST_SKIP() << "no feet";
    const char* foot = GetParam().make == make_horse ? "LeftHindHoof" : "LeftToes";
    const auto at = [&](int key) {
        const double time = clip.tracks.front().rotation.times[static_cast<std::size_t>(key)];
        return Vec3d(model::world_matrices(character(), &clip,
                                           time)[static_cast<std::size_t>(character().skeleton.find(foot))]
                         .topRightCorner<3, 1>());
    };
    // The left hind foot stands from key 0 to 0.6 of the cycle of 48 keys.
    const double size = geometry::bounds(character().mesh.positions).diagonal();
    for (int key = 1; key <= 28; ++key) {
        EXPECT_NEAR(at(key).z(), at(0).z(), 0.002 * size) << key;
        EXPECT_NEAR(at(key).y(), at(0).y(), 0.002 * size) << key;
    }
    EXPECT_GT(at(40).y(), at(0).y() + 0.01 * size);
    EXPECT_GT(at(48).z(), at(0).z() + 0.1 * size);
}

INSTANTIATE_TEST_SUITE_P(All, Animals, testing::ValuesIn(cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(AnimalFaces, SameForEveryThreadCountAndCall) {
    const model::Character one = make_cat(5001);  // an odd number is rounded up
    EXPECT_EQ(one.mesh.triangles.size(), 5002u);
    set_thread_count(1);
    const model::Character two = make_cat(5001);
    set_thread_count(0);
    EXPECT_EQ(one.mesh.positions, two.mesh.positions);
    EXPECT_EQ(one.mesh.triangles, two.mesh.triangles);
}

TEST(AnimalFaces, AHopelessNumberIsRefused) {
    EXPECT_THROW(make_cat(10), Error);
}

TEST(AnimalFaces, TheManCanHaveThePublishedFaces) {
    const geometry::Mesh mesh = make_man(29216).mesh;
    EXPECT_EQ(mesh.triangles.size(), 29216u);
    expect_one_closed_surface(mesh);
    EXPECT_THROW(make_man(100), Error);
}

}  // namespace
}  // namespace sinew::sample
