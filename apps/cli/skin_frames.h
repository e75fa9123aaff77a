#pragma once
// The skin of a character over the frames of a clip, refined beyond blending where that is asked for.

#include "examples.h"

#include "sinew/deform/delta_mush.h"
#include "sinew/deform/direct_delta_mush.h"
#include "sinew/deform/swing_twist.h"

namespace sinew::cli {

enum class Refinement { none, mush, direct_mush, swing_twist };

struct RefineOptions {
    Refinement kind = Refinement::none;
    deform::DeltaMushOptions smoothing;
    deform::SwingTwistOptions swing_twist;

    bool any() const { return kind != Refinement::none; }
};
void add_refine_options(CLI::App& verb, RefineOptions& options);
std::string name_of(Refinement kind);

/// Set up once, then any number of instants.
class SkinFrames {
  public:
    SkinFrames(Run& run, const model::Character& character, const model::Clip* clip, deform::Method method,
               const RefineOptions& options, const ExampleOptions& examples);

    std::vector<geometry::Vec3f> at(double time) const;

  private:
    const model::Character& character_;
    const model::Clip* clip_;
    deform::Method method_;
    RefineOptions options_;
    std::vector<geometry::Vec3f> centers_;
    model::InfluenceSets sets_;
    std::optional<RestShaper> shaper_;
    std::optional<deform::DeltaMush> mush_;
    std::optional<deform::DirectDeltaMush> direct_;
};

}  // namespace sinew::cli
