// SPDX-License-Identifier: MIT
#include "quality.h"

namespace sinew::studio {
namespace {

/// The rest of a frame (panels, window) needs its part of 40 ms.
constexpr double too_slow = 0.028, much_faster = 0.006;
/// Two pictures and their panels within 50 ms.
constexpr double too_slow_to_answer = 0.014;
constexpr int enough = 3;
/// A plain picture takes about a third of a full one.
constexpr double plain_share = 1.0 / 3;

Quality quality_to_begin_with(double full_seconds, double limit) {
    if (full_seconds <= limit) return Quality::full;
    return plain_share * full_seconds <= limit ? Quality::plain : Quality::half;
}

}  // namespace

Quality QualityControl::next(bool moving, double seconds, bool touched) {
    const Quality before = now_;
    const double limit = touched ? too_slow_to_answer : too_slow;
    if (touched && !touched_) untouched_ = now_;
    if (!touched && touched_ && moving) now_ = untouched_;
    if (!moving) {
        if (now_ == Quality::full) full_ = seconds;
        now_ = Quality::full;
    } else if (!moved_ && full_ > limit) {
        now_ = quality_to_begin_with(full_, limit);
    } else if (touched) {
        if (seconds > limit && now_ != Quality::half) now_ = static_cast<Quality>(static_cast<int>(now_) + 1);
    } else if (!touched_) {
        mean_ = seen_ == 0 ? seconds : 0.7 * mean_ + 0.3 * seconds;
        ++seen_;
        if (seen_ >= enough && mean_ > too_slow && now_ != Quality::half)
            now_ = static_cast<Quality>(static_cast<int>(now_) + 1);
        else if (seen_ >= 10 * enough && mean_ < much_faster && now_ != Quality::full)
            now_ = static_cast<Quality>(static_cast<int>(now_) - 1);
    }
    moved_ = moving;
    touched_ = touched;
    if (now_ != before || !moving) {
        seen_ = 0;
        mean_ = 0;
    }
    return now_;
}

}  // namespace sinew::studio
