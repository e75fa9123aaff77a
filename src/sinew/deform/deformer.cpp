// SPDX-License-Identifier: MIT
#include "sinew/deform/deformer.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/deform/corrective/delta_mush.h"
#include "sinew/deform/corrective/pose_space.h"
#include "sinew/deform/corrective/swing_twist.h"
#include "sinew/deform/skinning/weighted_centers.h"

namespace sinew::deform {

using geometry::Mesh;
using math::Mat4d;
using math::Transform;
using math::Vec3d;
using math::Vec3f;
using model::Character;
using model::Clip;

namespace {

/// Floats of an interleaved vertex: position and normal.
constexpr std::size_t vertex_floats = 6;

void check_morphs(const Mesh& mesh) {
    for (const geometry::Morph& morph : mesh.morphs) {
        const std::size_t end = morph.first + std::max(morph.positions.size(), morph.normals.size());
        if (end > mesh.vertex_count())
            fail("deform", "morph \"{}\" has more vertices than the mesh", morph.name);
    }
}

std::vector<Vec3d> widened(std::span<const Vec3f> points) {
    std::vector<Vec3d> result;
    result.reserve(points.size());
    for (const Vec3f& p : points) result.push_back(p.cast<double>());
    return result;
}

}  // namespace

std::string_view name(Corrective kind) {
    switch (kind) {
        case Corrective::none:
            return "none";
        case Corrective::delta_mush:
            return "mush";
        case Corrective::direct_delta_mush:
            return "direct-mush";
        case Corrective::swing_twist:
            return "swing-twist";
        case Corrective::limit_bulge:
            return "limit-bulge";
    }
    return "";
}

struct Deformer::Data {
    const Character& character;
    DeformerOptions options;
    std::vector<Vec3f> centers;

    std::optional<Player> player;
    std::optional<Skinner> skinner;
    std::optional<Skinner::Pose> pose;
    std::vector<Transform> local;  ///< current pose
    std::vector<Mat4d> world;      ///< of its joints
    std::vector<Mat4d> exact;      ///< its palette
    std::vector<Mat34f> palette;   ///< the same in the precision of blending
    std::vector<float> vertices;   ///< in the layout of the skinner

    std::vector<float> weights;        ///< of the morphs, current
    std::vector<float> shown_weights;  ///< of those in the rest shape
    std::vector<Vec3f> rest_positions;
    std::vector<Vec3f> rest_normals;

    std::optional<PoseSpace> space;
    std::optional<DeltaMush> mush;
    std::optional<DirectDeltaMush> direct;
    std::optional<BoneCorrector> bones;

    DeformedSkin skin;

    Data(const Character& from, const DeformerOptions& how) : character(from), options(how) {
        const Mesh& mesh = character.mesh;
        check_morphs(mesh);
        if (!options.displacements.empty() && options.displacements.size() != mesh.vertex_count())
            fail("deform", "{} displacements for {} vertices", options.displacements.size(),
                 mesh.vertex_count());
        for (const geometry::Morph& morph : mesh.morphs) weights.push_back(morph.weight);
        rest_positions.resize(mesh.vertex_count());
        rest_normals.resize(has_normals() ? mesh.vertex_count() : 0);
        shape_rest();
        if (!character.has_skin()) return;
        player.emplace(character.skeleton, character.skin.joints);  // checks them, too
        for (const model::Joint& joint : character.skeleton.joints) local.push_back(joint.rest);
        world.resize(local.size());
        exact.resize(character.skin.joints.size());
        palette.resize(exact.size());
        make_skinner();
        vertices.resize(mesh.vertex_count() * vertex_floats);
        skin.positions.resize(mesh.vertex_count());
        skin.normals.resize(rest_normals.size());
        if (!options.examples.empty())
            space.emplace(character.skeleton, character.skin, std::move(options.examples), options.basis);
        const CorrectiveOptions& corrective = options.corrective;
        if (corrective.kind == Corrective::delta_mush) mush.emplace(mesh, corrective.smoothing);
        if (corrective.kind == Corrective::direct_delta_mush)
            direct.emplace(mesh, character.skin, corrective.smoothing);
        if (corrective.kind == Corrective::swing_twist || corrective.kind == Corrective::limit_bulge)
            bones.emplace(character.skin, character.skeleton, corrective.swing_twist);
    }

