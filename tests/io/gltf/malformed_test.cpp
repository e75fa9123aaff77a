// SPDX-License-Identifier: MIT
// Broken files are Errors that name the place, never a crash and never a huge allocation.

#include <limits>
#include <random>

#include "io/gltf/support.h"
#include "support/data.h"
#include <gtest/gtest.h>

namespace sinew::io::test {
namespace gltf_malformed_test {

/// What reading says, or "read" when it did not fail.
std::string complaint(const std::string& bytes, const std::string& name = "bad.glb") {
    try {
        read(bytes, silent(), name);
    } catch (const Error& error) {
        return error.what();
    }
    return "read";
}

/// The complaint about a file after a change of its JSON.
template <class Change>
std::string complaint_after(FileMaker file, const Change& change) {
    change(file.json);
    return complaint(file.glb());
}

Json& accessor(Json& json, std::size_t index) {
    return json["accessors"][index];
}

TEST(GltfMalformed, EveryTruncationIsAnError) {
    const std::string whole = skinned_triangle().glb();
    ASSERT_EQ(complaint(whole), "read");
    for (std::size_t length = 0; length < whole.size(); ++length) {
        EXPECT_NE(complaint(whole.substr(0, length)), "read") << length;
    }
    EXPECT_EQ(complaint(whole.substr(0, 100)),
              fmt::format("bad.glb: the file is truncated: 100 bytes of {}", whole.size()));
}

TEST(GltfMalformed, BadChunks) {
    std::string file = triangle().glb();
    file[12] = static_cast<char>(0xFF);
    file[13] = static_cast<char>(0xFF);
    EXPECT_NE(complaint(file).find("the chunk at byte 12 has 65"), std::string::npos) << complaint(file);
    file = triangle().glb();
    file[16] = 'X';
    EXPECT_EQ(complaint(file), "bad.glb: the first chunk is not JSON");
    file = triangle().glb();
    file[4] = 1;
    EXPECT_EQ(complaint(file), "bad.glb: GLB version 1 is not supported, only 2");
    EXPECT_EQ(complaint("{\n\"asset\":\n[}", "a.gltf"), "a.gltf:3: this is neither GLB nor valid JSON");
    EXPECT_EQ(complaint("", "a.gltf"), "a.gltf:1: this is neither GLB nor valid JSON");
}

TEST(GltfMalformed, DeepJsonIsRefused) {
    const std::string deep = std::string(100000, '[') + std::string(100000, ']');
    EXPECT_EQ(complaint(deep, "a.gltf"), "a.gltf: the JSON is nested deeper than 64 levels");
}

TEST(GltfMalformed, AccessorThatDoesNotFitItsView) {
    EXPECT_EQ(complaint_after(triangle(), [](Json& json) { accessor(json, 0)["count"] = 4; }),
              "bad.glb: /accessors/0: 4 elements of 12 bytes do not fit bufferView 0 of 36 bytes");
    EXPECT_EQ(complaint_after(triangle(), [](Json& json) { accessor(json, 0)["byteOffset"] = 1; }),
              "bad.glb: /accessors/0: 3 elements of 12 bytes do not fit bufferView 0 of 36 bytes");
    EXPECT_EQ(complaint_after(triangle(), [](Json& json) { json["bufferViews"][1]["byteLength"] = 4000; }),
              "bad.glb: /bufferViews/1: 4000 bytes from byte 36 do not fit buffer 0 of 44 bytes");
}

TEST(GltfMalformed, HugeCountsAllocateNothing) {
    for (const std::uint64_t count :
         {std::uint64_t{4000000000}, std::uint64_t{1} << 62, std::numeric_limits<std::uint64_t>::max()}) {
        EXPECT_NE(complaint_after(triangle(), [&](Json& json) { accessor(json, 0)["count"] = count; }),
                  "read");
        // Without a view there are no bytes that could contradict.
        EXPECT_NE(complaint_after(triangle(),
                                  [&](Json& json) {
                                      accessor(json, 0)["count"] = count;
                                      accessor(json, 0).erase("bufferView");
                                  }),
                  "read");
        EXPECT_NE(complaint_after(triangle(), [&](Json& json) { accessor(json, 0)["byteOffset"] = count; }),
                  "read");
        EXPECT_NE(
            complaint_after(triangle(), [&](Json& json) { json["bufferViews"][0]["byteOffset"] = count; }),
            "read");
        EXPECT_NE(
            complaint_after(triangle(), [&](Json& json) { json["bufferViews"][0]["byteStride"] = count; }),
            "read");
    }
    // The same data used a hundred thousand times.
    FileMaker file = triangle();
    const int big = file.add<float>(std::vector<float>(300000, 0), 5126, "VEC3", 3);
    file.json["meshes"][0]["primitives"][0] = {{"attributes", {{"POSITION", big}}}};
    for (int i = 1; i < 1000; ++i) file.json["nodes"].push_back({{"mesh", 0}, {"translation", {i, 0, 0}}});
    file.json.erase("scenes");
    EXPECT_NE(complaint(file.glb()).find("asks for much more memory"), std::string::npos);
}

TEST(GltfMalformed, IndicesOutOfRange) {
    FileMaker file = triangle();
    const int indices = file.add<std::uint16_t>({0, 1, 3}, 5123, "SCALAR", 1);
    file.json["meshes"][0]["primitives"][0]["indices"] = indices;
    EXPECT_EQ(complaint(file.glb()), "bad.glb: /accessors/2: index 3 of 3 vertices");
    const auto mesh_of_node = [](Json& json) { json["nodes"][0]["mesh"] = 7; };
    EXPECT_EQ(complaint_after(triangle(), mesh_of_node),
              "bad.glb: /nodes/0/mesh: names element 7 of meshes, which has 1");
    EXPECT_EQ(complaint_after(triangle(), [](Json& json) { json["nodes"][0]["mesh"] = -1; }),
              "bad.glb: /nodes/0/mesh: expected an integer of at least 0, found -1");
}

TEST(GltfMalformed, CyclesAndTwoParents) {
    EXPECT_EQ(complaint_after(skinned_triangle(), [](Json& json) { json["nodes"][2]["children"] = {1}; }),
              "bad.glb: /nodes: a node is its own ancestor");
    EXPECT_EQ(complaint_after(skinned_triangle(), [](Json& json) { json["nodes"][0]["children"] = {2}; }),
              "bad.glb: /nodes/1/children/0: this node is already a child of node 0");
    EXPECT_NE(complaint_after(skinned_triangle(), [](Json& json) { json["nodes"][1]["children"] = {1}; }),
              "read");
}

TEST(GltfMalformed, NumbersThatAreNone) {
    FileMaker file = triangle();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const int positions = file.add<float>({0, 0, 0, 1, nan, 0, 0, 1, 0}, 5126, "VEC3", 3);
    file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = positions;
    EXPECT_EQ(complaint(file.glb()), "bad.glb: /accessors/2: element 1 is not a finite number");
    file = skinned_triangle();
    const int values =
        file.add<float>(std::vector<float>(12, std::numeric_limits<float>::infinity()), 5126, "VEC4", 4);
    file.json["animations"][0]["samplers"][0]["output"] = values;
    EXPECT_EQ(complaint(file.glb()),
              fmt::format("bad.glb: /accessors/{}: element 0 is not a finite number", values));
    // Finite numbers whose product is not.
    EXPECT_NE(
        complaint_after(triangle(), [](Json& json) { json["nodes"][0]["translation"] = {1e300, 0, 0}; }),
        "read");
}

TEST(GltfMalformed, SkinsAndAnimationsThatNameWhatIsNotThere) {
    EXPECT_EQ(complaint_after(skinned_triangle(), [](Json& json) { json["skins"][0]["joints"] = {1}; }),
              "bad.glb: /accessors/2: joint 1 of a skin of 1");
    EXPECT_EQ(complaint_after(skinned_triangle(), [](Json& json) { json["skins"][0]["joints"] = {1, 9}; }),
              "bad.glb: /skins/0/joints/1: names element 9 of nodes, which has 3");
    const auto channel = [](Json& json) { json["animations"][0]["channels"][0]["target"]["node"] = 3; };
    EXPECT_EQ(complaint_after(skinned_triangle(), channel),
              "bad.glb: /animations/0/channels/0/target/node: names element 3 of nodes, which has 3");
    const auto sampler = [](Json& json) { json["animations"][0]["channels"][0]["sampler"] = 3; };
    EXPECT_EQ(complaint_after(skinned_triangle(), sampler),
              "bad.glb: /animations/0/channels/0: there is no sampler 3");
}

TEST(GltfMalformed, FallingKeyTimes) {
    FileMaker file = skinned_triangle();
    const int times = file.add<float>({0, 2, 1}, 5126, "SCALAR", 1);
    file.json["animations"][0]["samplers"][0]["input"] = times;
    EXPECT_EQ(complaint(file.glb()),
              fmt::format("bad.glb: /accessors/{}: key times fall from 2 to 1 at key 2", times));
}

TEST(GltfMalformed, WeightsAreScaledWithAWarning) {
    FileMaker file = skinned_triangle();
    const int weights = file.add<float>({1, 0, 0, 0, 0.5f, 1.5f, 0, 0, 0, 0, 0, 0}, 5126, "VEC4", 4);
    file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = weights;
    Collector warnings;
    const model::Skin skin = read(file.glb(), warnings).character.skin;
    EXPECT_TRUE(warnings.has("weights-not-normalized"));
    EXPECT_TRUE(warnings.has("weights-missing"));
    EXPECT_EQ(skin.of(1)[1].weight, 0.75f);
    EXPECT_EQ(skin.of(2)[0].weight, 1);
}

TEST(GltfMalformed, ExtensionsAndVersions) {
    const auto require = [](const char* name) {
        return complaint_after(triangle(), [&](Json& json) {
            json["extensionsUsed"] = {name};
            json["extensionsRequired"] = {name};
        });
    };
    EXPECT_EQ(require("KHR_gaussian_splatting"),
              "bad.glb: /extensionsRequired/0: the file requires the extension KHR_gaussian_splatting, which "
              "is not supported");
    EXPECT_NE(require("KHR_draco_mesh_compression").find("packed by Draco"), std::string::npos);
    EXPECT_NE(require("EXT_meshopt_compression").find("packed by meshoptimizer"), std::string::npos);
    EXPECT_NE(require("EXT_meshopt_compression").find("without compression"), std::string::npos);
    EXPECT_EQ(require("KHR_mesh_quantization"), "read");
    EXPECT_EQ(complaint_after(triangle(), [](Json& json) { json["asset"]["version"] = "1.0"; }),
              "bad.glb: /asset: glTF 1.0 is not supported, only 2.x");
    FileMaker file = triangle();
    file.json["extensionsUsed"] = {"KHR_texture_transform", "EXT_other"};
    Collector warnings;
    read(file.glb(), warnings);
    EXPECT_EQ(warnings.warnings().size(), 2u);
}

TEST(GltfMalformed, RequiredExtensionsAboutLooksAreReadWithAWarning) {
    for (const char* name : {"KHR_texture_transform", "KHR_materials_unlit", "KHR_node_visibility",
                             "KHR_materials_sheen", "KHR_materials_iridescence", "EXT_texture_webp"}) {
        FileMaker file = triangle();
        file.json["extensionsUsed"] = {name};
        file.json["extensionsRequired"] = {name};
        Collector warnings;
        EXPECT_EQ(read(file.glb(), warnings).character.mesh.vertex_count(), 3u) << name;
        ASSERT_EQ(warnings.warnings().size(), 1u) << name;
        EXPECT_EQ(warnings.warnings()[0].code, "gltf-extension");
        EXPECT_NE(warnings.warnings()[0].text.find("how the model looks"), std::string::npos);
    }
}

/// Codes of the warnings after a change of the skinned triangle, joined by blanks.
template <class Change>
std::string codes_after(const Change& change) {
    FileMaker file = skinned_triangle();
    change(file);
    Collector warnings;
    read(file.glb(), warnings);
    std::string codes;
    for (const Warning& warning : warnings.warnings()) codes += (codes.empty() ? "" : " ") + warning.code;
    return codes;
}

TEST(GltfMalformed, BrokenRigsAreTold) {
    EXPECT_EQ(codes_after([](FileMaker&) {}), "");
    std::vector<float> binds(3 * 16, 0.0f);
    for (const std::size_t i : {0u, 5u, 10u, 15u, 16u, 21u, 26u, 31u, 32u, 37u, 42u, 47u}) binds[i] = 1;
    const auto with_binds = [&](FileMaker& file) {
        file.json["skins"][0]["inverseBindMatrices"] = file.add(binds, 5126, "MAT4", 16);
    };
    EXPECT_EQ(codes_after(with_binds), "gltf-inverse-binds") << "three for two joints";
    binds.resize(32);
    EXPECT_EQ(codes_after(with_binds), "");
    binds[16] = 0;
    EXPECT_EQ(codes_after(with_binds), "gltf-inverse-binds") << "one is flat";
    binds[31] = 0.5f;
    EXPECT_THROW(codes_after(with_binds), Error) << "one is not affine";
    EXPECT_THROW(codes_after([&](FileMaker& file) {
                     file.json["skins"][0]["inverseBindMatrices"] =
                         file.add(std::vector<std::uint8_t>(32, 1), 5121, "MAT4", 16);
                 }),
                 Error);
    EXPECT_EQ(codes_after([](FileMaker& file) {
                  file.json["nodes"][1].erase("children");
                  file.json["scenes"][0]["nodes"] = {0, 1, 2};
              }),
              "gltf-skin-root");
    const std::vector<double> moved = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1};
    EXPECT_EQ(codes_after([&](FileMaker& file) {
                  file.json["nodes"][1]["matrix"] = moved;
                  file.json["nodes"][1]["translation"] = {0, 1, 0};
              }),
              "gltf-matrix-and-trs");
    EXPECT_EQ(codes_after([&](FileMaker& file) {
                  file.json["nodes"][2].erase("translation");
                  file.json["nodes"][2]["matrix"] = moved;
              }),
              "gltf-animated-matrix");
    EXPECT_EQ(codes_after([](FileMaker& file) {
                  file.json["animations"][0]["samplers"][0]["input"] =
                      file.add<std::uint16_t>({0, 1, 3, 0}, 5123, "SCALAR", 1);
                  file.json["accessors"].back()["count"] = 3;
              }),
              "gltf-times");
    EXPECT_THROW(codes_after([](FileMaker& file) {
                     file.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] =
                         file.add<float>({0, 0, 1, 1}, 5126, "VEC2", 2);
                 }),
                 Error);
}

