// SPDX-License-Identifier: MIT
// Files that a file names: beside it or below, or with the user's leave.

#include "io/gltf/support.h"
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/io/io.h"

namespace sinew::io {
namespace companions_test {

using test::FileMaker;

struct CompanionFiles : ::testing::Test {
    test::TemporaryFolder folder;
    ReadOptions outside;
    CompanionFiles() {
        outside.allow_outside = true;
        std::filesystem::create_directories(folder / "home/below");
        const std::vector<std::byte> png = test::tiny_png();
        for (const char* name : {"secret.png", "home/own.png", "home/below/own.png"})
            write_file(folder / name, Bytes(png));
    }

    /// Images of an OBJ file whose material has this picture.
    std::size_t images_of_obj(const std::string& picture, const ReadOptions& options, Monitor& monitor,
                              const std::string& library = "a.mtl") const {
        test::write_text(folder / "home/a.obj",
                         "mtllib " + library + "\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        for (const char* name : {"home/a.mtl", "home/below/a.mtl", "a.mtl"})
            test::write_text(folder / name, "newmtl m\nmap_Kd " + picture + "\n");
        return io::read(folder / "home/a.obj", options, monitor).character.mesh.images.size();
    }
};

TEST_F(CompanionFiles, PicturesOfMaterialsStayInTheFolder) {
    for (const std::string& picture :
         {std::string("own.png"), std::string("below/own.png"), std::string("below\\own.png"),
          std::string("../home/own.png"), std::string("C:\\pictures\\own.png")}) {
        Collector warnings;
        EXPECT_EQ(images_of_obj(picture, {}, warnings), 1u) << picture;
        EXPECT_TRUE(warnings.warnings().empty()) << picture;
    }
    std::filesystem::create_symlink("../secret.png", folder / "home/link.png");
    for (const std::string& picture :
         {std::string("../secret.png"), std::string("..\\secret.png"), (folder / "secret.png").string(),
          std::string("below/../../secret.png"), std::string("link.png")}) {
        Collector warnings;
        EXPECT_EQ(images_of_obj(picture, {}, warnings), 0u) << picture;
        EXPECT_TRUE(warnings.has("outside-folder")) << picture;
        EXPECT_EQ(images_of_obj(picture, outside, warnings), 1u) << picture;
    }
}

TEST_F(CompanionFiles, LibrariesOfMaterialsStayInTheFolder) {
    Collector warnings;
    EXPECT_EQ(images_of_obj("../own.png", {}, warnings, "below/a.mtl"), 1u) << "the folder of the OBJ counts";
    EXPECT_FALSE(warnings.has("outside-folder"));
    EXPECT_EQ(images_of_obj("home/own.png", outside, warnings, "../a.mtl"), 1u);
    EXPECT_FALSE(warnings.has("outside-folder"));
    std::filesystem::rename(folder / "a.mtl", folder / "b.mtl");
    test::write_text(folder / "home/a.obj",
                     "mtllib ../b.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_TRUE(io::read(folder / "home/a.obj", {}, warnings).character.mesh.images.empty());
    EXPECT_TRUE(warnings.has("outside-folder"));
}

TEST_F(CompanionFiles, UrisOfGltfStayInTheFolder) {
    FileMaker file = test::triangle();
    file.glb();
    test::write_text(folder / "secret.bin", file.binary);
    test::write_text(folder / "home/own.bin", file.binary);
    const auto read_with = [&](const std::string& uri, const ReadOptions& options, Monitor& monitor) {
        file.json["buffers"][0]["uri"] = uri;
        test::write_text(folder / "home/a.gltf", file.json.dump());
        return io::read(folder / "home/a.gltf", options, monitor).character.mesh.vertex_count();
    };
    EXPECT_EQ(read_with("own.bin", {}, silent()), 3u);
    EXPECT_EQ(read_with("%2e%2e/home/own.bin", {}, silent()), 3u);
    for (const std::string& uri : {std::string("../secret.bin"), std::string("%2e%2e/secret.bin"),
                                   std::string("..%2Fsecret.bin"), (folder / "secret.bin").string()}) {
        Collector warnings;
        EXPECT_THROW(read_with(uri, {}, warnings), Error) << uri;
        EXPECT_TRUE(warnings.has("outside-folder")) << uri;
        EXPECT_EQ(read_with(uri, outside, silent()), 3u) << uri;
    }
    file.json["images"] = Json::array({{{"uri", "../secret.png"}}});
    file.json["textures"] = Json::array({{{"source", 0}}});
    file.json["materials"] =
        Json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}});
    file.json["meshes"][0]["primitives"][0]["material"] = 0;
    Collector warnings;
    EXPECT_EQ(read_with("own.bin", {}, warnings), 3u) << "the mesh is of use without its picture";
    EXPECT_TRUE(warnings.has("outside-folder"));
    EXPECT_TRUE(io::read(folder / "home/a.gltf").character.mesh.images.empty());
    EXPECT_EQ(io::read(folder / "home/a.gltf", outside).character.mesh.images.size(), 1u);
}

TEST_F(CompanionFiles, NamesThatAreNotUnicodeAreLatin1) {
    test::write_text(folder / "a.obj", "o K\xF6rper\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_EQ(io::read(folder / "a.obj").character.mesh.parts.at(0).name, "K\xC3\xB6rper");
    test::write_text(folder / "b.obj", "o K\xC3\xB6rper\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_EQ(io::read(folder / "b.obj").character.mesh.parts.at(0).name, "K\xC3\xB6rper");
    test::write_text(folder / "a.bvh",
                     "HIERARCHY\nROOT H\xFC"
                     "fte\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n"
                     "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n");
    EXPECT_EQ(io::read(folder / "a.bvh").character.skeleton.joints.at(0).name,
              "H\xC3\xBC"
              "fte");
}

}  // namespace companions_test
}  // namespace sinew::io
