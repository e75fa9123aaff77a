#pragma once
/// \file
/// Middles and other ranks of values.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sinew {

/// The value that `part` (0 .. 1) of the values lie below; 0 when there are none.
template <class T>
T quantile(std::vector<T> values, double part) {
    if (values.empty()) return T(0);
    const auto rank = static_cast<std::size_t>(part * static_cast<double>(values.size()));
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(std::min(rank, values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

/// Middle of the values, the upper one of two; 0 when there are none.
template <class T>
T median(std::vector<T> values) {
    return quantile(std::move(values), 0.5);
}

}  // namespace sinew
