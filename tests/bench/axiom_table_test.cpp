// SPDX-License-Identifier: MIT
// The table of properties (Kavan 2007, table 4.1): what each blend obeys, and what it must be seen to break.

#include <map>

#include "bench/study/axioms.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::deform {
namespace {

/// One sign per axiom, in their order: interpolation, rigidity, permutation, left, right, coordinate,
/// speed, pitch speed, shortest path.
const std::map<std::string, std::string, std::less<>>& expected_table() {
    static const std::map<std::string, std::string, std::less<>> table = {
        {"linear", "+-++++-+-"},
        {"qlb", "++++---+-"},
        {"sbs", "++++++-++"},
        {"sbs-svd", "++++++-++"},
        {"sbs-weighted", "++++++-++"},
        {"sbs-mean", "+++++++++"},
        {"closest-rotation", "++++++-++"},
        {"axis-angle", "+++------"},
        {"log", "+++--+---"},
        {"log-hybrid", "+-+--+---"},
        {"sclerp", "+++++++++"},
        {"dlb", "++++++--+"},
        {"dib", "+++++++++"},
        {"dib-split", "+++++++++"},
        {"successive-sclerp", "++-++++++"},
        {"screw-parameters", "+++------"},
    };
    return table;
}

void expect_signs(const AxiomRow& row, std::string_view signs, double tolerance) {
    for (std::size_t a = 0; a < axiom_count; ++a) {
        const Axiom axiom = static_cast<Axiom>(a);
        if (signs[a] == '+') {
            EXPECT_LE(row[axiom], tolerance) << row.name << " should obey " << name(axiom);
        } else {
            EXPECT_GT(row[axiom], 1e-3) << row.name << " should break " << name(axiom);
        }
        EXPECT_EQ(row.holds(axiom, tolerance), signs[a] == '+');
    }
}

// Skinning T4, T5, T6 for blends.
TEST(AxiomTable, EveryBlendHasItsPattern) {
    const std::vector<AxiomRow> rows = axiom_table({.samples = 1000, .seed = 7});
    EXPECT_EQ(rows.size(), expected_table().size());
    for (const AxiomRow& row : rows) {
        const auto found = expected_table().find(row.name);
        ASSERT_NE(found, expected_table().end()) << row.name;
        expect_signs(row, found->second, 1e-10);
    }
}

TEST(AxiomTable, SkinningMethodsBlendAsTheLibraryDoes) {
    const AxiomOptions options{.samples = 300, .seed = 11};
    const auto check = [&](Method method, std::string_view blend, double tolerance = 1e-10) {
        expect_signs(check_axioms(name(method), blend_of(method), false, options),
                     expected_table().find(blend)->second, tolerance);
    };
    check(Method::lbs, "linear");
    check(Method::sbs, "sbs");
    check(Method::sbs_weighted, "sbs-weighted");
    check(Method::dqs, "dlb");
    check(Method::dib, "dib", 1e-6);  // as far as it iterates
    check(Method::log, "log");
    check(Method::qlb, "qlb");
    EXPECT_THROW(blend_of(Method::cor), Error);
}

// QLB'_0 turns about the origin: it survives rotations of the coordinates, not their translation.
TEST(AxiomTable, DirectBlendSurvivesRotatedCoordinates) {
    const math::BlendRule& rule = math::find_blend_rule("qlb");
    const math::Rigidd turn{math::axis_angle<double>(math::Vec3d(1, 2, 2) / 3, 1.1), math::Vec3d::Zero()};
    const std::vector<math::Rigidd> m = {
        {math::axis_angle<double>(math::Vec3d::UnitX(), 0.7), math::Vec3d(1, 2, 3)},
        {math::axis_angle<double>(math::Vec3d::UnitY(), 1.3), math::Vec3d(0, -1, 1)}};
    const std::vector<double> w = {0.3, 0.7};
    const auto changed = [&](const math::Rigidd& u) {
        std::vector<math::Rigidd> conjugated;
        for (const math::Rigidd& x : m) conjugated.push_back(u * x * u.inverse());
        return (u.matrix() * rule.blend(w, m) * u.inverse().matrix() - rule.blend(w, conjugated)).norm();
    };
    EXPECT_LT(changed(turn), 1e-14);
    EXPECT_GT(changed({turn.rotation, math::Vec3d(1, 0, 0)}), 1e-2);
}

// A checker that finds nothing wrong would be of no use.
TEST(AxiomTable, FindsWhatIsWrong) {
    const auto broken = [](std::span<const double> w, std::span<const math::Rigidd> m) {
        math::Mat4d result = math::find_blend_rule("dlb").blend(w, m);
        result(0, 3) += 1e-3;
        return result;
    };
    const AxiomRow row = check_axioms("broken", broken);
    EXPECT_FALSE(row.holds(Axiom::interpolation));
    EXPECT_FALSE(row.holds(Axiom::left));
    EXPECT_FALSE(row.holds(Axiom::coordinate));
    EXPECT_TRUE(row.holds(Axiom::right)) << "a fixed shift in world space is none of its business";
    EXPECT_TRUE(row.holds(Axiom::permutation));
    EXPECT_TRUE(row.holds(Axiom::rigidity));
    const auto nothing = [](std::span<const double>, std::span<const math::Rigidd>) {
        return math::Mat4d(math::Mat4d::Constant(std::nan("")));
    };
    const AxiomRow lost = check_axioms("nothing", nothing);
    for (std::size_t a = 0; a < axiom_count; ++a) EXPECT_FALSE(lost.holds(static_cast<Axiom>(a)));
}

TEST(AxiomTable, SameSeedSameTableAndReadableText) {
    const std::vector<AxiomRow> a = axiom_table({.samples = 20}), b = axiom_table({.samples = 20});
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].residuals, b[i].residuals);
    const std::string text = to_text(a);
    EXPECT_NE(text.find("shortest path"), std::string::npos);
    EXPECT_NE(text.find("\nsbs-weighted "), std::string::npos);
    EXPECT_EQ(std::ranges::count(text, '\n'), static_cast<std::ptrdiff_t>(a.size()) + 1);
    EXPECT_THROW(math::find_blend_rule("lerp"), Error);
}

}  // namespace
}  // namespace sinew::deform
