// SPDX-License-Identifier: MIT
#include "sinew/model/character.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::model {

void validate(const Character& character, std::string_view location) {
    geometry::validate(character.mesh, location);
    validate(character.skeleton, location);
    if (character.has_skin()) {
        validate(character.skin, character.mesh.vertex_count(), character.skeleton.size(), location);
    }
    for (const Clip& clip : character.clips) {
        validate(clip, character.skeleton.size(), character.mesh.morphs.size(), location);
    }
}

std::vector<Mat4d> world_matrices(const Character& character, const Clip* clip, double time) {
    if (clip == nullptr) return rest_world_matrices(character.skeleton);
    return world_matrices(character.skeleton, sample(*clip, character.skeleton, time));
}

const Clip* find_clip(const Character& character, std::string_view name_or_index) {
    if (name_or_index.empty()) return character.clips.empty() ? nullptr : &character.clips.front();
    for (const Clip& clip : character.clips) {
        if (clip.name == name_or_index) return &clip;
    }
    std::int64_t index = -1;
    if (parse_exact(name_or_index, index) && index >= 0 &&
        index < static_cast<std::int64_t>(character.clips.size())) {
        return &character.clips[static_cast<std::size_t>(index)];
    }
    // "dance" also finds "Dance" when only one clip matches.
    const auto like = [&](const Clip& clip) { return to_lower(clip.name) == to_lower(name_or_index); };
    if (std::ranges::count_if(character.clips, like) == 1)
        return &*std::ranges::find_if(character.clips, like);
    std::string names;
    for (std::size_t i = 0; i < character.clips.size(); ++i) {
        names += fmt::format("{}{} \"{}\"", i > 0 ? ", " : "", i, character.clips[i].name);
    }
    fail(character.name, "no clip \"{}\": {}", name_or_index,
         names.empty() ? "it has none" : "its clips are " + names);
}

void validate(const MeshSequence& sequence, std::string_view location) {
    geometry::validate(sequence.rest, location);
    for (std::size_t f = 0; f < sequence.frames.size(); ++f) {
        const auto& frame = sequence.frames[f];
        if (frame.size() != sequence.rest.positions.size()) {
            fail(location, "frame {} has {} vertices, the rest pose {}", f, frame.size(),
                 sequence.rest.positions.size());
        }
        for (std::size_t v = 0; v < frame.size(); ++v) {
            if (!frame[v].allFinite()) fail(location, "frame {}, vertex {}: position is not finite", f, v);
        }
    }
}

namespace {

void move_points(std::vector<Vec3f>& points, const Similarity& s) {
    for (Vec3f& point : points) point = (s * point.cast<double>()).cast<float>();
}

void rotate_vectors(std::vector<Vec3f>& vectors, const Quatd& rotation, double scale) {
    for (Vec3f& vector : vectors) vector = (scale * (rotation * vector.cast<double>())).cast<float>();
}

void move_mesh(Mesh& mesh, const Similarity& s) {
    move_points(mesh.positions, s);
    rotate_vectors(mesh.normals, s.rotation, 1);
    for (math::Vec4f& tangent : mesh.tangents) {
        tangent.head<3>() = (s.rotation * Vec3d(tangent.head<3>().cast<double>())).cast<float>();
    }
    for (geometry::Morph& morph : mesh.morphs) {
        rotate_vectors(morph.positions, s.rotation, s.scale);
        rotate_vectors(morph.normals, s.rotation, 1);
    }
}

/// Translation keys are positions and their tangents are directions. Those of a root are transformed
/// completely, those of other joints are only scaled.
void move_translations(Keys<Vec3f>& keys, const Similarity& s, bool root) {
    for (std::size_t i = 0; i < keys.values.size(); ++i) {
        const bool position = keys.stride() == 1 || i % 3 == 1;
        const Vec3d value = keys.values[i].cast<double>();
        const Vec3d rotated = root ? Vec3d(s.rotation * value) : value;
        keys.values[i] =
            (s.scale * rotated + (root && position ? s.translation : Vec3d(Vec3d::Zero()))).cast<float>();
    }
}

void move_clip(Clip& clip, const Skeleton& skeleton, const Similarity& s) {
    const Quatf rotation = s.rotation.cast<float>();
    for (Track& track : clip.tracks) {
        const bool root = skeleton.joints[static_cast<std::size_t>(track.joint)].parent < 0;
        move_translations(track.translation, s, root);
        if (!root) continue;
        for (Quatf& value : track.rotation.values) value = rotation * value;  // linear, so tangents follow
    }
}

}  // namespace

Mat4d Similarity::matrix() const {
    Mat4d m = Mat4d::Identity();
    m.topLeftCorner<3, 3>() = scale * math::to_matrix(rotation);
    m.topRightCorner<3, 1>() = translation;
    return m;
}

void apply(Character& character, const Similarity& s) {
    move_mesh(character.mesh, s);
    for (Joint& joint : character.skeleton.joints) {
        if (joint.parent < 0) {
            joint.rest.translation = s * joint.rest.translation;
            joint.rest.rotation = (s.rotation * joint.rest.rotation).normalized();
        } else {
            joint.rest.translation *= s.scale;
        }
        if (joint.tip) *joint.tip *= s.scale;
    }
    // world' = S world scale(1/s) keeps joint frames at their own scale, hence inverse_bind' = scale(s)
    // inverse_bind S^-1.
    const Mat4d back = math::inverse_affine(s.matrix());
    const Mat4d grow = Vec3d::Constant(s.scale).homogeneous().asDiagonal();
    for (SkinJoint& entry : character.skin.joints) entry.inverse_bind = grow * entry.inverse_bind * back;
    for (Clip& clip : character.clips) move_clip(clip, character.skeleton, s);
}

void apply(MeshSequence& sequence, const Similarity& s) {
    move_mesh(sequence.rest, s);
    for (auto& frame : sequence.frames) move_points(frame, s);
}

}  // namespace sinew::model
