// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/gait/gait.h"
#include "sinew/model/roles.h"

namespace sinew::gait {
namespace {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;
using model::Role;
using model::Side;

/// A rod with circular section and flat ends; vertices are separate at the edges so that these look sharp.
void add_rod(geometry::Mesh& mesh, const Vec3d& from, const Vec3d& to, double radius) {
    constexpr std::uint32_t sides = 12;
    const Vec3d along = (to - from).normalized();
    const Vec3d a = along.unitOrthogonal(), b = along.cross(a);
    const auto push = [&](const Vec3d& position, const Vec3d& normal) {
        mesh.positions.push_back(position.cast<float>());
        mesh.normals.push_back(normal.cast<float>());
    };
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t i = 0; i < sides; ++i) {
        const double angle = 2 * math::pi * i / sides;
        const Vec3d out = std::cos(angle) * a + std::sin(angle) * b;
        for (const Vec3d& end : {from, to}) {
            push(end + radius * out, out);
            push(end + radius * out, end == from ? Vec3d(-along) : along);
        }
    }
    // Per side: wall bottom, cap bottom, wall top, cap top.
    for (std::uint32_t i = 0; i < sides; ++i) {
        const std::uint32_t k = first + 4 * i, next = first + 4 * ((i + 1) % sides);
        mesh.triangles.push_back({k, next, next + 2});
        mesh.triangles.push_back({k, next + 2, k + 2});
        if (i == 0 || i + 1 == sides) continue;
        mesh.triangles.push_back({first + 1, next + 1, k + 1});
        mesh.triangles.push_back({first + 3, k + 3, next + 3});
    }
}

/// The aid in its own axes: x left, y up, z forward; the origin at the grip, or on the ground under a walker.
geometry::Mesh aid_mesh(const WalkingAid& aid, double height) {
    geometry::Mesh mesh;
    const double thick = 0.013 * height;
    switch (aid.kind) {
        case AidKind::cane:
            add_rod(mesh, {0, -height, 0}, {0, 0, 0}, thick);
            add_rod(mesh, {0, 0, -0.06 * height}, {0, 0, 0.1 * height}, 1.3 * thick);
            break;
        case AidKind::crutch:
            add_rod(mesh, {0, -height, 0}, {0, -0.45 * height, 0}, thick);
            for (const double z : {-0.05 * height, 0.05 * height})
                add_rod(mesh, {0, -0.45 * height, 0}, {0, 0.62 * height, z}, 0.8 * thick);
            add_rod(mesh, {0, 0, -0.05 * height}, {0, 0, 0.05 * height}, 1.2 * thick);
            add_rod(mesh, {0, 0.62 * height, -0.09 * height}, {0, 0.62 * height, 0.09 * height}, 2 * thick);
            break;
        case AidKind::walker:
            for (const double x : {-0.3 * height, 0.3 * height}) {
                const Vec3d back(x, height, -0.25 * height), front(x, height, 0.2 * height);
                add_rod(mesh, {1.1 * x, 0, -0.3 * height}, back, thick);
                add_rod(mesh, {1.1 * x, 0, 0.3 * height}, front, thick);
                add_rod(mesh, back, front, 1.2 * thick);
            }
            for (const double y : {0.55 * height, height})
                add_rod(mesh, {-0.31 * height, y, 0.2 * height}, {0.31 * height, y, 0.2 * height}, thick);
            break;
    }
    geometry::Material metal;
    metal.name = name_of(aid.kind);
    metal.base_color = {0.35f, 0.37f, 0.4f, 1};
    metal.metallic = 0.6f;
    metal.roughness = 0.35f;
    mesh.materials.push_back(metal);
    mesh.parts.push_back(
        {std::string(name_of(aid.kind)), 0, static_cast<std::uint32_t>(mesh.triangles.size()), 0});
    return mesh;
}

/// Where an aid is in a pose.
struct Stand {
    int hips = -1;
    int hand = -1;  ///< -1 for a walker
    double ground = 0;
    double reach = 0;  ///< of a walker, in front of the hips
    Mat4d hips_at_rest = Mat4d::Identity();