TEST(GltfMalformed, WrongTypesOfMembers) {
    for (const char* pointer :
         {"/nodes/0", "/meshes/0", "/meshes/0/primitives/0", "/accessors/0", "/bufferViews/0", "/skins/0",
          "/animations/0", "/animations/0/channels", "/nodes", "/scenes", "/skins/0/joints",
          "/accessors/0/type", "/accessors/0/count"}) {
        for (const Json& wrong : {Json(nullptr), Json("text"), Json(-3), Json(1e300), Json(true)}) {
            const std::string text = complaint_after(
                skinned_triangle(), [&](Json& json) { json[Json::json_pointer(pointer)] = wrong; });
            EXPECT_NE(text, "read") << pointer << " " << wrong;
        }
    }
}

TEST(GltfMalformed, NothingToRead) {
    EXPECT_EQ(complaint(R"({"asset":{"version":"2.0"}})", "a.gltf"),
              "a.gltf: there is no triangle mesh, no skeleton and no motion in it");
}

/// Changes one value of the JSON: a number, a type, a name, or something moved from elsewhere in the file.
void change_one(Json& json, std::mt19937& random) {
    const auto below = [&](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
    };
    Json flat = json.flatten();
    const auto pick = [&] {
        return std::next(flat.begin(), static_cast<std::ptrdiff_t>(below(flat.size())));
    };
    const auto target = pick();
    const Json replacements[] = {
        0,         1,      2,      3,      5,      17,     255,           65535,         4294967295u,
        -1,        1e30,   0.5,    -0.25,  5120,   5121,   5123,          5125,          5126,
        "SCALAR",  "VEC2", "VEC3", "VEC4", "MAT4", "STEP", "CUBICSPLINE", "translation", "scale",
        "weights", true};
    if (below(4) == 0) {
        target.value() = pick().value();
    } else if (below(8) == 0) {
        flat.erase(target);
    } else {
        target.value() = replacements[below(std::size(replacements))];
    }
    json = flat.unflatten();
}

