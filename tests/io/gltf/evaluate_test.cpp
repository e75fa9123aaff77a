// SPDX-License-Identifier: MIT
// The reader against a direct evaluation of the file by the formulas of the glTF specification: own accessor
// reading, own hierarchy walk, own interpolation, nothing shared with the reader but the JSON parser.

#include <cmath>
#include <cstring>

#include "io/gltf/support.h"
#include "support/data.h"
#include <gtest/gtest.h>

namespace sinew::io::test {
namespace gltf_evaluate_test {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;
using math::Vec4d;

/// The file as JSON and bytes, evaluated literally.
class Direct {
  public:
    explicit Direct(const std::string& file) {
        std::uint32_t length = 0;
        std::memcpy(&length, file.data() + 12, 4);
        json_ = Json::parse(file.substr(20, length));
        binary_ = file.substr(28 + length);
    }

    /// World positions of the vertices of all mesh nodes, in file order, at a time of the first animation.
    std::vector<Vec3d> posed(double time) const {
        std::vector<Mat4d> locals;
        for (std::size_t n = 0; n < json_["nodes"].size(); ++n) locals.push_back(local(n, time));
        std::vector<Mat4d> worlds(locals.size());
        for (const Json& root : json_["scenes"][0]["nodes"]) walk(root, Mat4d::Identity(), locals, worlds);
        std::vector<Vec3d> result;
        for (std::size_t n = 0; n < worlds.size(); ++n) {
            const Json& node = json_["nodes"][n];
            if (!node.contains("mesh")) continue;
            for (const Json& primitive : json_["meshes"][node["mesh"].get<std::size_t>()]["primitives"]) {
                if (node.contains("skin")) {
                    skinned(primitive["attributes"], json_["skins"][node["skin"].get<std::size_t>()], worlds,
                            result);
                } else {
                    const auto p = values(primitive["attributes"]["POSITION"]);
                    for (std::size_t i = 0; i < p.size(); i += 3) {
                        result.emplace_back((worlds[n] * Vec4d(p[i], p[i + 1], p[i + 2], 1)).head<3>());
                    }
                }
            }
        }
        return result;
    }

    double duration() const { return values(json_["animations"][0]["samplers"][0]["input"]).back(); }

  private:
    void skinned(const Json& attributes, const Json& skin, const std::vector<Mat4d>& worlds,
                 std::vector<Vec3d>& result) const {
        const auto binds = values(skin["inverseBindMatrices"]);
        std::vector<Mat4d> joints;
        for (std::size_t j = 0; j < skin["joints"].size(); ++j) {
            joints.push_back(worlds[skin["joints"][j].get<std::size_t>()] *
                             Eigen::Map<const Mat4d>(binds.data() + 16 * j));
        }
        const auto positions = values(attributes["POSITION"]), indices = values(attributes["JOINTS_0"]),
                   weights = values(attributes["WEIGHTS_0"]);
        for (std::size_t v = 0; v < positions.size() / 3; ++v) {
            Mat4d blend = Mat4d::Zero();
            double sum = 0;
            for (std::size_t i = 4 * v; i < 4 * v + 4; ++i) {
                blend += weights[i] * joints[static_cast<std::size_t>(indices[i])];
                sum += weights[i];
            }
            const Vec4d p(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], 1);
            result.emplace_back((blend * p).head<3>() / sum);
        }
    }

    std::vector<double> values(const Json& index) const {
        const Json& accessor = json_["accessors"][index.get<std::size_t>()];
        const Json& view = json_["bufferViews"][accessor["bufferView"].get<std::size_t>()];
        const std::string type = accessor["type"];
        const std::size_t width = type == "SCALAR" ? 1
                                  : type == "MAT4" ? 16
                                                   : static_cast<std::size_t>(type[3] - '0');
        const int component = accessor["componentType"];
        const std::size_t size = component == 5126 ? 4 : component == 5123 ? 2 : 1;
        const std::size_t stride = view.value("byteStride", width * size);
        const std::size_t start =
            view.value("byteOffset", std::size_t{0}) + accessor.value("byteOffset", std::size_t{0});
        std::vector<double> result;
        for (std::size_t e = 0; e < accessor["count"].get<std::size_t>(); ++e) {
            for (std::size_t c = 0; c < width; ++c) {
                const char* const from = binary_.data() + start + e * stride + c * size;
                float f = 0;
                std::uint16_t s = 0;
                if (size == 4) std::memcpy(&f, from, 4);
                if (size == 2) std::memcpy(&s, from, 2);
                result.push_back(size == 4 ? f : size == 2 ? s : static_cast<unsigned char>(*from));
            }
        }
        return result;
    }

