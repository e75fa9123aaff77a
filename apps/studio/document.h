// SPDX-License-Identifier: MIT
#pragma once
// What is open. Documents share what they have in common, so that keeping old ones for undo costs little.

#include <filesystem>
#include <memory>

#include "body_parts.h"

#include "sinew/gait/report.h"
#include "sinew/io/io.h"
#include "sinew/model/character.h"

namespace sinew::studio {

struct ImportedMotion;
struct GaitWork;
struct Marks;
struct MotionLayer;

struct Document {
    std::filesystem::path path;                                ///< empty for what is in no file
    std::shared_ptr<const model::Character> character;         ///< never null
    std::shared_ptr<const model::MeshSequence> sequence = {};  ///< null for most
    std::shared_ptr<const model::Trial> trial = {};     ///< of a laboratory, whose markers are shown; or null
    std::shared_ptr<const ImportedMotion> motion = {};  ///< the last that was put onto the character; or null
    std::shared_ptr<const GaitWork> gait = {};          ///< what was measured of a walk; or null
    /// How sure the position of each joint is, 0 to 1, where a template was fitted; or null.
    std::shared_ptr<const std::vector<double>> confidence = {};
    std::shared_ptr<const MotionLayer> layer = {};          ///< keys over one of the clips; or null
    std::shared_ptr<const Marks> marks = {};                ///< placed by hand for a skeleton; or null
    std::shared_ptr<const gait::Checklist> checklist = {};  ///< what was seen of a walk; or null
    std::shared_ptr<const BodyParts> parts;                 ///< never null
    geometry::Box box;                                      ///< of mesh and skeleton at rest
    /// What there is to know of the mesh, line by line; shared by documents as long as the mesh is the same.
    std::shared_ptr<const std::vector<std::string>> surface;

    Document();
    explicit Document(model::Character character, std::filesystem::path path = {});
    bool empty() const { return !character->has_mesh() && !character->has_skeleton(); }
    /// The same file with another character; parts are found anew. The motion goes with the skeleton, the
    /// layer with its rest pose; who changes the clip of the layer takes it out.
    Document with(model::Character changed) const;

  private:
    Document(model::Character character, std::filesystem::path path, const Document* like);
};

/// A file of any kind that can be shown. \throws Error with place and reason.
Document open_document(const std::filesystem::path& path, const io::ReadOptions& options = {},
                       Monitor& monitor = silent());
Document document_of(io::Asset asset, const std::filesystem::path& path, Monitor& monitor = silent());

/// True for what moves a character and shows none: motions, channels, trials, cycles.
bool is_motion(const io::Asset& asset);

/// What there is to know, line by line: counts, size, topology, skin, clips.
std::vector<std::string> describe(const Document& document);

}  // namespace sinew::studio
