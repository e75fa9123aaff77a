// SPDX-License-Identifier: MIT
#pragma once
// The open document. Documents share common data, so that old ones for undo need little memory.

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
    std::filesystem::path path;                                ///< empty if it was not read from a file
    std::shared_ptr<const model::Character> character;         ///< never null
    std::shared_ptr<const model::MeshSequence> sequence = {};  ///< usually null
    std::shared_ptr<const model::Trial> trial = {};     ///< of a laboratory, whose markers are shown; or null
    std::shared_ptr<const ImportedMotion> motion = {};  ///< the last one on the character; or null
    std::shared_ptr<const GaitWork> gait = {};          ///< measurements of a walk; or null
    /// Confidence in the position of each joint, 0 to 1, if a template was fitted; or null.
    std::shared_ptr<const std::vector<double>> confidence = {};
    std::shared_ptr<const MotionLayer> layer = {};          ///< keys over one of the clips; or null
    std::shared_ptr<const Marks> marks = {};                ///< set by hand for a skeleton; or null
    std::shared_ptr<const gait::Checklist> checklist = {};  ///< observations of a walk; or null
    std::shared_ptr<const BodyParts> parts;                 ///< never null
    geometry::Box box;                                      ///< of mesh and skeleton at rest
    /// Description of the mesh, line by line; shared by documents as long as the mesh is the same.
    std::shared_ptr<const std::vector<std::string>> surface;

    Document();
    explicit Document(model::Character character, std::filesystem::path path = {});
    bool empty() const { return !character->has_mesh() && !character->has_skeleton(); }
    /// The same file with another character; parts are computed again. The motion is kept with the skeleton,
    /// the layer with its rest pose; a caller that changes the clip of the layer removes it.
    Document with(model::Character changed) const;

  private:
    Document(model::Character character, std::filesystem::path path, const Document* like);
};

/// Reads a file of any kind that can be shown. \throws Error with position and reason.
Document open_document(const std::filesystem::path& path, const io::ReadOptions& options = {},
                       Monitor& monitor = silent());
Document document_of(io::Asset asset, const std::filesystem::path& path, Monitor& monitor = silent());

/// True for files that move a character and contain none: motions, channels, trials, cycles.
bool is_motion(const io::Asset& asset);

/// Description, line by line: counts, size, topology, skin, clips.
std::vector<std::string> describe(const Document& document);

}  // namespace sinew::studio
