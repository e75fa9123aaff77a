// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/io/rig/rig_formats.h"
#include "sinew/sample/samples.h"

namespace sinew::io {
namespace rig_json_test {

Bytes bytes_of(const std::string& text) {
    return {reinterpret_cast<const Bytes::value_type*>(text.data()), text.size()};
}

Asset read_text(const std::string& text) {
    return read_rig_json(bytes_of(text), "rig.json", {}, silent());
}

std::string reason(const std::string& text) {
    try {
        read_text(text);
    } catch (const Error& error) {
        return std::string(error.what());
    }
    return "";
}

TEST(RigJson, EverythingComesBackExactly) {
    Asset asset;
    asset.character = sample::make("tube");
    asset.character.clips.clear();
    asset.character.unit = 0.01;
    model::JointLimits limits;
    limits.low.x() = -0.5;
    asset.character.skeleton.joints[1].limits = limits;
    const std::string text = write_rig_json(asset, "a.json", {}, silent());
    const model::Character back = read_text(text).character;
    const model::Character& from = asset.character;
    EXPECT_EQ(back.name, from.name);
    EXPECT_EQ(back.unit, from.unit);
    EXPECT_EQ(back.mesh.positions, from.mesh.positions);
    EXPECT_EQ(back.mesh.triangles, from.mesh.triangles);
    ASSERT_EQ(back.skeleton.size(), from.skeleton.size());
    for (std::size_t j = 0; j < from.skeleton.size(); ++j) {
        const model::Joint &a = from.skeleton.joints[j], &b = back.skeleton.joints[j];
        EXPECT_EQ(a.name, b.name);
        EXPECT_EQ(a.parent, b.parent);
        EXPECT_EQ(a.rest.translation, b.rest.translation);
        EXPECT_EQ(a.rest.rotation.coeffs(), b.rest.rotation.coeffs());
        EXPECT_EQ(a.tip.has_value(), b.tip.has_value());
    }
    EXPECT_EQ(back.skeleton.joints[1].limits->low.x(), -0.5);
    EXPECT_TRUE(std::isinf(back.skeleton.joints[1].limits->high.y()));
    ASSERT_EQ(back.skin.vertex_count(), from.skin.vertex_count());
    EXPECT_EQ(back.skin.joints[1].inverse_bind, from.skin.joints[1].inverse_bind);
    for (std::size_t v = 0; v < from.skin.vertex_count(); ++v) {
        ASSERT_EQ(back.skin.of(v).size(), from.skin.of(v).size());
        for (std::size_t i = 0; i < from.skin.of(v).size(); ++i) {
            EXPECT_EQ(back.skin.of(v)[i].joint, from.skin.of(v)[i].joint);
            EXPECT_NEAR(back.skin.of(v)[i].weight, from.skin.of(v)[i].weight, 1e-6);
        }
    }
}

TEST(RigJson, WhatIsWrongIsNamed) {
    EXPECT_NE(reason("{").find("not valid JSON"), std::string::npos);
    EXPECT_NE(reason("{}").find("this is not a rig"), std::string::npos);
    EXPECT_NE(reason(R"({"sinew_rig":1,"joints":[{"name":"a","rotation":[0,0,0,0]}]})").find("/joints/0"),
              std::string::npos);
    EXPECT_NE(reason(R"({"sinew_rig":1,"mesh":{"positions":[0,0]}})").find("three per vertex"),
              std::string::npos);
    EXPECT_NE(reason(R"({"sinew_rig":1,"mesh":{"positions":[0,0,0],"triangles":[0,0,7]}})").find("vertex 7"),
              std::string::npos);
    EXPECT_NE(
        reason(R"({"sinew_rig":1,"joints":[{"name":"a"}],"skin":{"joints":[{"joint":3}]}})").find("joint 3"),
        std::string::npos);
    EXPECT_THROW(write_rig_json(Asset{}, "a.json", {}, silent()), Error);
}

TEST(WeightsCsv, RoundTripWithOddNames) {
    Asset asset;
    asset.character = sample::make("tube");
    asset.character.skeleton.joints[0].name = "a, \"b\"";
    const std::string text = write_weights_csv(asset, "w.csv", {}, silent());
    EXPECT_EQ(text.substr(0, 20), "vertex,joint,weight\n");
    const model::Skin back = read_weights_csv(bytes_of(text), "w.csv", asset.character.skeleton,
                                              asset.character.mesh.vertex_count());
    for (std::size_t v = 0; v < back.vertex_count(); ++v) {
        ASSERT_EQ(back.of(v).size(), asset.character.skin.of(v).size());
        for (std::size_t i = 0; i < back.of(v).size(); ++i)
            EXPECT_NEAR(back.of(v)[i].weight, asset.character.skin.of(v)[i].weight, 1e-6);
    }
}

TEST(WeightsCsv, OtherSeparatorsAndPlainErrors) {
    const model::Skeleton skeleton = sample::make("tube").skeleton;
    const std::string name = skeleton.joints[1].name;
    const auto parse = [&](const std::string& text) {
        return read_weights_csv(bytes_of(text), "w.csv", skeleton, 2);
    };
    const model::Skin skin = parse("0;" + name + ";2\r\n1\t" + name + "\t1\n");
    EXPECT_EQ(skin.of(0)[0].weight, 1.0f) << "scaled to sum 1";
    const auto why = [&](const std::string& text) {
        try {
            parse(text);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(why("v,j,w\n0,nobody,1\n").find("w.csv:2"), std::string::npos);
    EXPECT_NE(why("9," + name + ",1\n").find("vertex 9"), std::string::npos);
    EXPECT_NE(why("0," + name + ",x\n").find("not a weight"), std::string::npos);
}

}  // namespace rig_json_test
}  // namespace sinew::io