/// A file with most things that a file can have.
FileMaker rich_file() {
    FileMaker file = skinned_triangle();
    const int delta = file.add<float>({0, 0, 1, 0, 0, 2, 0, 0, 3}, 5126, "VEC3", 3);
    Json& mesh = file.json["meshes"][0];
    mesh["primitives"][0]["targets"] = Json::array({{{"POSITION", delta}}, {{"NORMAL", delta}}});
    mesh["primitives"][0]["attributes"]["NORMAL"] = delta;
    mesh["primitives"][0]["attributes"]["COLOR_0"] = delta;
    mesh["weights"] = {0.5, 0.25};
    file.json["nodes"].push_back({{"mesh", 0}, {"scale", {1, 2, -1}}, {"weights", {1, 0}}});
    file.json["nodes"][2]["children"] = {3};
    const int times = file.add<float>({0, 1}, 5126, "SCALAR", 1);
    const int values = file.add<float>({0, 0.5f, 1, 0.75f}, 5126, "SCALAR", 1);
    Json& animation = file.json["animations"][0];
    animation["samplers"].push_back({{"input", times}, {"output", values}});
    animation["channels"].push_back({{"sampler", 1}, {"target", {{"node", 3}, {"path", "weights"}}}});
    const int index = file.add_view(bytes_of<std::uint8_t>({1}));
    const int value = file.add_view(bytes_of<float>({5, 6, 7}));
    file.json["accessors"][0]["sparse"] = {{"count", 1},
                                           {"indices", {{"bufferView", index}, {"componentType", 5121}}},
                                           {"values", {{"bufferView", value}}}};
    file.json["materials"] = Json::array({{{"name", "m"}, {"normalTexture", {{"index", 0}}}}});
    file.json["textures"] = Json::array({{{"source", 0}}});
    const std::vector<std::byte> png = tiny_png();
    file.json["images"] = Json::array({{{"bufferView", file.add_view(std::string(as_text(png)))}}});
    file.json["meshes"][0]["primitives"][0]["material"] = 0;
    return file;
}