    bool has_normals() const { return options.normals && !character.mesh.normals.empty(); }
    /// Whether blended normals differ from the normals of the surface.
    bool reshapes() const {
        return options.corrective.kind != Corrective::none || space || !options.displacements.empty();
    }

    void make_skinner() {
        centers = centers_for(options.method, character.mesh, character.skin);
        SkinnerOptions how;
        how.normals = options.normals;
        how.centers = centers;
        skinner.emplace(character.mesh, character.skin, &character.skeleton, how);
        pose.emplace(*skinner);
        skinner->set_rest(rest_positions, rest_normals);
    }

    /// Morphs and displacements.
    void shape_rest() {
        const Mesh& mesh = character.mesh;
        std::ranges::copy(mesh.positions, rest_positions.begin());
        if (!rest_normals.empty()) std::ranges::copy(mesh.normals, rest_normals.begin());
        bool bent = false;
        for (std::size_t m = 0; m < weights.size(); ++m) {
            const geometry::Morph& morph = mesh.morphs[m];
            if (weights[m] == 0) continue;
            for (std::size_t i = 0; i < morph.positions.size(); ++i)
                rest_positions[morph.first + i] += weights[m] * morph.positions[i];
            for (std::size_t i = 0; i < morph.normals.size() && !rest_normals.empty(); ++i) {
                rest_normals[morph.first + i] += weights[m] * morph.normals[i];
                bent = true;
            }
        }
        for (std::size_t v = 0; bent && v < rest_normals.size(); ++v) rest_normals[v].stableNormalize();
        for (std::size_t v = 0; v < options.displacements.size(); ++v)
            rest_positions[v] = (rest_positions[v].cast<double>() + options.displacements[v]).cast<float>();
        shown_weights = weights;
    }

    void update_rest() {
        if (!space && weights == shown_weights) return;
        shape_rest();
        if (space) {
            const std::vector<Vec3d> more = space->displacements(local);
            for (std::size_t v = 0; v < more.size(); ++v)
                rest_positions[v] = (rest_positions[v].cast<double>() + more[v]).cast<float>();
        }
        if (skinner) skinner->set_rest(rest_positions, rest_normals);
    }

    /// Deforms rest positions and normals by Method::sbs_weighted.
    DeformCounts about_weighted_centers(std::span<Vec3f> positions, std::span<Vec3f> normals) const {
        return deform_about_weighted_centers(character.skin,
                                             model::group_by_influences(character.skin, &character.skeleton),
                                             exact, positions, normals);
    }

    void blend() {
        if (options.method == Method::sbs_weighted && options.corrective.kind != Corrective::swing_twist) {
            const auto start = std::chrono::steady_clock::now();
            skin.positions = rest_positions;
            skin.normals = rest_normals;
            skin.counts = about_weighted_centers(skin.positions, skin.normals);
            skin.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            return;
        }
        const bool normals = skinner->vectors() > 0;
        VertexBuffer out{std::as_writable_bytes(std::span(vertices))};
        if (!normals) out.normal = -1;
        const Method method =
            options.corrective.kind == Corrective::swing_twist ? Method::dqs : options.method;
        const auto start = std::chrono::steady_clock::now();
        skin.counts = skinner->deform(palette, method, *pose, out, options.threads);
        skin.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const float* from = vertices.data();
        for (std::size_t v = 0; v < skin.positions.size(); ++v, from += vertex_floats) {
            skin.positions[v] = {from[0], from[1], from[2]};
            if (normals) skin.normals[v] = {from[3], from[4], from[5]};
        }
    }

