#include "sinew/math/quaternion.h"

#include "support/random.h"
#include <gtest/gtest.h>

namespace sinew::math {
namespace {

TEST(Quaternion, ExpUndoesLog) {
    test::Random random;
    for (int i = 0; i < 1000; ++i) {
        const Quatd q = random.rotation();
        EXPECT_LT((exp(log(q)).coeffs() - q.coeffs()).norm(), 1e-12);
    }
}

TEST(Quaternion, RotationBetweenHardCases) {
    test::Random random;
    for (int i = 0; i < 300; ++i) {
        const Vec3d a = random.unit_vector();
        for (const Vec3d& b : {a, Vec3d(-a), (a + 1e-9 * random.unit_vector()).normalized(),
                               (-a + 1e-9 * random.unit_vector()).normalized(), random.unit_vector()}) {
            const Quatd q = rotation_between(a, b);
            EXPECT_NEAR(q.norm(), 1, 1e-12);
            EXPECT_LT((q * a - b).norm(), 1e-6);
        }
    }
}

}  // namespace
}  // namespace sinew::math
