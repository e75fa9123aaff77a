// SPDX-License-Identifier: MIT
#include "sinew/io/io.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "io/mesh/mesh_support.h"

namespace sinew::io {
namespace asset_test {

std::string read_error(const std::filesystem::path& path, const ReadOptions& options = {}) {
    try {
        read(path, options);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string write_error(const std::filesystem::path& path, const Asset& asset) {
    try {
        write(path, asset);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

Asset triangle() {
    Asset asset;
    asset.character.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    asset.character.mesh.triangles = {{0, 1, 2}};
    return asset;
}

TEST(Formats, SuffixesAreDistinctAndFoundInAnyCase) {
    std::set<std::string_view> seen;
    for (const Format& format : formats()) EXPECT_TRUE(seen.insert(format.suffix).second) << format.suffix;
    ASSERT_NE(find_format("dir.x/Mesh.OBJ"), nullptr);
    EXPECT_EQ(find_format("dir.x/Mesh.OBJ")->suffix, "obj");
    EXPECT_EQ(find_format("mesh"), nullptr);
    EXPECT_EQ(find_format("mesh.xyz"), nullptr);
}

TEST(Formats, FamiliesListWhatCanBeReadAndWritten) {
    using Suffixes = std::vector<std::string_view>;
    EXPECT_EQ(writable_suffixes(Family::scene), (Suffixes{"glb", "gltf", "vrm", "usda", "py", "fbx"}));
    EXPECT_EQ(writable_suffixes(Family::skeleton),
              (Suffixes{"bvh", "asf", "amc", "tgf", "skel", "clip", "json"}));
    EXPECT_EQ(writable_suffixes(Family::mesh), (Suffixes{"obj", "off", "ply", "stl"}));
    EXPECT_EQ(readable_suffixes(Family::cache), (Suffixes{"pc2", "mdd"}));
    EXPECT_EQ(readable_suffixes(Family::trial), (Suffixes{"c3d", "trc", "mot", "sto", "txt"}));
    EXPECT_EQ(readable_suffixes(Family::cycle), (Suffixes{"gcd", "dst"}));
    EXPECT_TRUE(readable_suffixes(Family::weights).empty());
    for (const Format& format : formats()) EXPECT_TRUE(format.can_read() || format.can_write());
    EXPECT_TRUE(holds(find_format("a.fbx")->reads, Content::motion));
    EXPECT_FALSE(holds(find_format("a.stl")->reads, Content::motion | Content::skeleton));
}

TEST(Formats, BytesInMemoryAreThoseOfTheFile) {
    const test::TemporaryFolder folder;
    const Asset asset = triangle();
    for (const char* name : {"a.glb", "a.off", "a.stl"}) {
        write(folder / name, asset);
        const std::string bytes = encode(asset, name);
        EXPECT_EQ(bytes, test::read_text(folder / name));
        EXPECT_EQ(decode(as_bytes(bytes), name).character.mesh.positions, asset.character.mesh.positions);
    }
    EXPECT_THROW(encode(asset, "a.dae"), Error);
    EXPECT_THROW(decode(as_bytes("vertex,joint,weight\n"), "a.csv"), Error);
}

TEST(Read, UnknownFilesListWhatIsKnown) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.xyz", "ply\nformat ascii 1.0\n");
    test::write_text(folder / "noname", "hello");
    EXPECT_HAS(read_error(folder / "a.xyz"), "cannot read .xyz files");
    EXPECT_HAS(read_error(folder / "a.xyz"), ".obj, .off, .ply, .stl");
    EXPECT_HAS(read_error(folder / "a.xyz"), "The content is a PLY file");
    EXPECT_HAS(read_error(folder / "noname"), "no suffix");
    EXPECT_HAS(read_error(folder / "gone.obj"), "gone.obj: cannot open");
}

TEST(Read, ContentThatIsSomethingElseIsNamed) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.obj", "ply\nformat ascii 1.0\n");
    EXPECT_HAS(read_error(folder / "a.obj"), "this is a PLY file: rename it to a.ply");
    test::write_text(folder / "b.obj", std::string("glTF\2\0\0\0", 8));
    EXPECT_HAS(read_error(folder / "b.obj"), "this is a binary glTF file: rename it to b.glb");
    test::write_text(folder / "c.ply", "OFF\n1 1 0\n");
    EXPECT_HAS(read_error(folder / "c.ply"), "this is an OFF file: rename it to c.off");
    test::write_text(folder / "d.obj", "solid x\n facet normal 0 0 1\n");
    EXPECT_HAS(read_error(folder / "d.obj"), "this is an STL file");
    test::write_text(folder / "e.stl", "PK\3\4....");
    EXPECT_HAS(read_error(folder / "e.stl"), "this is a ZIP archive, not STL");
    test::write_text(folder / "f.off", "\xEF\xBB\xBFHIERARCHY\nROOT x\n");
    EXPECT_HAS(read_error(folder / "f.off"), "this is a BVH file");
    test::write_text(folder / "g.obj", "{ \"asset\": { \"version\": \"2.0\" } }");
    EXPECT_HAS(read_error(folder / "g.obj"), "this is a glTF file");
}

TEST(Read, StrictTurnsWarningsIntoErrors) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n");
    EXPECT_EQ(read_error(folder / "a.obj"), "");
    ReadOptions strict;
    strict.strict = true;
    EXPECT_HAS(read_error(folder / "a.obj", strict),
               "a.obj:5: 1 line and point elements were left out [obj-lines-points]");
    test::write_text(folder / "b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_EQ(read_error(folder / "b.obj", strict), "");
}

TEST(Read, NamesComeFromTheFile) {
    const test::TemporaryFolder folder;
    write(folder / "hero.ply", triangle());
    const Asset asset = read(folder / "hero.ply");
    EXPECT_EQ(asset.character.name, "hero");
    EXPECT_EQ(asset.character.mesh.name, "hero");
}

TEST(Write, FormatsThatCannotHoldTheAssetSaySo) {
    const test::TemporaryFolder folder;
    for (const char* suffix : {"obj", "off", "ply", "stl", "pc2", "mdd"}) {
        const auto path = folder / fmt::format("a.{}", suffix);
        EXPECT_HAS(write_error(path, {}), "there is none to write") << suffix;
        EXPECT_FALSE(std::filesystem::exists(path));
    }
    EXPECT_HAS(write_error(folder / "a.pc2", triangle()), "mesh sequence");
    EXPECT_HAS(write_error(folder / "a.xyz", triangle()), "cannot write .xyz files");
    EXPECT_HAS(write_error(folder / "noname", triangle()), "no suffix");
    EXPECT_HAS(write_error(folder / "no/such/a.obj", triangle()), "does not exist");
}

TEST(Write, ARiggedCharacterLosesItsRigWithAWarning) {
    const test::TemporaryFolder folder;
    Asset asset = triangle();
    asset.character.skeleton.joints.emplace_back().name = "root";
    asset.character.mesh.colors.assign(3, math::Vec4f::Ones());
    asset.character.mesh.morphs.emplace_back().name = "smile";
    for (const char* suffix : {"obj", "off", "ply", "stl"}) {
        Collector warnings;
        const auto path = folder / fmt::format("a.{}", suffix);
        write(path, asset, {}, warnings);
        EXPECT_TRUE(warnings.has("lost-rig")) << suffix;
        EXPECT_TRUE(warnings.has("lost-morphs")) << suffix;
        EXPECT_EQ(warnings.has("lost-colors"), std::string_view(suffix) == "stl");
        const Asset again = read(path);
        EXPECT_EQ(again.character.mesh.positions, asset.character.mesh.positions) << suffix;
        EXPECT_EQ(again.character.mesh.triangles, asset.character.mesh.triangles) << suffix;
    }
}

TEST(Write, ASequenceInAMeshFileIsItsRestShape) {
    const test::TemporaryFolder folder;
    Asset asset;
    asset.sequence.rest = triangle().character.mesh;
    asset.sequence.frames.assign(2, asset.sequence.rest.positions);
    Collector warnings;
    write(folder / "a.obj", asset, {}, warnings);
    EXPECT_TRUE(warnings.has("lost-frames"));
    EXPECT_EQ(read(folder / "a.obj").character.mesh.positions, asset.sequence.rest.positions);
}

TEST(Write, TheSameMeshGivesTheSameBytes) {
    Asset asset;
    asset.character.mesh = test::random_mesh(2, true, true, true);
    for (const Format& format : formats()) {
        // A VRM avatar is a person, and no bare mesh.
        if (!holds(format.writes, Content::mesh) || format.suffix == "json" || format.suffix == "vrm")
            continue;
        const std::string path = fmt::format("a.{}", format.suffix);
        EXPECT_EQ(encode(asset, path), encode(asset, path)) << format.suffix;
    }
}

TEST(Read, EveryRealMeshIsReadAndRoundTrips) {
    SINEW_NEEDS_DATA();
    const test::TemporaryFolder folder;
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::data("mesh"))) {
        const Format* const format = find_format(entry.path());
        if (format == nullptr || format->suffix == "tgf") continue;
        const Asset asset = read(entry.path());
        for (const char* suffix : {"obj", "off", "ply"}) {
            const auto path = folder / fmt::format("a.{}", suffix);
            write(path, asset);
            const Asset again = read(path);
            EXPECT_EQ(again.character.mesh.positions, asset.character.mesh.positions) << path;
            EXPECT_EQ(again.character.mesh.triangles, asset.character.mesh.triangles) << path;
        }
        ++count;
    }
    EXPECT_EQ(count, 10u);
}

}  // namespace asset_test
}  // namespace sinew::io
