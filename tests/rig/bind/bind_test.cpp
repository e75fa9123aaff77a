// SPDX-License-Identifier: MIT
#include "sinew/rig/bind.h"

#include "reference/deform/reference.h"
#include "rig/limbs.h"
#include "rig/template_support.h"
#include "support/data.h"
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/io/io.h"
#include "sinew/rig/bind/weight_table.h"
#include "sinew/rig/measure.h"

namespace sinew::rig {
namespace {

/// The rig as an artist made it, its mesh at rest and bound there.
model::Character at_rest(model::Character character) {
    character.mesh = test::mesh_at_rest(character);
    character.skin = make_skin(table_of(character.skin), character.skeleton, character.mesh, {0, 0});
    return character;
}

model::Character rebound(const model::Character& reference, BindMethod method) {
    model::Character result = reference;
    BindOptions options;
    options.method = method;
    result.skin = bind(reference.mesh, reference.skeleton, options).skin;
    return result;
}

/// Mean distance of the vertices over the clips of the reference, or with every joint bent by 45 degrees when
/// it has none, in percent of the diagonal.
double surface_error(const model::Character& reference, const model::Character& other) {
    std::vector<std::vector<math::Mat4d>> poses;
    for (const model::Clip& clip : reference.clips) {
        const model::TimeRange range = model::time_range(clip);
        for (int i = 0; i < 4; ++i)
            poses.push_back(model::world_matrices(reference, &clip, range.start + range.duration() * i / 4));
    }
    if (poses.empty())
        for (int j = 1; j < static_cast<int>(reference.skeleton.size()); j += 3)
            poses.push_back(model::world_matrices(reference.skeleton,
                                                  bent_pose(reference.skeleton, j, math::radians(45))));
    const auto posed = [](const model::Character& c, const std::vector<math::Mat4d>& world) {
        const auto sets = model::group_by_influences(c.skin, &c.skeleton);
        return deform::deform(c.mesh, c.skin, sets, model::palette(c.skin, world), deform::Method::lbs)
            .positions;
    };
    double sum = 0, count = 0;
    for (const auto& world : poses) {
        const auto a = posed(reference, world), b = posed(other, world);
        for (std::size_t v = 0; v < a.size(); ++v) sum += static_cast<double>((a[v] - b[v]).norm());
        count += static_cast<double>(a.size());
    }
    return 100 * sum / count / geometry::bounds(reference.mesh.positions).diagonal();
}

TEST(Bind, TheDefaultIsNearTheTruthOnEverySample) {
    for (const char* name : {"man", "horse", "cat", "ostrich", "hand"}) {
        const bool whole = std::string_view(name) == "man" || std::string_view(name) == "horse";
        const model::Character truth = test::sample(name, whole ? 0 : test::few_faces);
        const double off = measure_weights(truth, rebound(truth, BindMethod::automatic)).mean_l1;
        EXPECT_LT(off, 0.25) << name;
        for (const BindMethod other : {BindMethod::distance, BindMethod::nearest, BindMethod::heat})
            EXPECT_LT(off, measure_weights(truth, rebound(truth, other)).mean_l1)
                << name << " " << name_of(other);
    }
}

TEST(Bind, TheDefaultMovesRealCharactersAsTheirArtistsDid) {
    SINEW_NEEDS_DATA();
    for (const char* file : {"CesiumMan", "RiggedFigure", "RobotExpressive", "human_male", "dragon"}) {
        const model::Character artist =
            at_rest(io::read(test::data(std::string("gltf/") + file + ".glb")).character);
        const model::Character ours = rebound(artist, BindMethod::automatic);
        EXPECT_NO_THROW(model::validate(ours.skin, ours.mesh.vertex_count(), ours.skeleton.size(), file));
        EXPECT_EQ(weight_quality(ours).torn, 0u) << file;
        const double off = surface_error(artist, ours);
        EXPECT_LT(off, 1) << file;
        for (const BindMethod other : {BindMethod::heat, BindMethod::nearest, BindMethod::rigid})
            EXPECT_LT(off, surface_error(artist, rebound(artist, other))) << file << " " << name_of(other);
    }
}

TEST(Bind, ItSaysWhatItTookAndWhy) {
    const model::Character man = test::sample("man");
    const BindResult closed = bind(man.mesh, man.skeleton);
    EXPECT_EQ(closed.method, BindMethod::voxel);
    EXPECT_NE(closed.reason.find("closed"), std::string::npos);
    geometry::Mesh open = man.mesh;
    open.triangles.resize(open.triangles.size() - 40);
    EXPECT_NE(bind(open, man.skeleton).reason.find("open"), std::string::npos);
    BindOptions rigid;
    rigid.method = BindMethod::rigid;
    EXPECT_EQ(bind(man.mesh, man.skeleton, rigid).reason, "requested");
}

TEST(Bind, EveryMethodBindsEveryVertexWithinTheLimits) {
    const model::Character hand = test::sample("hand", test::few_faces);
    for (const BindMethod method : bind_methods()) {
        BindOptions options;
        options.method = method;
        options.max_influences = 3;
        const model::Skin skin = bind(hand.mesh, hand.skeleton, options).skin;
        EXPECT_NO_THROW(
            model::validate(skin, hand.mesh.vertex_count(), hand.skeleton.size(), name_of(method)));
        for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
            ASSERT_GE(skin.of(v).size(), 1u);
            ASSERT_LE(skin.of(v).size(), 3u);
        }
    }
}

TEST(Bind, TheSameForEveryThreadCount) {
    const model::Character tube = test::sample("tube");
    for (const BindMethod method : bind_methods()) {
        const auto influences = [&](int threads) {
            set_thread_count(threads);
            const model::Skin skin = rebound(tube, method).skin;
            set_thread_count(0);
            std::vector<std::pair<std::uint32_t, float>> list;
            for (const model::Influence& i : skin.influences) list.emplace_back(i.joint, i.weight);
            return list;
        };
        EXPECT_EQ(influences(1), influences(3)) << name_of(method);
    }
}

TEST(Bind, SymmetricBodiesGetSymmetricWeights) {
    const model::Character man = test::sample("man");
    BindOptions whole;  // what is cut off near a limit may be cut on one side only
    whole.max_influences = 0;
    whole.prune_below = 0;
    const WeightTable table = table_of(bind(man.mesh, man.skeleton, whole).skin);
    const MirrorPlane plane;
    const auto twin = pair_joints(man.skeleton, model::find_roles(man.skeleton), plane);
    const WeightTable mirrored = mirror_weights(man.mesh, table, plane, twin);
    double worst = 0;
    for (std::size_t v = 0; v < table.size(); ++v)
        for (const JointWeight& entry : table[v]) {
            double other = 0;
            for (const JointWeight& e : mirrored[v])
                if (e.joint == entry.joint) other = e.weight;
            worst = std::max(worst, std::abs(other - entry.weight));
        }
    EXPECT_LT(worst, 1e-4);
}

TEST(Bind, ASkeletonOfAnotherSizeIsRefusedWithBothSizes) {
    const model::Character man = test::sample("man");
    model::Skeleton centimetres = man.skeleton;
    for (model::Joint& joint : centimetres.joints) joint.rest.translation *= 100;
    try {
        bind(man.mesh, centimetres);
        FAIL() << "bound";
    } catch (const Error& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find("the mesh is"), std::string::npos) << said;
        EXPECT_NE(said.find("and the skeleton"), std::string::npos) << said;
        EXPECT_NE(said.find("more than 10 times its size"), std::string::npos) << said;
    }
    // A pair of glasses on a whole body is fine.
    geometry::Mesh glasses = test::body_of({{{-0.07, 1.65, 0.1}, {0.07, 1.65, 0.1}, 0.03}}, 0.01);
    EXPECT_NO_THROW(bind(glasses, man.skeleton, {.method = BindMethod::nearest}));
}

