#include "deform/parts.h"

#include "sinew/deform/parts/gap_scattered.h"
#include "sinew/geometry/tetrahedra.h"

namespace sinew::deform {
namespace {

/// Points on a ball, by a spiral, with their normals.
ScatteredPoints ball(int count) {
    ScatteredPoints samples;
    for (int i = 0; i < count; ++i) {
        const double y = 1 - (2 * i + 1.0) / count, a = 2.399963 * i, r = std::sqrt(1 - y * y);
        samples.points.emplace_back(r * std::cos(a), y, r * std::sin(a));
        samples.normals.push_back(samples.points.back());
        samples.part.push_back(y > 0 ? 0 : 1);
    }
    return samples;
}

TEST(ScatteredPatch, TetrahedraFillTheHull) {
    test::Random random;
    std::vector<Vec3d> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    for (int i = 0; i < 60; ++i) points.emplace_back(random.uniform(), random.uniform(), random.uniform());
    double volume = 0;
    for (const geometry::Tetrahedron& t : geometry::delaunay_tetrahedra(points)) {
        math::Mat3d sides;
        for (int i = 0; i < 3; ++i) sides.col(i) = points[t[static_cast<std::size_t>(i) + 1]] - points[t[0]];
        volume += std::abs(sides.determinant()) / 6;
        // No point lies in the sphere of another four.
        const Vec3d squares = sides.colwise().squaredNorm().transpose();
        if (std::abs(sides.determinant()) < 1e-9) continue;
        const Vec3d centre = points[t[0]] + sides.transpose().inverse() * (squares / 2);
        for (const Vec3d& p : points) EXPECT_GT((p - centre).norm(), (points[t[0]] - centre).norm() - 1e-9);
    }
    EXPECT_NEAR(volume, 1, 1e-9);
    EXPECT_TRUE(geometry::delaunay_tetrahedra({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).empty());
}

TEST(ScatteredPatch, SurfaceOfABallIsClosedAndFacesOut) {
    const ScatteredPoints samples = ball(300);
    Mesh mesh;
    for (const Vec3d& p : samples.points) mesh.positions.push_back(p.cast<float>());
    mesh.triangles = enclosing_surface(samples);
    expect_closed(mesh);
    EXPECT_EQ(mesh.triangles.size(), 2 * 300u - 4);  // through every sample
    EXPECT_GT(geometry::signed_volume(mesh.positions, mesh.triangles), 4.0);
}

TEST(ScatteredPatch, FilterTakesCapsAndFacetsOfTheParts) {
    ScatteredPoints samples;
    samples.points = {{1, 0, 0}, {-0.5, 0.8, 0}, {-0.5, -0.8, 0}, {1, 0, 1}, {-0.5, 0.8, 1}};
    for (const Vec3d& p : samples.points) samples.normals.push_back(Vec3d(p.x(), p.y(), 0).normalized());
    samples.part = {0, 0, 0, 2, 0};
    const geometry::Triangle cap = {0, 1, 2}, own = {0, 1, 4}, mixed = {0, 1, 3};
    const auto existing = [&](const geometry::Triangle& t) { return t == own; };
    EXPECT_EQ(filter_facets(samples, {cap, own, mixed}, existing), std::vector<geometry::Triangle>{mixed});
}

TEST(ScatteredPatch, BendsOfATubeAreClosedFromTheirPointsAlone) {
    const GapCloser closer(rigid_parts_of_skin(tube()).body, {.triangulation = Triangulation::scattered});
    const GapCloser strips(rigid_parts_of_skin(tube()).body);
    for (const Vec3d& axis : {Vec3d(1, 0, 0), Vec3d(0.6, 0.64, 0.48)}) {
        for (double degrees = 10; degrees <= 120; degrees += 10) {
            SCOPED_TRACE(degrees);
            const std::vector<Rigidd> world = bent(closer, axis, degrees);
            const GapFrame frame = closer.close(world), other = strips.close(world);
            expect_closed(frame.mesh);
            EXPECT_TRUE(frame.patches[0].scattered);
            EXPECT_EQ(frame.mesh.positions.size(), other.mesh.positions.size());  // no new points
            EXPECT_NEAR(geometry::signed_volume(frame.mesh.positions, frame.mesh.triangles) /
                            geometry::signed_volume(other.mesh.positions, other.mesh.triangles),
                        1, 0.01);
        }
    }
}

}  // namespace
}  // namespace sinew::deform
