// Where the man is sampled: about 17 mm on the body, 6 mm on the face, 5 mm on the fingers.
#include <algorithm>
#include <cmath>

#include "sinew/sample/samples.h"
#include "sinew/sample/bodies/man.h"

namespace sinew::sample {
namespace {

/// Lines along an axis whose spacing changes smoothly from place to place.
struct GradedAxis {
    std::vector<double> lines;

    template <class Spacing>
    GradedAxis(double start, double end, const Spacing& spacing) : lines{start} {
        while (lines.back() < end) lines.push_back(lines.back() + spacing(lines.back()));
    }
    double at(double index) const {
        const double last = static_cast<double>(lines.size() - 1),
                     whole = std::floor(std::clamp(index, 0.0, last - 1));
        const std::size_t i = static_cast<std::size_t>(whole);
        return lines[i] + (index - whole) * (lines[i + 1] - lines[i]);
    }
    /// Index of a place, not whole.
    double index_of(double value) const {
        const auto above = std::upper_bound(lines.begin(), lines.end() - 1, value);
        const std::size_t i =
            static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - lines.begin(), 1)) - 1;
        return static_cast<double>(i) + (value - lines[i]) / (lines[i + 1] - lines[i]);
    }
};

double mix(double a, double b, double t) {
    return a + t * (b - a);
}

/// Bends a tensor grid: it narrows towards the hand along the arm, and towards the head above the neck.
class ManLattice {
  public:
    ManLattice()
        : x_(-body_step / 2, 0.93,
             [](double x) { return mix(body_step, 0.0085, smooth_step(0.62, 0.72, x)); }),
          y_(-0.02, 1.775,
             [](double y) {
                 return mix(mix(0.013, body_step, smooth_step(0.05, 0.20, y)), 0.0090,
                            smooth_step(1.46, 1.54, y));
             }),
          z_(-0.165, 0.225, [](double) { return 0.0170; }) {}

    std::array<std::size_t, 3> points() const { return {x_.lines.size(), y_.lines.size(), z_.lines.size()}; }

    Vec3d place(const Vec3d& index) const {
        const Vec3d base(x_.at(index.x()), y_.at(index.y()), z_.at(index.z()));
        const double hand = smooth_step(0.26, 0.73, std::abs(base.x()));
        const double head =
            smooth_step(1.45, 1.55, base.y()) * (1 - smooth_step(0.2, 0.4, std::abs(base.x())));
        const double mid = index.x() - 0.5;
        Vec3d p = base;
        p.x() = mix(base.x(), 0.0090 * mid, head);
        p.y() = mix(base.y(), 1.420 + 0.0055 * (index.y() - y_.index_of(1.420)), hand);
        p.z() = mix(base.z(), face_z(index.z()), head);
        p.z() = mix(p.z(), 0.006 + 0.0060 * (index.z() - z_.index_of(0.03)), hand);
        return p;
    }

  private:
    /// Finer in front: the last line lies before the nose.
    double face_z(double index) const {
        const double from_front = static_cast<double>(z_.lines.size() - 1) - index;
        return 0.132 - 0.0085 * from_front - 0.00013 * from_front * from_front;
    }
    static constexpr double body_step = 0.0240;
    GradedAxis x_, y_, z_;
};

/// Finer around eyes, nose, mouth and ears.
double wanted_size(const Vec3d& p) {
    const auto near = [&](const Vec3d& center, double radius) {
        const Vec3d q(std::abs(p.x()), p.y(), p.z());
        return 1 - smooth_step(radius, 1.6 * radius, (q - center).norm());
    };
    double size = 1;
    size = mix(size, 0.0065, near({0.010, 1.605, 0.085}, 0.055));
    size = mix(size, 0.0055, near({0.072, 1.630, -0.010}, 0.032));
    size = mix(size, 0.0100, near({0, 0.985, 0.105}, 0.022));
    size = mix(size, 0.0068, near({0.036, 1.548, 0.035}, 0.040));
    size = mix(size, 0.0045, near({0, 1.603, 0.100}, 0.016));
    size = mix(size, 0.0042, near({0, 1.570, 0.090}, 0.020));
    return mix(size, 0.0038, near({0.031, 1.650, 0.080}, 0.020));
}

}  // namespace

BodyMeshOptions man_mesh_options() {
    BodyMeshOptions options;
    const ManLattice bent;
    options.lattice.points = bent.points();
    options.lattice.place = [bent](const Vec3d& index) { return bent.place(index); };
    options.size = wanted_size;
    options.borders = man_borders();
    return options;
}

}  // namespace sinew::sample
