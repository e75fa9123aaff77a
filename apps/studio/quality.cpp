// SPDX-License-Identifier: MIT
#include "quality.h"

namespace sinew::studio {
namespace {

/// The rest of a frame (panels, window) wants its share of 40 ms.
constexpr double too_slow = 0.028, much_faster = 0.006;
constexpr int enough = 3;
/// A plain picture takes about a third of a full one.
constexpr double plain_share = 1.0 / 3;

Quality quality_to_begin_with(double full_seconds) {
    if (full_seconds <= too_slow) return Quality::full;
    return plain_share * full_seconds <= too_slow ? Quality::plain : Quality::half;
}

}  // namespace

Quality QualityControl::next(bool moving, double seconds) {
    const Quality before = now_;
    if (!moving) {
        if (now_ == Quality::full) full_ = seconds;
        now_ = Quality::full;
    } else if (!moved_ && full_ > too_slow) {
        now_ = quality_to_begin_with(full_);
    } else {
        mean_ = seen_ == 0 ? seconds : 0.7 * mean_ + 0.3 * seconds;
        ++seen_;
        if (seen_ >= enough && mean_ > too_slow && now_ != Quality::half)
            now_ = static_cast<Quality>(static_cast<int>(now_) + 1);
        else if (seen_ >= 10 * enough && mean_ < much_faster && now_ != Quality::full)
            now_ = static_cast<Quality>(static_cast<int>(now_) - 1);
    }
    moved_ = moving;
    if (now_ != before || !moving) {
        seen_ = 0;
        mean_ = 0;
    }
    return now_;
}

}  // namespace sinew::studio
