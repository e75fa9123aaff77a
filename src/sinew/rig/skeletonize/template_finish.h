#pragma once
/// \file
/// The last steps of placing a template: left like right, inside the body, and as a skeleton at rest.

#include "sinew/rig/skeletonize/body_field.h"
#include "sinew/rig/skeletonize/template_relax.h"

namespace sinew::rig {

/// Twins of points that have targets, and points of the middle; -1 for others.
std::vector<int> twins_of(const TemplatePlan& plan, const TemplateTargets& targets);

/// Averages twins when they are nearly each other's image: within `limit` percent of the size.
void make_symmetric(const TemplatePlan& plan, TemplateTargets& targets, double limit);

/// Points outside move up the depth until they are in.
void pull_inside(const TemplatePlan& plan, const BodyField& field, std::vector<Vec3d>& points);

/// Joints beside a finger, which is thinner than the cells of the field, go to its middle: through the
/// nearest place of the surface, half-way to the other side.
void pull_into_thin(const TemplatePlan& plan, const geometry::Mesh& mesh, double diagonal,
                    std::vector<Vec3d>& points);

/// Rest transforms from points and the turn of every joint's frame. `source` is the skeleton of the plan as
/// it was given.
model::Skeleton posed(const TemplatePlan& plan, const RelaxedTemplate& relaxed,
                      const model::Skeleton& source);

}  // namespace sinew::rig