    Mat4d at(const std::vector<Mat4d>& world) const {
        const math::Mat3d rotation =
            world[sinew::at(hips)].topLeftCorner<3, 3>() * hips_at_rest.topLeftCorner<3, 3>().transpose();
        Vec3d forward = rotation * Vec3d::UnitZ();
        forward.y() = 0;
        forward = forward.norm() > 1e-6 ? Vec3d(forward.normalized()) : Vec3d(Vec3d::UnitZ());
        Mat4d matrix = Mat4d::Identity();
        matrix.topLeftCorner<3, 3>() << Vec3d::UnitY().cross(forward), Vec3d::UnitY(), forward;
        Vec3d position = world[sinew::at(hand >= 0 ? hand : hips)].topRightCorner<3, 1>();
        if (hand < 0) {
            position += reach * forward;
            position.y() = ground;
        }
        matrix.topRightCorner<3, 1>() = position;
        return matrix;
    }
};

Stand find_stand(const model::Character& character, const WalkingAid& aid) {
    const auto roles = model::find_roles(character.skeleton);
    Stand stand;
    stand.hips = model::find_role(roles, Role::hips);
    if (stand.hips < 0) fail(character.name, "has no hips for a walking aid to go with");
    if (aid.kind != AidKind::walker) {
        stand.hand = model::find_role(roles, Role::hand, aid.side);
        if (stand.hand < 0)
            fail(character.name, "has no {} hand to hold a {}", aid.side == Side::left ? "left" : "right",
                 name_of(aid.kind));
    }
    const auto rest = model::rest_world_matrices(character.skeleton);
    stand.hips_at_rest = rest[at(stand.hips)];
    stand.ground = static_cast<double>(geometry::bounds(character.mesh.positions).low.y());
    return stand;
}

std::vector<double> frame_times(const model::Clip& clip) {
    std::vector<double> times;
    for (std::size_t f = 0; f < model::frame_count(clip); ++f) times.push_back(model::frame_time(clip, f));
    return times;
}

/// Median height of the joint that holds the aid, over the first clip or at rest.
double grip_height(const model::Character& character, const Stand& stand) {
    const int held = stand.hand >= 0 ? stand.hand : stand.hips;
    std::vector<double> heights;
    if (!character.clips.empty()) {
        for (const double time : frame_times(character.clips[0]))
            heights.push_back(model::world_matrices(character, &character.clips[0], time)[at(held)](1, 3) -
                              stand.ground);
    }
    if (heights.empty()) heights.push_back(stand.hips_at_rest(1, 3) - stand.ground);
    // The bars of a walker are as high as hanging hands: 0.9 of the height of the hips.
    return std::max(median(std::move(heights)) * (stand.hand >= 0 ? 1 : 0.9), 1e-3);
}

model::Track track_of(const model::Character& character, const model::Clip& clip, const Stand& stand,
                      int joint) {
    model::Track track;
    track.joint = joint;
    const std::size_t frames = model::frame_count(clip);
    track.rotation.times =
        model::KeyTimes::even(model::frame_time(clip, 0), 1 / model::frame_rate(clip), frames);
    track.translation.times = track.rotation.times;
    for (const double time : frame_times(clip)) {
        const Mat4d world = stand.at(model::world_matrices(character, &clip, time));
        math::Quatf rotation = math::from_matrix<double>(world.topLeftCorner<3, 3>()).cast<float>();
        auto& rotations = track.rotation.values;
        if (!rotations.empty() && rotations.back().dot(rotation) < 0) rotation.coeffs() *= -1;
        rotations.push_back(rotation);
        track.translation.values.push_back(world.topRightCorner<3, 1>().cast<float>());
    }
    return track;
}

}  // namespace

std::string_view name_of(AidKind kind) {
    static constexpr std::array<std::string_view, 3> names = {"cane", "crutch", "walker"};
    return names[static_cast<std::size_t>(kind)];
}

std::optional<std::vector<WalkingAid>> parse_walking_aids(std::string_view word) {
    using enum AidKind;
    const std::vector<std::pair<std::string_view, std::vector<WalkingAid>>> words = {
        {"cane-left", {{cane, Side::left}}},
        {"cane-right", {{cane, Side::right}}},
        {"canes", {{cane, Side::left}, {cane, Side::right}}},
        {"crutch-left", {{crutch, Side::left}}},
        {"crutch-right", {{crutch, Side::right}}},
        {"crutches", {{crutch, Side::left}, {crutch, Side::right}}},
        {"walker", {{walker, Side::none}}}};
    for (const auto& [name, aids] : words)
        if (name == word) return aids;
    return std::nullopt;
}

void add_walking_aid(model::Character& character, const WalkingAid& aid) {
    if (!character.has_skin()) fail(character.name, "has no skin for a walking aid to go with");
    Stand stand = find_stand(character, aid);
    const double height = grip_height(character, stand);
    stand.reach = 0.45 * height;
    const auto joint = static_cast<int>(character.skeleton.size());
    std::vector<model::Track> tracks;
    for (const model::Clip& clip : character.clips) tracks.push_back(track_of(character, clip, stand, joint));
    const Mat4d rest = stand.at(model::rest_world_matrices(character.skeleton));
    model::Joint added;
    added.name = std::string(name_of(aid.kind)) + (aid.side == Side::none   ? ""
                                                   : aid.side == Side::left ? ".left"
                                                                            : ".right");
    added.rest = math::decompose(rest).transform;
    character.skeleton.joints.push_back(std::move(added));
    geometry::Mesh mesh = aid_mesh(aid, height);
    for (math::Vec3f& p : mesh.positions) p = math::transform_point(rest, p.cast<double>()).cast<float>();
    for (math::Vec3f& n : mesh.normals) n = (rest.topLeftCorner<3, 3>() * n.cast<double>()).cast<float>();
    const std::size_t vertices = mesh.vertex_count();
    geometry::append(character.mesh, mesh);
    const model::Influence whole{static_cast<std::uint32_t>(character.skin.joints.size()), 1};
    character.skin.joints.push_back({joint, math::inverse_affine(rest)});
    for (std::size_t v = 0; v < vertices; ++v) character.skin.push_vertex({&whole, 1});
    for (std::size_t c = 0; c < character.clips.size(); ++c)
        character.clips[c].tracks.push_back(std::move(tracks[c]));
}

}  // namespace sinew::gait
