#pragma once
// The numbers behind the artifact scenes: what each method does, beside what the formulas say it must do.

#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/method.h"
#include "sinew/math/types.h"
#include "sinew/sample/artifacts.h"

namespace sinew::cli {

/// A scene under one method.
struct PosedScene {
    deform::Method method = deform::Method::lbs;
    std::vector<math::Vec3d> before;  ///< at ArtifactScene::time_before
    std::vector<math::Vec3d> after;   ///< at ArtifactScene::time
};
std::vector<PosedScene> pose_scene(const sample::ArtifactScene& scene);

/// A number that shows an artifact.
struct ArtifactMeasure {
    std::string quantity;
    /// Of a scene under a method.
    double (*measured)(const sample::ArtifactScene&, const PosedScene&);
    /// By the closed form of the method; none where there is no simple one.
    std::optional<double> (*analytic)(deform::Method);
};

/// The numbers of a scene.
std::vector<ArtifactMeasure> artifact_measures(const std::string& scene);

}  // namespace sinew::cli
