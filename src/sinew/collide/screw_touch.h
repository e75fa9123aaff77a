#pragma once
/// \file
/// When do two bodies first touch, while every joint moves on a screw from one pose to the next?

#include "sinew/collide/query.h"

namespace sinew::collide {

/// A linearly blended body between two poses; kept between steps, nothing is allocated once it has grown.
class ScrewBody {
  public:
    /// The tree must outlive the body.
    explicit ScrewBody(const SphereTree& tree);

    /// A new step. \throws Error as Body::set_pose.
    void set_step(std::span<const deform::Mat34f> start, std::span<const deform::Mat34f> end);

    ScrewPath& path() { return path_; }
    /// Poses at both ends of a part of the step; going on from the end of the last part costs one pose.
    Motion part(double from, double to);

  private:
    void pose(Body& body, double time);

    ScrewPath path_;
    Body start_, end_;
    double end_time_ = -1;  ///< of end_; below 0 when it has none
    std::vector<deform::Mat34f> palette_;
};

struct ScrewTouchOptions {
    double tolerance = 1e-4;
    /// A step is cut into equal parts, so many that in none a vertex leaves its straight line by more than
    /// this, in radii of the body; smaller costs poses, larger looser balls.
    double bend = 0.02;
    int most_parts = 64;  ///< even if that is not enough: then balls are looser, answers are the same
};

/// As the first touch along straight lines, for true in-between motions: the time is never later than the
/// first contact of vertices as skinning computes them, and the pair is within the tolerance (and rounding)
/// then.
/// \throws Error when the tolerance is not positive.
FirstTouch find_first_touch(ScrewBody& a, ScrewBody& b, QueryScratch& room,
                            const ScrewTouchOptions& options = {});

/// Into how many parts find_first_touch() would cut the step of a body.
int parts_of(ScrewBody& body, QueryScratch& room, const ScrewTouchOptions& options);

}  // namespace sinew::collide
