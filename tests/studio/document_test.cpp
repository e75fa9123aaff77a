// SPDX-License-Identifier: MIT
#include "motion_import.h"
#include "support/cut_shapes.h"
#include "support/data.h"
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::studio {
namespace document_test {

using sinew::test::TemporaryFolder;

model::Character cylinders() {
    model::Character character;
    character.name = "cylinders";
    character.mesh = sinew::test::three_cylinders();
    return character;
}

TEST(StudioDocument, PartsOfAMeshHaveTheirCountsAndBoxes) {
    const Document document(cylinders());
    const BodyParts& body = *document.parts;
    ASSERT_EQ(body.parts.size(), 3u);
    const BodyPart& middle = body.parts[1];
    EXPECT_EQ(middle.name, "part_1");
    EXPECT_EQ(middle.vertices.size(), 7u * 16) << "rings at 2, 2.5, ..., 5";
    EXPECT_EQ(middle.triangles, 6u * 16 * 2);
    const OrientedBox box = posed_box(middle, document.character->mesh.positions,
                                      document.character->mesh.positions, Mat3d::Identity());
    EXPECT_NEAR(box.half.maxCoeff(), 1.5, 1e-6);
    EXPECT_NEAR(std::abs(box.axes.col(0).z()), 1, 1e-6) << "the longest axis is that of the tube";
    EXPECT_LT((box.centre - Vec3d(0, 0, 3.5)).norm(), 1e-6);
    for (const std::uint32_t v : middle.vertices)
        EXPECT_TRUE(box.contains(document.character->mesh.positions[v].cast<double>(), 1e-6));
}

TEST(StudioDocument, PartsOfASkinFollowTheirJoints) {
    const Document document(sinew::test::sample("tube"));
    ASSERT_EQ(document.parts->parts.size(), 2u);
    const model::Character& character = *document.character;
    for (std::size_t t = 0; t < character.mesh.triangles.size(); ++t) {
        float height = 0;
        for (const std::uint32_t v : character.mesh.triangles[t])
            height += character.mesh.positions[v].y() / 3;
        if (std::abs(height - 0.5f) < 0.03f) continue;
        const BodyPart& part = document.parts->parts[static_cast<std::size_t>(document.parts->part_of[t])];
        EXPECT_EQ(part.name, height < 0.5f ? "Lower" : "Upper");
    }
}

TEST(StudioDocument, OpensWhatTheReadersRead) {
    const TemporaryFolder folder;
    io::write(folder / "tube.glb", sinew::test::sample("tube"));
    const Document document = open_document(folder / "tube.glb");
    EXPECT_TRUE(document.character->has_skin());
    EXPECT_EQ(document.character->clips.size(), 2u);
    EXPECT_NEAR(document.box.size().y(), 1.2, 1e-3);
    sinew::test::write_text(folder / "broken.glb", "glTF is not this");
    EXPECT_THROW(open_document(folder / "broken.glb"), Error);
    EXPECT_THROW(open_document(folder / "absent.obj"), Error);
}

TEST(StudioDocument, MotionsGoOntoTheSkeletonThatIsOpen) {
    const TemporaryFolder folder;
    const model::Character& man = sinew::test::sample("man");
    io::write(folder / "walk.bvh", man);
    io::Asset motion = io::read(folder / "walk.bvh");
    ASSERT_TRUE(is_motion(motion));
    model::Character still = man;
    still.clips.clear();
    const Document moved = with_motion(Document(still), motion, folder / "walk.bvh");
    const model::Character& walking = *moved.character;
    ASSERT_EQ(walking.clips.size(), motion.character.clips.size());
    // At half a second both stand alike.
    const auto expected = model::joint_positions(model::world_matrices(man, &man.clips[0], 0.5));
    const auto found = model::joint_positions(model::world_matrices(walking, &walking.clips[0], 0.5));
    for (std::size_t j = 0; j < expected.size(); ++j) EXPECT_LT((expected[j] - found[j]).norm(), 0.02);
    model::Character bare;
    bare.mesh = man.mesh;
    EXPECT_TRUE(with_motion(Document(bare), motion, "walk.bvh").character->has_skin())
        << "it is rigged first";
}

TEST(StudioDocument, SequencesAndTrialsCanBeShown) {
    io::Asset asset;
    asset.sequence.rest = sinew::test::cube();
    asset.sequence.frames = {asset.sequence.rest.positions, asset.sequence.rest.positions};
    const Document document = document_of(asset, "cubes");
    ASSERT_TRUE(document.sequence);
    EXPECT_EQ(document.character->mesh.vertex_count(), 8u);
    io::Asset nothing;
    EXPECT_THROW(document_of(nothing, "nothing.bvh"), Error);
}

TEST(StudioDocument, DescribesTheGeometry) {
    const auto lines = describe(Document(cylinders()));
    const auto has = [&](const std::string& text) {
        return std::any_of(lines.begin(), lines.end(),
                           [&](const std::string& line) { return line.find(text) != std::string::npos; });
    };
    EXPECT_TRUE(has("242 vertices, 480 triangles, 1 shell"));
    EXPECT_TRUE(has("closed, manifold, genus 0"));
    EXPECT_TRUE(has("3 parts"));
}

TEST(StudioDocumentRealData, FilesOfEveryKindOpen) {
    SINEW_NEEDS_DATA();
    int opened = 0;
    for (const char* folder : {"mesh", "bvh", "trc", "gltf"})
        for (const auto& entry : std::filesystem::directory_iterator(sinew::test::data(folder))) {
            const io::Format* format = io::find_format(entry.path());
            if (format == nullptr || !format->can_read() || entry.file_size() > 600000) continue;
            try {
                EXPECT_FALSE(open_document(entry.path()).empty()) << entry.path();
                ++opened;
            } catch (const Error& error) {
                EXPECT_FALSE(std::string(error.what()).empty());
            }
        }
    EXPECT_GT(opened, 4);
}

}  // namespace document_test
}  // namespace sinew::studio
