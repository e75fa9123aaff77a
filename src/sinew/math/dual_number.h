#pragma once
/// \file
/// Dual numbers a + e b with e squared = 0: f(a + e b) = f(a) + e b f'(a) (Kavan 2007, appendix A).

#include <cmath>

namespace sinew::math {

template <class T>
struct DualNumber {
    T real = 0;
    T dual = 0;

    DualNumber operator+(const DualNumber& r) const { return {real + r.real, dual + r.dual}; }
    DualNumber operator-(const DualNumber& r) const { return {real - r.real, dual - r.dual}; }
    DualNumber operator*(const DualNumber& r) const { return {real * r.real, real * r.dual + dual * r.real}; }
};

/// 1/a - e b/a^2, a not 0.
template <class T>
DualNumber<T> inverse(const DualNumber<T>& x) {
    return {1 / x.real, -x.dual / (x.real * x.real)};
}

template <class T>
DualNumber<T> operator/(const DualNumber<T>& x, const DualNumber<T>& y) {
    return x * inverse(y);
}

/// For a > 0.
template <class T>
DualNumber<T> sqrt(const DualNumber<T>& x) {
    const T root = std::sqrt(x.real);
    return {root, x.dual / (2 * root)};
}

template <class T>
DualNumber<T> sin(const DualNumber<T>& x) {
    return {std::sin(x.real), x.dual * std::cos(x.real)};
}

template <class T>
DualNumber<T> cos(const DualNumber<T>& x) {
    return {std::cos(x.real), -x.dual * std::sin(x.real)};
}

/// Angle of (x, y), not both of real part 0.
template <class T>
DualNumber<T> atan2(const DualNumber<T>& y, const DualNumber<T>& x) {
    const T square = x.real * x.real + y.real * y.real;
    return {std::atan2(y.real, x.real), (x.real * y.dual - y.real * x.dual) / square};
}

}  // namespace sinew::math
