// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// From a mesh to a rigged character: a skeleton is found, the skin is bound, both are measured.
///
/// \code
/// const model::Character scan = io::read("scan.obj").character;
/// const pipeline::RigResult made = pipeline::rig_character(scan);
/// io::write("rig.glb", made.character);
/// fmt::print("{}\n", made.skeleton.reason);
/// \endcode

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/base/report.h"
#include "sinew/deform/method.h"
#include "sinew/model/character.h"
#include "sinew/rig/bind.h"
#include "sinew/rig/measure.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::rig {
enum class JointFrames : std::uint8_t;  // in rig/edit.h
}

namespace sinew::pipeline {

/// Stages of a piece of work and the seconds that each took, in order.
using StageSeconds = std::vector<std::pair<std::string, double>>;

struct RigOptions {
    rig::SkeletonizeOptions skeleton;
    /// Finds the skeleton instead of rig::skeletonize: for methods of other modules.
    std::function<rig::SkeletonizeResult(const geometry::Mesh&, const rig::SkeletonizeOptions&, Monitor&)>
        skeletonizer;
    /// Axes of the joints of a skeleton that is found. Nothing: along the bones, as other programs draw them,
    /// but a template with rotations at rest keeps its own.
    std::optional<rig::JointFrames> frames;
    rig::BindOptions bind;
    bool bind_skin = true;  ///< false leaves the mesh unbound
};

/// Skin weights, why this method was taken, and how good they are.
struct BoundSkin {
    rig::BindResult result;
    rig::WeightQuality quality;
    std::size_t influence_sets = 0;  ///< different sets of joints that move vertices
};

struct RigResult {
    model::Character character;  ///< mesh at rest, skeleton, skin; no clips
    rig::SkeletonizeResult skeleton;
    std::optional<BoundSkin> bind;  ///< nothing when it was not requested
    StageSeconds seconds;
};

/// The mesh of a character in a frame: positions and normals replaced, morphs baked, no tangents.
/// \param character with a mesh; without a skin it keeps its rest pose
/// \param clip null for the rest pose
/// \param time seconds
/// \param method how the skin follows the joints
geometry::Mesh posed_mesh(const model::Character& character, const model::Clip* clip, double time,
                          deform::Method method);

/// The mesh in the rest pose of the character, which is not how every file stores its vertices.
/// \param character with or without a rig
/// \param name of the character in the error
/// \throws Error when there is no mesh.
geometry::Mesh rest_mesh(const model::Character& character, std::string_view name = {});

/// A skeleton to fit, by name.
/// \param name a file that holds a skeleton, or one of rig::skeleton_template
/// \param monitor of reading
/// \throws Error of the file, or with the names that there are.
model::Skeleton load_template(const std::string& name, Monitor& monitor = silent());

/// The first half of rig_character.
/// \param mesh at rest
/// \param options its `skeleton`, `skeletonizer` and `frames`
/// \param monitor progress and warnings
/// \throws Error as rig::skeletonize does, and when a few vertices lie so far outside that nothing of the
/// rest can be
///     seen; Cancelled.
rig::SkeletonizeResult find_skeleton(const geometry::Mesh& mesh, const RigOptions& options = {},
                                     Monitor& monitor = silent());

/// The second half of rig_character.
/// \param mesh at rest
/// \param skeleton inside the mesh
/// \param options method and limits
/// \param monitor progress and warnings
/// \param found how the skeleton was found, or null. When it is made of parts of the mesh, the rigid method
///     lets every part follow its own joint, whatever bone is nearest.
/// \throws Error as rig::bind does; Cancelled.
BoundSkin bind_mesh(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                    const rig::BindOptions& options = {}, Monitor& monitor = silent(),
                    const rig::SkeletonizeResult* found = nullptr);

/// Gives a character a skeleton and skin weights, whatever it had of them before.
/// \param character of which mesh, name and unit are taken
/// \param options of both stages
/// \param monitor progress and warnings
/// \throws Error when there is no mesh, no skeleton is found or the mesh cannot be bound; Cancelled.
RigResult rig_character(const model::Character& character, const RigOptions& options = {},
                        Monitor& monitor = silent());

/// What a report says of a skeleton, with the keys `method` and `reason` for how it was found.
Json report_of(const rig::SkeletonizeResult& found);
/// What a report says of skin weights, with the keys `method` and `reason` for how they were found.
Json report_of(const BoundSkin& bound);
/// Both; the methods are `skeleton_method`, `skeleton_reason`, `bind_method` and `bind_reason`.
Json report_of(const RigResult& made);

}  // namespace sinew::pipeline
