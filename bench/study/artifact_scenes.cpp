// SPDX-License-Identifier: MIT
#include "bench/study/artifact_scenes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/math/quaternion.h"
#include "sinew/sample/samples.h"

namespace sinew::bench {
namespace {

using math::Quatd;
using math::Vec3d;

constexpr int segments = 48;

/// Stripes along the bones, so that a twist is seen.
model::Character striped_tube() {
    sample::TubeOptions options;
    options.rings = 81;
    options.segments = segments;
    options.blend = 0.4;
    model::Character tube = sample::make_tube(options);
    tube.clips.clear();
    tube.mesh.materials.front().base_color = {1, 1, 1, 1};
    const std::size_t count = tube.mesh.vertex_count();
    for (std::size_t v = 0; v < count; ++v) {
        const bool pole = v == 0 || v + 1 == count;
        const bool dark = !pole && (v - 1) % segments / 6 % 2 == 0;
        tube.mesh.colors.push_back(dark ? math::Vec4f(0.62f, 0.20f, 0.09f, 1)
                                        : math::Vec4f(0.80f, 0.62f, 0.42f, 1));
    }
    return tube;
}

/// Rotations of a joint at the times 0, 1, ...
model::Track rotation_track(int joint, const Vec3d& axis, std::initializer_list<double> degrees) {
    model::Track track;
    track.joint = joint;
    track.rotation.times = model::KeyTimes::even(0, 1, degrees.size());
    for (const double angle : degrees)
        track.rotation.values.push_back(math::axis_angle<double>(axis, math::radians(angle)).cast<float>());
    return track;
}

/// Adds positions of the joint at the times 0 and 1.
model::Track moving(model::Track track, const Vec3d& from, const Vec3d& to) {
    track.translation.times = model::KeyTimes::even(0, 1, 2);
    track.translation.values = {from.cast<float>(), to.cast<float>()};
    return track;
}

ArtifactScene scene(std::string name, std::string what, model::Character character,
                    std::vector<model::Track> tracks) {
    ArtifactScene result{std::move(name), std::move(what), std::move(character)};
    result.character.name = result.name;
    model::Clip clip;
    clip.name = result.name;
    clip.tracks = std::move(tracks);
    result.character.clips = {clip};
    return result;
}

/// The tube with a third joint, and weights that go from the first over the second to the third; the ring in
/// the middle follows all three alike.
model::Character twist_chain() {
    model::Character tube = striped_tube();
    model::Joint end;
    end.name = "End";
    end.parent = 1;
    end.rest.translation = {0, 0.25, 0};
    end.tip = Vec3d(0, 0.25, 0);
    tube.skeleton.joints[1].rest.translation = {0, 0.25, 0};
    tube.skeleton.joints[1].tip.reset();
    tube.skeleton.joints.push_back(end);
    tube.skin = {};
    tube.skin.joints = model::bind_at_rest(tube.skeleton);
    for (const auto& p : tube.mesh.positions) {
        // Tents that overlap: a third each at y = 0.5, all of the first and of the last joint at the ends.
        const double t = std::clamp((double(p.y()) - 0.5) / 0.5, -1.0, 1.0), middle = (1 - std::abs(t)) / 3;
        const double first = (1 - middle) * (1 - t) / 2, last = (1 - middle) * (1 + t) / 2;
        const std::array<model::Influence, 3> list = {model::Influence{0, static_cast<float>(first)},
                                                      {1, static_cast<float>(middle)},
                                                      {2, static_cast<float>(last)}};
        tube.skin.push_vertex(list);
    }
    model::clean(tube.skin);
    return tube;
}

/// A strip along x, 101 columns of 9 points, under three joints of which the last lets go at x = 0.5.
model::Character cloth_strip() {
    constexpr std::uint32_t columns = 101, rows = 9;
    model::Character cloth;
    for (std::uint32_t c = 0; c < columns; ++c)
        for (std::uint32_t r = 0; r < rows; ++r) {
            cloth.mesh.positions.emplace_back(0.01f * static_cast<float>(c), 0.0f,
                                              0.03f * static_cast<float>(r));
            cloth.mesh.normals.emplace_back(0.0f, 1.0f, 0.0f);
            const bool dark = c / 5 % 2 == 0;
            cloth.mesh.colors.push_back(dark ? math::Vec4f(0.05f, 0.20f, 0.42f, 1)
                                             : math::Vec4f(0.55f, 0.68f, 0.80f, 1));
            if (c + 1 == columns || r + 1 == rows) continue;
            const std::uint32_t a = c * rows + r, b = a + 1, d = a + rows, e = d + 1;
            cloth.mesh.triangles.insert(cloth.mesh.triangles.end(), {{a, b, e}, {a, e, d}});
        }
    // Siblings: no two of them share a point that both keep.
    for (const char* name : {"Left", "Right", "Guest"}) {
        model::Joint joint;
        joint.name = name;
        cloth.skeleton.joints.push_back(joint);
    }
    cloth.skin.joints = model::bind_at_rest(cloth.skeleton);
    for (const auto& p : cloth.mesh.positions) {
        const double guest = std::max(0.0, 0.3 * (1 - 2 * double(p.x()))),
                     right = (1 - guest) * double(p.x());
        const std::array<model::Influence, 3> list = {
            model::Influence{0, static_cast<float>(1 - guest - right)},
            {1, static_cast<float>(right)},
            {2, static_cast<float>(guest)}};
        cloth.skin.push_vertex(list);
    }
    model::clean(cloth.skin);
    return cloth;
}

/// Rest at time 0, a turn about an axis through a point at time 1.
model::Track track_about(int joint, const Vec3d& point, const Vec3d& axis, double degrees) {
    const Quatd q = math::axis_angle<double>(axis, math::radians(degrees));
    return moving(rotation_track(joint, axis, {0, degrees}), Vec3d::Zero(), point - q * point);
}

ArtifactScene set_jump() {
    return scene("set-jump", "cloth under SBS: the centre jumps where a joint loses its last weight",
                 cloth_strip(),
                 {track_about(1, {0.5, 0, 0}, Vec3d::UnitZ(), 70),
                  track_about(2, {0.2, 0.6, 0.4}, Vec3d::UnitX(), -80)});
}

}  // namespace

std::vector<ArtifactScene> artifact_scenes() {
    std::vector<ArtifactScene> scenes;
    scenes.push_back(scene("candy-wrapper", "a twist of 174 degrees: linear blending collapses",
                           striped_tube(), {rotation_track(1, Vec3d::UnitY(), {0, 174})}));
    scenes.push_back(scene("elbow",
                           "a bend of 120 degrees: linear blending collapses, dual quaternions bulge",
                           striped_tube(), {rotation_track(1, Vec3d::UnitX(), {0, 120})}));
    scenes.push_back(scene("origin", "a bend of 90 degrees, moved by 10: log-matrix blending drifts",
                           striped_tube(),
                           {moving(rotation_track(0, Vec3d::UnitX(), {0, 0}), Vec3d::Zero(), {0, 0, 10}),
                            rotation_track(1, Vec3d::UnitX(), {90, 90})}));
    scenes.push_back(scene("flip", "a twist from 179 to 181 degrees: what takes the shortest way turns over",
                           striped_tube(), {rotation_track(1, Vec3d::UnitY(), {179, 181})}));
    scenes.push_back(scene(
        "long-way", "a chain twisted by 240 degrees: signs along the hierarchy follow it", twist_chain(),
        {rotation_track(1, Vec3d::UnitY(), {0, 120}), rotation_track(2, Vec3d::UnitY(), {0, 120})}));
    scenes.push_back(set_jump());
    return scenes;
}

ArtifactScene artifact_scene(std::string_view name) {
    std::string names;
    for (ArtifactScene& candidate : artifact_scenes()) {
        if (candidate.name == name) return std::move(candidate);
        names += (names.empty() ? "" : ", ") + candidate.name;
    }
    fail("", "\"{}\" is not an artifact scene: choose one of {}", name, names);
}

}  // namespace sinew::bench
