#include "sinew/sample/samples.h"

#include <array>
#include <functional>

#include "sinew/math/dual_quaternion.h"
#include "sinew/math/quaternion.h"

namespace sinew::sample {
namespace {

using math::DualQuatd;
using math::pi;
using math::Vec3d;

constexpr double seconds = 4;
constexpr int keys = 241;
constexpr double climb = 0.5;                 // of the translation and of the screw
constexpr double lean = 25 * math::pi / 180;  // of the axis that moves
const Vec3d block_half(0.16, 0.07, 0.10);
const Vec3d block_center(0.30, 0.22, 0);  // beside its axis
const Vec3d rod_half(0.008, 0.5, 0.008);
const Vec3d rod_center(0, 0.5, 0);

/// A motion as a function of the part of the clip that has passed.
using Motion = std::function<DualQuatd(double)>;

/// 0 at both ends of the clip, 1 in its middle.
double there_and_back(double t) {
    return (1 - std::cos(2 * pi * t)) / 2;
}

/// About the vertical through the joint, or another direction.
DualQuatd screw(double angle, double pitch, const Vec3d& direction = Vec3d::UnitY()) {
    return math::from_screw(math::Screw<double>{direction, Vec3d::Zero(), angle, pitch});
}

struct Block {
    const char* name;
    int parent;
    Vec3d place;
    Motion motion;  ///< empty: it stands still
    Vec3d color;
    bool has_block;  ///< or only the rod of an axis
};

/// Joint 0 holds the axes that stand still.
std::vector<Block> blocks() {
    const auto lean_and_go_around = [](double t) {
        return screw(lean, 0, {std::cos(2 * pi * t), 0, std::sin(2 * pi * t)});
    };
    return {
        {"Axes", -1, {0, 0, 0}, {}, {0.3, 0.32, 0.36}, false},
        {"Rotation",
         0,
         {-1.8, 0, 0},
         [](double t) { return screw(2 * pi * t, 0); },
         {0.08, 0.32, 0.42},
         true},
        {"Translation",
         0,
         {-0.6, 0, 0},
         [](double t) { return screw(0, climb * there_and_back(t)); },
         {0.62, 0.26, 0.06},
         true},
        {"Screw",
         0,
         {0.6, 0, 0},
         [](double t) { return screw(4 * pi * there_and_back(t), climb * there_and_back(t)); },
         {0.20, 0.38, 0.12},
         true},
        {"Axis", 0, {1.8, 0, 0}, lean_and_go_around, {0.3, 0.32, 0.36}, false},
        {"MovingAxis", 4, {0, 0, 0}, [](double t) { return screw(4 * pi * t, 0); }, {0.45, 0.12, 0.30}, true},
    };
}

/// A box with hard edges, as a part of its own.
void add_box(model::Character& character, const Vec3d& center, const Vec3d& half, std::uint32_t joint,
             const Vec3d& color, const std::string& name) {
    geometry::Mesh& mesh = character.mesh;
    const auto first = static_cast<std::uint32_t>(mesh.triangles.size());
    for (int side = 0; side < 6; ++side) {
        const int axis = side / 2;
        const double sign = side % 2 == 0 ? 1 : -1;
        Vec3d normal = Vec3d::Zero(), u = Vec3d::Zero();
        normal[axis] = sign;
        u[(axis + 1) % 3] = 1;
        const Vec3d v = normal.cross(u);
        const auto corner = static_cast<std::uint32_t>(mesh.positions.size());
        for (const auto& [a, b] :
             std::array<std::pair<double, double>, 4>{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}) {
            const Vec3d place = center + half.cwiseProduct(normal + a * u + b * v);
            mesh.positions.push_back(place.cast<float>());
            mesh.normals.push_back(normal.cast<float>());
            character.skin.push_vertex(std::array{model::Influence{joint, 1.0f}});
        }
        mesh.triangles.push_back({corner, corner + 1, corner + 2});
        mesh.triangles.push_back({corner, corner + 2, corner + 3});
    }
    geometry::Material material;
    material.name = name;
    material.base_color << color.cast<float>(), 1.0f;
    material.roughness = 0.5f;
    mesh.parts.push_back({name, first, 12, static_cast<int>(mesh.materials.size())});
    mesh.materials.push_back(material);
}

model::Track track_of(int joint, const Block& block) {
    model::Track track;
    track.joint = joint;
    track.rotation.times = track.translation.times =
        model::KeyTimes::even(0, seconds / (keys - 1), static_cast<std::size_t>(keys));
    for (int k = 0; k < keys; ++k) {
        const DualQuatd motion = block.motion(static_cast<double>(k) / (keys - 1));
        track.rotation.values.push_back(motion.real.cast<float>());
        track.translation.values.push_back((block.place + math::translation(motion)).cast<float>());
    }
    return track;
}

}  // namespace

model::Character make_screws() {
    model::Character character;
    character.name = character.mesh.name = "screws";
    model::Clip clip;
    clip.name = "motions";
    const std::vector<Block> all = blocks();
    for (std::size_t j = 0; j < all.size(); ++j) {
        model::Joint joint;
        joint.name = all[j].name;
        joint.parent = all[j].parent;
        joint.rest.translation = all[j].place;
        character.skeleton.joints.push_back(joint);
        if (all[j].motion) clip.tracks.push_back(track_of(static_cast<int>(j), all[j]));
    }
    character.skin.joints = model::bind_at_rest(character.skeleton);
    for (std::size_t j = 0; j < all.size(); ++j) {
        const Block& block = all[j];
        // At rest the moving axis stands upright at its own place.
        const Vec3d at = block.parent == 4 ? all[4].place : block.place;
        if (block.has_block)
            add_box(character, at + block_center, block_half, static_cast<std::uint32_t>(j), block.color,
                    block.name);
        // The rods of the axes: those that stand still hang on the first joint.
        if (j > 0 && block.parent != 4)
            add_box(character, at + rod_center, rod_half, j == 4 ? 4u : 0u, all[0].color,
                    std::string(block.name) + " axis");
    }
    character.clips = {clip};
    return character;
}

}  // namespace sinew::sample
