// SPDX-License-Identifier: MIT
#include "quality.h"

namespace sinew::studio {
namespace {

/// The rest of a frame (panels, window) wants its share of 40 ms.
constexpr double too_slow = 0.028, much_faster = 0.006;
constexpr int enough = 3;

}  // namespace

Quality QualityControl::next(bool moving, double seconds) {
    const Quality before = now_;
    if (!moving) {
        now_ = Quality::full;
    } else {
        mean_ = seen_ == 0 ? seconds : 0.7 * mean_ + 0.3 * seconds;
        ++seen_;
        if (seen_ >= enough && mean_ > too_slow && now_ != Quality::half)
            now_ = static_cast<Quality>(static_cast<int>(now_) + 1);
        else if (seen_ >= 10 * enough && mean_ < much_faster && now_ != Quality::full)
            now_ = static_cast<Quality>(static_cast<int>(now_) - 1);
    }
    if (now_ != before || !moving) {
        seen_ = 0;
        mean_ = 0;
    }
    return now_;
}

}  // namespace sinew::studio
