// SPDX-License-Identifier: MIT
#pragma once
// Quality of the picture while it moves: as high as 25 frames per second allow.

namespace sinew::studio {

/// From the highest: all settings; one sample per pixel and no shadows; the same at half the size.
enum class Quality { full, plain, half };

/// Measures how long pictures take. A still picture is always drawn in full. The time of a full one is
/// stored, so that a movement begins with the necessary simplification.
class QualityControl {
  public:
    /// The next quality. `seconds` is the time of the last picture; `touched` says that the user is active
    /// and waits for the present picture and for the next one: both must be ready within 50 ms.
    Quality next(bool moving, double seconds, bool touched = false);
    Quality now() const { return now_; }

  private:
    Quality now_ = Quality::full;
    int seen_ = 0;     ///< pictures at this quality
    double mean_ = 0;  ///< mean seconds of them
    double full_ = 0;  ///< seconds of the last still picture
    bool moved_ = false;
    bool touched_ = false;
    Quality untouched_ = Quality::full;  ///< before the user became active
};

}  // namespace sinew::studio
