#pragma once
// Shapes made by hand that the rest shape of a character follows before it is skinned.

#include "common.h"

#include "sinew/deform/pose_space.h"

namespace sinew::cli {

struct ExampleOptions {
    std::vector<std::string> poses;   ///< SHAPE@TIME of the clip
    std::vector<std::string> shapes;  ///< SHAPE@X,Y,...: a place in a space of parameters
    std::vector<double> parameters;   ///< the place that is wanted
    deform::BasisKind basis = deform::BasisKind::gaussian;  ///< over the poses

    bool any() const { return !poses.empty() || !shapes.empty(); }
};
void add_example_options(CLI::App& verb, ExampleOptions& options);

/// The rest shape as examples want it. The character must outlive this.
class RestShaper {
  public:
    /// \throws Error when a shape is no file and no shape key, does not fit the mesh, or has no place.
    RestShaper(Run& run, const model::Character& character, const model::Clip* clip, deform::Method method,
               std::span<const geometry::Vec3f> centers, const ExampleOptions& options);

    /// Morphs, the shape of the parameters, and corrections of the pose at a time.
    deform::RestShape<double> at(double time) const;

  private:
    std::vector<math::Transform> pose(double time) const;
    void set_parameters(Run& run, const ExampleOptions& options);

    const model::Character& character_;
    const model::Clip* clip_;
    std::vector<math::Vec3d> own_;  ///< displacements of the parameters; empty without
    std::optional<deform::PoseSpace> poses_;
};

}  // namespace sinew::cli