TEST(GltfMalformed, ChangedJsonReadsOrFailsAndWhatReadsCanBeWritten) {
    const FileMaker whole = rich_file();
    ASSERT_EQ(complaint_after(whole, [](Json&) {}), "read");
    std::mt19937 random(7);
    int survived = 0;
    for (int i = 0; i < 2000; ++i) {
        FileMaker file = whole;
        file.json["buffers"] = Json::array({{{"byteLength", file.binary.size()}}});
        for (int k = 0; k <= i % 3; ++k) change_one(file.json, random);
        const std::string bytes = make_glb(file.json, file.binary);
        Asset asset;
        try {
            asset = read(bytes);
        } catch (const Error&) {
            continue;
        }
        ++survived;
        const std::string written = write_gltf(asset, "a.glb", {}, silent());
        if (asset.character.mesh.triangles.empty()) continue;
        EXPECT_NO_THROW(read(written)) << file.json;
    }
    EXPECT_GT(survived, 100);
}

TEST(GltfMalformed, ChangedBytesOfARealFileNeverCrash) {
    SINEW_NEEDS_DATA();
    const std::string whole = sinew::test::read_text(sinew::test::data("gltf/RiggedSimple.glb"));
    for (std::size_t place = 0; place < whole.size(); place += 7) {
        std::string changed = whole;
        changed[place] = static_cast<char>(changed[place] ^ (1 << (place % 8)));
        complaint(changed);
    }
}

}  // namespace gltf_malformed_test
}  // namespace sinew::io::test