    void correct() {
        const auto start = std::chrono::steady_clock::now();
        if (mush) skin.positions = mush->apply(skin.positions);
        if (direct) skin.positions = direct->apply(exact);
        if (bones) {
            std::vector<Vec3d> moved = widened(skin.positions);
            if (options.corrective.kind == Corrective::swing_twist)
                bones->swing_twist(widened(rest_positions), exact, moved);
            else
                bones->limit_bulge(widened(rest_positions), exact, moved);
            for (std::size_t v = 0; v < moved.size(); ++v) skin.positions[v] = moved[v].cast<float>();
        }
        skin.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    /// The frame of the current palette.
    const DeformedSkin& frame() {
        update_rest();
        if (!skinner) {
            skin.positions = rest_positions;
            skin.normals = rest_normals;
            return skin;
        }
        if (direct)
            skin.seconds = 0;
        else
            blend();
        if (options.corrective.kind != Corrective::none) correct();
        if (reshapes() && has_normals())
            skin.normals = geometry::vertex_normals(skin.positions, character.mesh.triangles);
        return skin;
    }

    /// By the keys of the clip itself, as model::sample does.
    void sample_clip(const Clip* clip, double time) {
        for (std::size_t m = 0; m < weights.size(); ++m) weights[m] = character.mesh.morphs[m].weight;
        if (clip != nullptr) model::sample_morphs(*clip, time, weights);
        if (!player) return;
        for (std::size_t j = 0; j < local.size(); ++j) local[j] = character.skeleton.joints[j].rest;
        if (clip != nullptr) {
            for (const model::Track& track : clip->tracks) {
                Transform& joint = local[static_cast<std::size_t>(track.joint)];
                if (!track.translation.empty()) joint.translation = model::sample(track.translation, time);
                if (!track.rotation.empty()) joint.rotation = model::sample(track.rotation, time);
                if (!track.scale.empty()) joint.scale = model::sample(track.scale, time);
            }
        }
        play_local();
    }

    /// From local transforms to the palette, in double precision, so that a pose at rest stays where it is.
    void play_local() {
        for (std::size_t j = 0; j < local.size(); ++j) {
            const int parent = character.skeleton.joints[j].parent;
            const Mat4d matrix = local[j].matrix();
            world[j] = parent < 0 ? matrix : Mat4d(world[static_cast<std::size_t>(parent)] * matrix);
        }
        for (std::size_t k = 0; k < exact.size(); ++k) {
            const model::SkinJoint& entry = character.skin.joints[k];
            exact[k] = world[static_cast<std::size_t>(entry.joint)] * entry.inverse_bind;
            palette[k] = to_mat34(exact[k]);
        }
    }

    void play_packed(const model::PackedClip& clip, double time, Playback playback) {
        for (std::size_t m = 0; m < weights.size(); ++m) weights[m] = character.mesh.morphs[m].weight;
        if (!player) return;
        player->play(clip, time, playback);
        player->write_palette(palette);
        for (std::size_t k = 0; k < exact.size(); ++k) exact[k] = to_mat4(palette[k]);
        for (std::size_t j = 0; j < local.size(); ++j) local[j] = player->local()[j];
    }
};

Deformer::Deformer(const Character& character, const DeformerOptions& options)
    : data_(std::make_unique<Data>(character, options)) {}
Deformer::Deformer(Deformer&&) noexcept = default;
Deformer& Deformer::operator=(Deformer&&) noexcept = default;
Deformer::~Deformer() = default;

const DeformedSkin& Deformer::at(const Clip* clip, double time) {
    data_->sample_clip(clip, time);
    return data_->frame();
}

const DeformedSkin& Deformer::at(const model::PackedClip& clip, double time, Playback playback) {
    data_->play_packed(clip, time, playback);
    return data_->frame();
}

const DeformedSkin& Deformer::at(std::span<const Transform> pose, std::span<const float> morph_weights) {
    Data& data = *data_;
    const std::vector<geometry::Morph>& morphs = data.character.mesh.morphs;
    if (pose.size() != data.character.skeleton.size())
        fail("deform", "a pose of {} joints for a skeleton of {}", pose.size(),
             data.character.skeleton.size());
    if (!morph_weights.empty() && morph_weights.size() != morphs.size())
        fail("deform", "{} morph weights for {} morphs", morph_weights.size(), morphs.size());
    for (std::size_t m = 0; m < morphs.size(); ++m)
        data.weights[m] = morph_weights.empty() ? morphs[m].weight : morph_weights[m];
    if (data.player) {
        std::ranges::copy(pose, data.local.begin());
        data.play_local();
    }
    return data.frame();
}

Mesh Deformer::mesh_at(const Clip* clip, double time) {
    const DeformedSkin& skin = at(clip, time);
    Mesh mesh = data_->character.mesh;
    mesh.positions = skin.positions;
    mesh.normals = skin.normals;
    mesh.tangents.clear();
    mesh.morphs.clear();
    return mesh;
}

const DeformedSkin& Deformer::skin() const {
    return data_->skin;
}

std::span<const Mat34f> Deformer::palette() const {
    return data_->palette;
}

Method Deformer::method() const {
    return data_->options.method;
}

void Deformer::set_method(Method method) {
    data_->options.method = method;
    if (method == Method::cor && data_->skinner && data_->centers.empty()) data_->make_skinner();
}

/// A map is affine, so four rest positions determine it.
std::vector<Mat4d> Deformer::transforms() {
    Data& data = *data_;
    const std::size_t count = data.rest_positions.size();
    std::vector<Mat4d> maps(count, Mat4d::Identity());
    if (!data.skinner) return maps;
    const float size = std::max(1e-30f, geometry::bounds(data.rest_positions).diagonal());
    std::vector<Vec3f> probe(count), moved(count);
    VertexBuffer out{std::as_writable_bytes(std::span(moved)), sizeof(Vec3f), 0, -1};
    for (int axis = -1; axis < 3; ++axis) {
        std::ranges::fill(probe, axis < 0 ? Vec3f(Vec3f::Zero()) : Vec3f(size * Vec3f::Unit(axis)));
        if (data.options.method == Method::sbs_weighted) {
            moved = probe;
            data.about_weighted_centers(moved, {});
        } else {
            data.skinner->set_rest(probe);
            data.skinner->deform(data.palette, data.options.method, *data.pose, out, data.options.threads);
        }
        for (std::size_t v = 0; v < count; ++v) {
            if (axis < 0)
                maps[v].topRightCorner<3, 1>() = moved[v].cast<double>();
            else
                maps[v].block<3, 1>(0, axis) =
                    (moved[v].cast<double>() - maps[v].topRightCorner<3, 1>()) / double(size);
        }
    }
    data.skinner->set_rest(data.rest_positions);
    return maps;
}

std::vector<Vec3d> Deformer::displacements_to(std::span<const Vec3f> sculpted) {
    const std::vector<Vec3f>& rest = data_->rest_positions;
    if (sculpted.size() != rest.size())
        fail("examples", "a shape of {} vertices for a skin of {}", sculpted.size(), rest.size());
    const std::vector<Mat4d> maps = transforms();
    std::vector<Vec3d> displacements;
    for (std::size_t v = 0; v < maps.size(); ++v) {
        const double volume = std::abs(maps[v].topLeftCorner<3, 3>().determinant());
        if (!(volume > 1e-6))
            fail("examples", "vertex {} collapses with {} in this pose: choose dqs", v, name(method()));
        displacements.emplace_back(
            math::transform_point(math::inverse_affine(maps[v]), sculpted[v].cast<double>()) -
            rest[v].cast<double>());
    }
    return displacements;
}

std::vector<float> morph_weights(const Character& character, const Clip* clip, double time) {
    std::vector<float> weights;
    for (const geometry::Morph& morph : character.mesh.morphs) weights.push_back(morph.weight);
    if (clip != nullptr) model::sample_morphs(*clip, time, weights);
    return weights;
}

}  // namespace sinew::deform
