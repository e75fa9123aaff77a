// SPDX-License-Identifier: MIT
#include "bench/study/axioms.h"

#include <algorithm>
#include <numeric>

#include "reference/deform/blenders.h"
#include <fmt/format.h>

#include "sinew/base/error.h"

namespace sinew::deform {

using math::BlendFunction;
using math::DualQuatd;
using math::Mat3d;
using math::Mat4d;
using math::Quatd;
using math::Rigidd;
using math::Vec3d;

namespace {

/// The same numbers on every machine (Steele et al. 2014, splitmix).
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : state_(seed) {}

    double uniform(double low, double high) {
        state_ += 0x9e3779b97f4a7c15;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        z ^= z >> 31;
        return low + (high - low) * static_cast<double>(z >> 11) * 0x1p-53;
    }
    Vec3d vector() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
    Vec3d direction() {
        Vec3d v = vector();
        while (v.norm() < 0.1 || v.norm() > 1) v = vector();
        return v.normalized();
    }
    Quatd rotation(double low, double high) {
        return math::axis_angle<double>(direction(), uniform(low, high));
    }
    Rigidd rigid() { return {rotation(0, math::pi), vector()}; }

  private:
    std::uint64_t state_;
};

struct Sample {
    std::vector<double> weights;
    std::vector<Rigidd> transforms;
};

Sample random_sample(Numbers& numbers, int count, double spread) {
    Sample sample;
    const Quatd middle = numbers.rotation(0, math::pi);
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        sample.weights.push_back(-std::log(numbers.uniform(1e-6, 1)));
        sum += sample.weights.back();
        sample.transforms.push_back({middle * numbers.rotation(0, spread / 2), numbers.vector()});
    }
    for (double& w : sample.weights) w /= sum;
    return sample;
}

/// The larger one; what is not a number is the largest.
double worse(double a, double b) {
    return std::isnan(a) || std::isnan(b) ? HUGE_VAL : std::max(a, b);
}

double distance(const Mat4d& a, const Mat4d& b) {
    return a.allFinite() && b.allFinite() ? (a - b).cwiseAbs().maxCoeff() : HUGE_VAL;
}

template <class Change>
Mat4d blend_changed(const BlendFunction& blend, const Sample& sample, const Change& change) {
    std::vector<Rigidd> changed;
    for (const Rigidd& m : sample.transforms) changed.push_back(change(m));
    return blend(sample.weights, changed);
}

double interpolation_error(const BlendFunction& blend, const Sample& sample) {
    double largest = 0;
    for (std::size_t i = 0; i < sample.weights.size(); ++i) {
        std::vector<double> one(sample.weights.size(), 0);
        one[i] = 1;
        largest = worse(largest, distance(blend(one, sample.transforms), sample.transforms[i].matrix()));
    }
    return largest;
}

double rigidity_error(const Mat4d& m) {
    const Mat3d r = m.topLeftCorner<3, 3>();
    const double skew = (r.transpose() * r - Mat3d::Identity()).cwiseAbs().maxCoeff();
    return worse(skew, std::abs(r.determinant() - 1));
}

/// Largest change over all rotations of the list and its reversal.
double permutation_error(const BlendFunction& blend, Sample sample) {
    const Mat4d before = blend(sample.weights, sample.transforms);
    double largest = 0;
    for (std::size_t shift = 0; shift < sample.weights.size(); ++shift) {
        std::ranges::rotate(sample.weights, sample.weights.begin() + 1);
        std::ranges::rotate(sample.transforms, sample.transforms.begin() + 1);
        largest = worse(largest, distance(before, blend(sample.weights, sample.transforms)));
    }
    std::ranges::reverse(sample.weights);
    std::ranges::reverse(sample.transforms);
    return worse(largest, distance(before, blend(sample.weights, sample.transforms)));
}

math::Screw<double> screw_of(const Rigidd& start, const Mat4d& m) {
    const Quatd rotation = math::from_matrix(math::nearest_rotation(m.topLeftCorner<3, 3>()));
    const Rigidd relative = start.inverse() * Rigidd{rotation, m.topRightCorner<3, 1>()};
    return math::to_screw(math::to_dual_quaternion(relative));
}

struct PathErrors {
    double angle = 0;
    double pitch = 0;
    double axis = 0;
};