    Mat4d local(std::size_t node, double time) const {
        const Json& json = json_["nodes"][node];
        if (json.contains("matrix") && !animated(node)) {
            const std::vector<double> m = json["matrix"];
            return Eigen::Map<const Mat4d>(m.data());
        }
        const std::vector<double> t =
            value(node, "translation", time, json.value("translation", std::vector<double>{0, 0, 0}));
        const std::vector<double> r =
            value(node, "rotation", time, json.value("rotation", std::vector<double>{0, 0, 0, 1}));
        const std::vector<double> s =
            value(node, "scale", time, json.value("scale", std::vector<double>{1, 1, 1}));
        return (Eigen::Translation3d(t[0], t[1], t[2]) * Quatd(r[3], r[0], r[1], r[2]).normalized() *
                Eigen::Scaling(s[0], s[1], s[2]))
            .matrix();
    }

    bool animated(std::size_t node) const {
        for (const Json& channel : json_["animations"][0]["channels"]) {
            if (channel["target"]["node"] == node) return true;
        }
        return false;
    }

    /// Linear sampler, quaternions by slerp: sin((1-u) w) a / sin w + sin(u w) b / sin w with the shorter
    /// arc.
    std::vector<double> value(std::size_t node, const std::string& path, double time,
                              std::vector<double> rest) const {
        for (const Json& channel : json_["animations"][0]["channels"]) {
            if (channel["target"]["node"] != node || channel["target"]["path"] != path) continue;
            const Json& sampler = json_["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()];
            const auto times = values(sampler["input"]), keys = values(sampler["output"]);
            std::size_t k = 0;
            while (k + 2 < times.size() && times[k + 1] <= time) ++k;
            const double u = std::clamp((time - times[k]) / (times[k + 1] - times[k]), 0.0, 1.0);
            const std::size_t width = rest.size();
            double dot = 0;
            for (std::size_t c = 0; c < width; ++c) dot += keys[k * width + c] * keys[(k + 1) * width + c];
            double a = 1 - u, b = u;
            if (width == 4) {
                const double angle = std::acos(std::min(1.0, std::abs(dot)));
                if (angle > 1e-5) {
                    a = std::sin((1 - u) * angle) / std::sin(angle);
                    b = std::sin(u * angle) / std::sin(angle);
                }
                if (dot < 0) b = -b;
            }
            for (std::size_t c = 0; c < width; ++c)
                rest[c] = a * keys[k * width + c] + b * keys[(k + 1) * width + c];
        }
        return rest;
    }

    void walk(std::size_t node, const Mat4d& parent, const std::vector<Mat4d>& locals,
              std::vector<Mat4d>& worlds) const {
        worlds[node] = parent * locals[node];
        for (const Json& child : json_["nodes"][node].value("children", Json::array()))
            walk(child, worlds[node], locals, worlds);
    }

    Json json_;
    std::string binary_;
};

std::vector<Vec3d> skinned_by_us(const model::Character& character, double time) {
    const auto palette =
        model::palette(character.skin, model::world_matrices(character, &character.clips[0], time));
    std::vector<Vec3d> result;
    for (std::size_t v = 0; v < character.mesh.positions.size(); ++v) {
        Vec3d sum = Vec3d::Zero();
        for (const model::Influence& influence : character.skin.of(v)) {
            sum +=
                static_cast<double>(influence.weight) *
                math::transform_point(palette[influence.joint], character.mesh.positions[v].cast<double>());
        }
        result.push_back(sum);
    }
    return result;
}

class GltfEvaluate : public testing::TestWithParam<const char*> {};

TEST_P(GltfEvaluate, AgreesWithTheSpecification) {
    SINEW_NEEDS_DATA();
    const std::string bytes = sinew::test::read_text(sinew::test::data(std::string("gltf/") + GetParam()));
    const Direct direct(bytes);
    const model::Character character = read(bytes).character;
    const double diagonal = static_cast<double>(geometry::bounds(character.mesh.positions).diagonal());
    double worst = 0, moved = 0;
    const std::vector<Vec3d> start = direct.posed(0);
    for (int i = 0; i < 20; ++i) {
        const double time = direct.duration() * (i + 0.37) / 20;
        const std::vector<Vec3d> expected = direct.posed(time), found = skinned_by_us(character, time);
        ASSERT_EQ(expected.size(), found.size());
        for (std::size_t v = 0; v < found.size(); ++v) {
            worst = std::max(worst, (expected[v] - found[v]).norm());
            moved = std::max(moved, (expected[v] - start[v]).norm());
        }
    }
    EXPECT_LT(worst, 1e-6 * diagonal);
    EXPECT_GT(moved, 0.01 * diagonal);
    RecordProperty("worst_of_diagonal", fmt::format("{:.2g}", worst / diagonal));
}

INSTANTIATE_TEST_SUITE_P(RealFiles, GltfEvaluate,
                         testing::Values("CesiumMan.glb", "RiggedFigure.glb", "RiggedSimple.glb",
                                         "RobotExpressive.glb"));

}  // namespace gltf_evaluate_test
}  // namespace sinew::io::test
