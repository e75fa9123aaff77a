#pragma once
// The skin of a character over the frames of a clip, mushed where that is asked for.

#include "common.h"

#include "sinew/deform/delta_mush.h"
#include "sinew/deform/direct_delta_mush.h"

namespace sinew::cli {

struct MushOptions {
    std::string kind = "off";  ///< off, delta, direct
    deform::DeltaMushOptions smoothing;

    bool any() const { return kind != "off"; }
};
void add_mush_options(CLI::App& verb, MushOptions& options);

/// Set up once, then any number of instants.
class SkinFrames {
  public:
    SkinFrames(const model::Character& character, const model::Clip* clip, deform::Method method,
               const MushOptions& options, Monitor& monitor);

    std::vector<geometry::Vec3f> at(double time) const;

  private:
    const model::Character& character_;
    const model::Clip* clip_;
    deform::Method method_;
    std::vector<geometry::Vec3f> centers_;
    std::optional<deform::DeltaMush> delta_;
    std::optional<deform::DirectDeltaMush> direct_;
};

}  // namespace sinew::cli
