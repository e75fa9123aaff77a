// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Fits a known skeleton into a body: the skeleton of a motion, or a built-in one.

#include <memory>
#include <optional>

#include "sinew/model/roles.h"
#include "sinew/rig/body/body_axes.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::rig {

struct TemplateFit : TemplateConfidence {
    model::Skeleton skeleton;             ///< the template's joints, names and tree, in the body at rest
    std::vector<model::JointRole> roles;  ///< per joint
    double scale = 1;                     ///< body over template
    math::Mat3d rotation = math::Mat3d::Identity();  ///< template to body: of its up and front
    model::Similarity axes;                          ///< of the body, see body_axes.h
    CurveSkeleton curve;                             ///< of the body, without the map of vertices
    int left_out = 0;                                ///< parts that are too far away to belong to the body
};

/// Data of a mesh that all templates need: built once.
class TemplateBody {
  public:
    /// \param surface of the mesh, which is used only while the body is built
    /// \param up of the body, unit length
    /// \param hands_off whether hands that rest on the hips or the thighs are cut off from them
    /// \throws Error when the mesh has no extent, or the body no branches.
    TemplateBody(SurfaceOnDemand& surface, const math::Vec3d& up, Monitor& monitor = silent(),
                 bool hands_off = false);
    ~TemplateBody();
    TemplateBody(const TemplateBody&) = delete;
    TemplateBody& operator=(const TemplateBody&) = delete;

    bool hands_off() const;  ///< some did

    struct Parts;
    const Parts& parts() const { return *parts_; }

  private:
    std::unique_ptr<Parts> parts_;
};

/// Places a skeleton inside a mesh of any scale and orientation, in T-pose, A-pose or moderately bent.
/// Branches of the body's curve are matched with limbs by the paths between their ends; mirror images and
/// rotated bodies are distinguished by the whole pose; joints take their positions by proportion, bend and
/// thickness, and are then relaxed towards the template's shape.
/// \throws Error when the mesh or the template has no extent, or the body has no branches.
TemplateFit fit_template(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                         Monitor& monitor = silent());
/// The same in an existing body, without warnings about joints that were not found.
TemplateFit fit_template(const TemplateBody& body, const model::Skeleton& skeleton);

/// The kinds of bodies that are known by how they stand, as built-in templates, and the free kind.
struct BodyGuess {
    std::string_view kind;  ///< a name of skeleton_template; "free" for any other body
    double confidence = 0;  ///< the fraction of such bodies for which it is correct
};

/// Finds the kind of a body. All kinds are fitted, and the best is compared with the others. +y is up; other
/// directions are tried only when no kind stands on it.
/// \param mesh any mesh
/// \param fit when given, becomes the fitted template of the kind, without the limbs that the body lacks
/// \param monitor progress
/// \throws Error when the mesh has no extent, or the body no branches.
BodyGuess identify_body(const geometry::Mesh& mesh, std::optional<TemplateFit>* fit = nullptr,
                        Monitor& monitor = silent());

void apply(CurveSkeleton& curve, const model::Similarity& axes);

/// Warns about the parts of a template that were not found in a body.
void warn_of_missing(const TemplateFit& fit, Monitor& monitor);

}  // namespace sinew::rig