/// M_1^-1 blend(t; M_1, M_2) as a screw, at eighths of the way.
PathErrors path_errors(const BlendFunction& blend, Numbers& numbers, double spread) {
    const Rigidd start{numbers.rotation(0, math::pi), numbers.vector()};
    const Rigidd end = start * Rigidd{numbers.rotation(spread / 8, spread), numbers.vector()};
    const std::array transforms = {start, end};
    const math::Screw<double> whole = screw_of(start, end.matrix());
    PathErrors errors;
    for (int k = 1; k < 8; ++k) {
        const double t = k / 8.0;
        const std::array weights = {1 - t, t};
        const math::Screw<double> part = screw_of(start, blend(weights, transforms));
        errors.angle = worse(errors.angle, std::abs(part.angle - t * whole.angle));
        errors.pitch = worse(errors.pitch, std::abs(part.pitch - t * whole.pitch));
        errors.axis = worse(errors.axis, (part.direction - whole.direction).norm());
        errors.axis = worse(errors.axis, (part.moment - whole.moment).norm());
    }
    return errors;
}

}  // namespace

std::string_view name(Axiom axiom) {
    constexpr std::array<std::string_view, axiom_count> names = {
        "interpolation", "rigidity", "permutation", "left",         "right",
        "coordinate",    "speed",    "pitch speed", "shortest path"};
    return names[static_cast<std::size_t>(axiom)];
}

AxiomRow check_axioms(std::string_view name, const BlendFunction& blend, bool pairs_only,
                      const AxiomOptions& options) {
    AxiomRow row{std::string(name)};
    const auto note = [&](Axiom axiom, double residual) {
        double& largest = row.residuals[static_cast<std::size_t>(axiom)];
        largest = worse(largest, residual);
    };
    Numbers numbers(options.seed);
    for (int n = 0; n < options.samples; ++n) {
        const int count = pairs_only ? 2 : 1 + n % options.max_inputs;
        const Sample sample = random_sample(numbers, count, options.spread);
        const Rigidd u = numbers.rigid(), back = u.inverse();
        const Mat4d result = blend(sample.weights, sample.transforms);
        note(Axiom::interpolation, interpolation_error(blend, sample));
        note(Axiom::rigidity, rigidity_error(result));
        note(Axiom::permutation, permutation_error(blend, sample));
        const auto left = blend_changed(blend, sample, [&](const Rigidd& m) { return u * m; });
        const auto right = blend_changed(blend, sample, [&](const Rigidd& m) { return m * u; });
        const auto both = blend_changed(blend, sample, [&](const Rigidd& m) { return u * m * back; });
        note(Axiom::left, distance(u.matrix() * result, left));
        note(Axiom::right, distance(result * u.matrix(), right));
        note(Axiom::coordinate, distance(u.matrix() * result * back.matrix(), both));
        const PathErrors path = path_errors(blend, numbers, options.spread);
        note(Axiom::angular_speed, path.angle);
        note(Axiom::pitch_speed, path.pitch);
        note(Axiom::shortest_path, path.axis);
    }
    return row;
}

std::vector<AxiomRow> axiom_table(const AxiomOptions& options) {
    std::vector<AxiomRow> rows;
    for (const math::BlendRule& rule : math::blend_rules()) {
        rows.push_back(check_axioms(rule.name, rule.blend, rule.pairs_only, options));
    }
    return rows;
}

BlendFunction blend_of(Method method) {
    if (method == Method::cor)
        fail("", "\"cor\" has a centre per vertex and is not a blend of transformations");
    return [method](std::span<const double> weights, std::span<const Rigidd> transforms) {
        model::Skin skin;
        std::vector<model::Influence> list;
        std::vector<Mat4d> palette;
        for (std::uint32_t i = 0; i < transforms.size(); ++i) {
            skin.joints.push_back({static_cast<int>(i), Mat4d::Identity()});
            list.push_back({i, 1.0f / static_cast<float>(transforms.size())});
            palette.push_back(transforms[i].matrix());
        }
        skin.push_vertex(list);
        const model::InfluenceSets sets = model::group_by_influences(skin, nullptr);
        const std::vector<JointFrame> frames = joint_frames(skin, palette);
        const auto blender = make_blender<double>(method, frames, {});
        blender->enter(sets, sets.sets.front());
        const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
        const Blend<double> blend = blender->blend({weights, heaviest, 0});
        Mat4d result = Mat4d::Identity();
        result.topLeftCorner<3, 3>() = blend.linear;
        result.topRightCorner<3, 1>() = blend.translation;
        return result;
    };
}

std::string to_text(const std::vector<AxiomRow>& rows, double tolerance) {
    std::string text = fmt::format("{:<18}", "");
    for (std::size_t a = 0; a < axiom_count; ++a) text += fmt::format(" {:>14}", name(static_cast<Axiom>(a)));
    for (const AxiomRow& row : rows) {
        text += fmt::format("\n{:<18}", row.name);
        for (const double residual : row.residuals) {
            text +=
                fmt::format(" {:>14}", fmt::format("{} {:.1e}", residual <= tolerance ? '+' : '-', residual));
        }
    }
    return text + "\n";
}

}  // namespace sinew::deform
