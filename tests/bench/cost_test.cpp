// SPDX-License-Identifier: MIT
// The counts of operations against a number that counts what is done with it.

#include "bench/study/cost.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace sinew::deform {
namespace cost_test {

struct Counted {
    double value = 0;
    static inline int operations = 0;
};
Counted operator+(Counted a, Counted b) {
    ++Counted::operations;
    return {a.value + b.value};
}
Counted operator-(Counted a, Counted b) {
    ++Counted::operations;
    return {a.value - b.value};
}
Counted operator*(Counted a, Counted b) {
    ++Counted::operations;
    return {a.value * b.value};
}
Counted operator/(Counted a, Counted b) {
    ++Counted::operations;
    return {a.value / b.value};
}
Counted root(Counted a) {
    ++Counted::operations;
    return {std::sqrt(a.value)};
}

using Vector = std::array<Counted, 3>;
const Counted two{2}, one{1};

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector scaled(Counted s, const Vector& a) {
    return {s * a[0], s * a[1], s * a[2]};
}
Vector sum(const Vector& a, const Vector& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Vector difference(const Vector& a, const Vector& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Counted dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// sum of w_i x_i, numbers one by one.
std::vector<Counted> blend(int n, int size) {
    std::vector<Counted> result;
    for (int c = 0; c < size; ++c) {
        Counted total = Counted{0.25} * Counted{0.5 + c};
        for (int i = 1; i < n; ++i) total = total + Counted{0.25} * Counted{0.5 + c + i};
        result.push_back(total);
    }
    return result;
}

Vector rotate(Counted w, const Vector& d, const Vector& v) {
    return sum(v, scaled(two, cross(d, sum(cross(d, v), scaled(w, v)))));
}

Counted inverse_length(const std::vector<Counted>& q) {
    return one / root(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

const Vector point{Counted{1}, Counted{2}, Counted{3}}, normal{Counted{0}, Counted{1}, Counted{0}};

void linear_vertex(int n) {
    const std::vector<Counted> m = blend(n, 12);
    Vector moved, turned;
    for (std::size_t r = 0; r < 3; ++r) {
        const Vector row{m[4 * r], m[4 * r + 1], m[4 * r + 2]};
        moved[r] = dot(row, point) + m[4 * r + 3];
        turned[r] = dot(row, normal);
    }
    scaled(one / root(dot(turned, turned)), turned);
}

void dual_vertex(int n) {
    std::vector<Counted> b = blend(n, 8);
    const Counted factor = inverse_length(b);
    for (Counted& number : b) number = number * factor;
    const Vector d0{b[1], b[2], b[3]}, de{b[5], b[6], b[7]};
    const Vector slide = scaled(two, sum(difference(scaled(b[0], de), scaled(b[4], d0)), cross(d0, de)));
    sum(rotate(b[0], d0, point), slide);
    rotate(b[0], d0, normal);
}

void spherical_vertex(int n) {
    std::vector<Counted> q = blend(n, 4);
    const Counted factor = inverse_length(q);
    for (Counted& number : q) number = number * factor;
    const Vector d{q[1], q[2], q[3]};
    const std::vector<Counted> place = blend(n, 3);
    sum(rotate(q[0], d, difference(point, normal)), {place[0], place[1], place[2]});
    rotate(q[0], d, normal);
}

template <class Work>
int operations(const Work& work) {
    Counted::operations = 0;
    work();
    return Counted::operations;
}

TEST(Cost, CountsWhatTheFormulasDo) {
    for (const int n : {1, 2, 4, 8}) {
        const CostOptions how{n, 3};
        EXPECT_EQ(cost(Method::lbs, how).vertex_flops, operations([&] { linear_vertex(n); })) << n;
        EXPECT_EQ(cost(Method::dqs, how).vertex_flops, operations([&] { dual_vertex(n); })) << n;
        EXPECT_EQ(cost(Method::sbs, how).vertex_flops, operations([&] { spherical_vertex(n); })) << n;
    }
}

// Skinning 3.13: 12 floats a joint for matrices, 8 for dual quaternions, 7 and 3 a set for spherical blends.
TEST(Cost, MemoryOfAJoint) {
    EXPECT_EQ(cost(Method::lbs).joint_bytes, 48u);
    EXPECT_EQ(cost(Method::dqs).joint_bytes, 32u);
    EXPECT_EQ(cost(Method::qlb).joint_bytes, 28u);
    EXPECT_EQ(cost(Method::sbs).joint_bytes, 28u);
    EXPECT_EQ(cost(Method::sbs).set_bytes, 12u);
}

TEST(Cost, IterationsAndInfluencesAreCharged) {
    EXPECT_GT(cost(Method::dib, {4, 4}).vertex_flops, cost(Method::dib, {4, 3}).vertex_flops);
    for (const MethodInfo& info : methods()) {
        if (info.method == Method::rigid) continue;
        EXPECT_GT(cost(info.method, {4, 3}).vertex_flops, cost(info.method, {2, 3}).vertex_flops)
            << info.name;
    }
    // What is done per set in one is done per vertex in the other.
    EXPECT_GT(cost(Method::sbs).set_flops, cost(Method::sbs_weighted).set_flops);
    EXPECT_GT(cost(Method::sbs_weighted).vertex_flops, 2 * cost(Method::sbs).vertex_flops);
}

}  // namespace cost_test
}  // namespace sinew::deform
