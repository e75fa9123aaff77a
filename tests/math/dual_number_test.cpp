// SPDX-License-Identifier: MIT
#include "support/blends.h"
#include <gtest/gtest.h>

#include "sinew/math/dual_quaternion.h"

namespace sinew::math {
namespace {

using Dual = DualNumber<double>;

/// The dual part is the derivative: compared with central differences.
template <class F, class G>
void expect_derivative(const F& dual, const G& real, double x) {
    const Dual y = dual(Dual{x, 1});
    EXPECT_NEAR(y.real, real(x), 1e-14);
    EXPECT_NEAR(y.dual, (real(x + 1e-6) - real(x - 1e-6)) / 2e-6, 1e-8);
}

TEST(DualNumber, CarriesDerivatives) {
    for (const double x : {0.3, 1.0, 2.2}) {
        expect_derivative([](Dual a) { return sin(a); }, [](double a) { return std::sin(a); }, x);
        expect_derivative([](Dual a) { return cos(a); }, [](double a) { return std::cos(a); }, x);
        expect_derivative([](Dual a) { return sqrt(a); }, [](double a) { return std::sqrt(a); }, x);
        expect_derivative([](Dual a) { return inverse(a); }, [](double a) { return 1 / a; }, x);
        expect_derivative([](Dual a) { return a * a / (a + Dual{1, 0}) - a; },
                          [](double a) { return a * a / (a + 1) - a; }, x);
        expect_derivative([](Dual a) { return atan2(sin(a), cos(a) + Dual{0.5, 0}); },
                          [](double a) { return std::atan2(std::sin(a), std::cos(a) + 0.5); }, x);
    }
}

// A screw is a rotation by a dual angle: cos and sin of it are what the dual quaternion holds.
TEST(DualNumber, DualAngleMakesTheScrew) {
    test::Random random;
    for (int n = 0; n < 200; ++n) {
        const Vec3d axis = random.unit_vector(), point = random.vector();
        const Screw<double> screw{axis, point.cross(axis), random.uniform(0.1, 3), random.uniform(-2, 2)};
        const Dual half{screw.angle / 2, screw.pitch / 2}, c = cos(half), s = sin(half);
        const DualQuatd q = from_screw(screw);
        EXPECT_NEAR(q.real.w(), c.real, 1e-13);
        EXPECT_NEAR(q.dual.w(), c.dual, 1e-13);
        EXPECT_LT((q.real.vec() - s.real * axis).norm(), 1e-13);
        EXPECT_LT((q.dual.vec() - (s.dual * axis + s.real * screw.moment)).norm(), 1e-12);
    }
}

TEST(DualNumber, DualPowerTurnsAndSlides) {
    test::Random random;
    for (int n = 0; n < 200; ++n) {
        const Vec3d axis = random.unit_vector(), point = random.vector();
        const Screw<double> screw{axis, point.cross(axis), random.uniform(0.1, 3), random.uniform(-2, 2)};
        const Dual t{random.uniform(0, 1), random.uniform(-1, 1)};
        const Screw<double> power = to_screw(pow(from_screw(screw), t));
        EXPECT_NEAR(power.angle, t.real * screw.angle, 1e-12);
        EXPECT_NEAR(power.pitch, t.real * screw.pitch + t.dual * screw.angle, 1e-10);
        EXPECT_LT((power.direction - axis).norm(), 1e-9);
    }
}

}  // namespace
}  // namespace sinew::math
