// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Helpers for tables of numbers: checked indices, quantiles and aligned vectors.
///
/// \code
/// const std::size_t row = at(joint);                 // checked: not -1
/// const float middle = median(values);
/// AlignedVector<float> lanes(64);                    // starts on a cache line
/// \endcode

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace sinew {

/// Converts the index of a joint, node or part to `std::size_t`.
/// \pre `number` is not -1 (checked by an assert).
constexpr std::size_t at(int number) {
    assert(number >= 0);
    return static_cast<std::size_t>(number);
}

/// Quantile: the value below which the fraction `part` (0 to 1) of the values lies. Returns 0 for an empty
/// list.
template <class T>
T quantile(std::vector<T> values, double part) {
    if (values.empty()) return T(0);
    const auto rank = static_cast<std::size_t>(part * static_cast<double>(values.size()));
    const auto location = values.begin() + static_cast<std::ptrdiff_t>(std::min(rank, values.size() - 1));
    std::nth_element(values.begin(), location, values.end());
    return *location;
}

/// Median; of an even number of values the upper of the two middle ones. Returns 0 for an empty list.
template <class T>
T median(std::vector<T> values) {
    return quantile(std::move(values), 0.5);
}

/// Allocator with 64-byte alignment: one cache line, and the widest vector register.
template <class T>
struct AlignedAllocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}

    T* allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(::operator new(count * sizeof(T), alignment));
    }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, alignment); }
    template <class U>
    bool operator==(const AlignedAllocator<U>&) const {
        return true;
    }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace sinew
