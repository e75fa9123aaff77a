// SPDX-License-Identifier: MIT
#pragma once
// How well the picture is drawn while it moves: as well as 25 frames per second allow.

namespace sinew::studio {

/// From the best on: all as it is set; one sample per pixel and no shadows; the same at half the size.
enum class Quality { full, plain, half };

/// Watches how long pictures take. A still picture is always drawn in full. What a full one took is
/// remembered, so that a movement begins as simple as it has to be.
class QualityControl {
  public:
    /// What to draw next. `seconds` is what the last picture took; `touched` says that a person is at it, who
    /// waits for the picture that is being drawn and for the next one: both are to be there within 50 ms.
    Quality next(bool moving, double seconds, bool touched = false);
    Quality now() const { return now_; }

  private:
    Quality now_ = Quality::full;
    int seen_ = 0;     ///< pictures at this quality
    double mean_ = 0;  ///< seconds of them
    double full_ = 0;  ///< seconds of the last still picture
    bool moved_ = false;
    bool touched_ = false;
    Quality untouched_ = Quality::full;  ///< as it was before a person came
};

}  // namespace sinew::studio