TEST(Bind, OddSkeletonsAndMeshesGetABindingOrAReason) {
    const model::Character tube = test::sample("tube");
    EXPECT_THROW(bind({}, tube.skeleton), Error);
    EXPECT_THROW(bind(tube.mesh, {}), Error);
    model::Skeleton one;
    one.joints = {{"only", -1, {}, {}, {}}};
    model::Skeleton outside = tube.skeleton;
    outside.joints[0].rest.translation += math::Vec3d(50, 0, 0);
    model::Skeleton flat = tube.skeleton;  // all joints at one place
    for (model::Joint& joint : flat.joints) joint.rest.translation.setZero();
    model::Skeleton many = tube.skeleton;
    while (many.size() < 300) {
        model::Joint joint;
        joint.name = fmt::format("extra{}", many.size());
        joint.parent = static_cast<int>(many.size()) - 1;
        joint.rest.translation = {0, 0.001, 0};
        many.joints.push_back(joint);
    }
    geometry::Mesh isolated;
    isolated.positions = tube.mesh.positions;
    isolated.triangles = tube.mesh.triangles;
    isolated.positions.push_back({9, 9, 9});
    for (const BindMethod method : {BindMethod::automatic, BindMethod::regions, BindMethod::heat}) {
        BindOptions options;
        options.method = method;
        for (const model::Skeleton* skeleton : {&one, &outside, &flat, &many}) {
            try {
                const model::Skin skin = bind(tube.mesh, *skeleton, options).skin;
                EXPECT_EQ(skin.vertex_count(), tube.mesh.vertex_count());
            } catch (const Error& error) {
                EXPECT_FALSE(error.reason().empty());
            }
        }
        EXPECT_EQ(bind(isolated, tube.skeleton, options).skin.vertex_count(), isolated.vertex_count());
    }
}

