// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// From a mesh to a rigged character: finds a skeleton, binds the skin and measures both.
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

/// Stages of a computation with their wall times in seconds, in order.
using StageSeconds = std::vector<std::pair<std::string, double>>;

struct RigOptions {
    rig::SkeletonizeOptions skeleton;
    /// Replaces rig::skeletonize, for methods of other modules.
    std::function<rig::SkeletonizeResult(const geometry::Mesh&, const rig::SkeletonizeOptions&, Monitor&)>
        skeletonizer;
    /// Axes of the joints of a skeleton that is found. If empty, y points along the bones, as other programs
    /// expect; a template with rotations at rest keeps its own axes.
    std::optional<rig::JointFrames> frames;
    rig::BindOptions bind;
    bool bind_skin = true;  ///< false skips binding
};

/// Skin weights, the reason for the chosen method, and their quality.
struct BoundSkin {
    rig::BindResult result;
    rig::WeightQuality quality;
    std::size_t influence_sets = 0;  ///< number of different sets of joints that move vertices
};

struct RigResult {
    model::Character character;  ///< mesh at rest, skeleton, skin; no clips
    rig::SkeletonizeResult skeleton;
    std::optional<BoundSkin> bind;  ///< empty when it was not requested
    StageSeconds seconds;
};

/// The mesh of a character in one frame: positions and normals replaced, morphs applied, no tangents.
/// \param character with a mesh; without a skin only its morphs are animated
/// \param clip null gives the rest pose
/// \param time seconds
/// \param method skinning method
geometry::Mesh posed_mesh(const model::Character& character, const model::Clip* clip, double time,
                          deform::Method method);

/// The mesh in the rest pose of the character; stored vertices of some files are in another pose.
/// \param character with or without a rig
/// \param name name of the character in errors
/// \throws Error when there is no mesh
geometry::Mesh rest_mesh(const model::Character& character, std::string_view name = {});

/// Loads a template skeleton by name.
/// \param name a file with a skeleton, or one of rig::skeleton_templates
/// \param monitor receives progress and warnings of reading
/// \throws Error of the file, or with the list of names
model::Skeleton load_template(const std::string& name, Monitor& monitor = silent());

/// Finds a skeleton: the first half of rig_character.
/// \param mesh at rest
/// \param options only `skeleton`, `skeletonizer` and `frames` apply
/// \param monitor receives progress and warnings
/// \throws Error as rig::skeletonize; also when a few stray vertices are so far away that the rest of the
/// mesh becomes too small to resolve
/// \throws Cancelled when the monitor cancels
rig::SkeletonizeResult find_skeleton(const geometry::Mesh& mesh, const RigOptions& options = {},
                                     Monitor& monitor = silent());

/// Binds the mesh: the second half of rig_character.
/// \param mesh at rest
/// \param skeleton inside the mesh
/// \param options method and limits
/// \param monitor receives progress and warnings
/// \param found how the skeleton was found; may be null. If it was made from parts of the mesh, the rigid
/// method assigns every part to its own joint instead of the nearest bone.
/// \throws Error as rig::bind
/// \throws Cancelled when the monitor cancels
BoundSkin bind_mesh(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                    const rig::BindOptions& options = {}, Monitor& monitor = silent(),
                    const rig::SkeletonizeResult* found = nullptr);

/// Gives a character a new skeleton and new skin weights; existing ones are ignored.
/// \param character provides mesh, name and unit
/// \param options of both stages
/// \param monitor receives progress and warnings
/// \throws Error when there is no mesh, no skeleton is found, or the mesh cannot be bound
/// \throws Cancelled when the monitor cancels
RigResult rig_character(const model::Character& character, const RigOptions& options = {},
                        Monitor& monitor = silent());

/// Report on a skeleton; the keys `method` and `reason` state how it was found.
Json report_of(const rig::SkeletonizeResult& found);
/// Report on skin weights; the keys `method` and `reason` state how they were computed.
Json report_of(const BoundSkin& bound);
/// Report on both; the keys for methods are `skeleton_method`, `skeleton_reason`, `bind_method` and
/// `bind_reason`.
Json report_of(const RigResult& made);

}  // namespace sinew::pipeline