/// Weight of a joint over all vertices.
double total(const model::Skin& skin, int joint) {
    double sum = 0;
    for (const auto& entry : table_of(skin).entries)
        if (entry.joint == joint) sum += entry.weight;
    return sum;
}

TEST(Bind, JointsThatOnlyMoveOthersCarryNothing) {
    const geometry::Mesh mesh = test::body_of(test::capsule(), 0.08);
    // A root far below the body, whose bone leads through half of it; and helpers by name.
    const auto joint = [](const char* name, int parent, const math::Vec3d& offset) {
        model::Joint result;
        result.name = name;
        result.parent = parent;
        result.rest.translation = offset;
        return result;
    };
    model::Skeleton skeleton;
    skeleton.joints = {joint("root", -1, {0, -3, 0}), joint("low", 0, {0, 2, 0}),
                       joint("high", 1, {0, 1, 0})};
    skeleton.joints.back().tip = math::Vec3d(0, 1, 0);
    for (const bool inside_out : {false, true}) {
        geometry::Mesh body = mesh;
        if (inside_out)
            for (geometry::Triangle& t : body.triangles) std::swap(t[0], t[1]);
        for (const BindMethod method : {BindMethod::voxel, BindMethod::distance, BindMethod::nearest}) {
            const model::Skin skin = bind(body, skeleton, {.method = method}).skin;
            EXPECT_EQ(total(skin, 0), 0) << name_of(method) << inside_out;
            EXPECT_GT(total(skin, 1), 0) << name_of(method) << inside_out;
            EXPECT_GT(total(skin, 2), 0) << name_of(method) << inside_out;
        }
    }
    skeleton.joints[0].rest.translation = {0, -1, 0};
    skeleton.joints[1].rest.translation = {0, 1, 0};
    EXPECT_GT(total(bind(mesh, skeleton).skin, 0), 0);
    skeleton.joints[0].name = "ORG-spine";
    skeleton.joints[1].name = "DEF-spine";
    EXPECT_EQ(total(bind(mesh, skeleton).skin, 0), 0);
}

}  // namespace
}  // namespace sinew::rig
