// SPDX-License-Identifier: MIT
#include "body_parts.h"

#include <algorithm>
#include <map>

#include "sinew/geometry/part_shape.h"

namespace sinew::studio {
namespace {

using geometry::Mesh;

std::vector<Vec3d> points_of(const BodyPart& part, const std::vector<Vec3f>& positions) {
    std::vector<Vec3d> points;
    points.reserve(part.vertices.size());
    for (const std::uint32_t v : part.vertices) points.emplace_back(positions[v].cast<double>());
    return points;
}

/// Principal directions of the hull; of the points alone when they lie in a plane.
Mat3d box_axes(const std::vector<Vec3d>& points) {
    if (points.size() < 3) return Mat3d::Identity();
    const geometry::Hull hull = geometry::convex_hull(points);
    if (!hull.empty())
        return geometry::principal_directions(geometry::sheet_moments(hull.points, hull.triangles).covariance,
                                              Vec3d::Zero());
    Vec3d middle = Vec3d::Zero();
    for (const Vec3d& p : points) middle += p / static_cast<double>(points.size());
    Mat3d covariance = Mat3d::Zero();
    for (const Vec3d& p : points) covariance += (p - middle) * (p - middle).transpose();
    return geometry::principal_directions(covariance, Vec3d::Zero());
}

/// The palette entry with the largest summed weight over the corners.
int driver_of(const model::Skin& skin, const geometry::Triangle& triangle) {
    static thread_local std::vector<std::pair<std::uint32_t, float>> sums;
    sums.clear();
    for (const std::uint32_t v : triangle)
        for (const model::Influence& influence : skin.of(v)) {
            const auto known =
                std::ranges::find(sums, influence.joint, &std::pair<std::uint32_t, float>::first);
            if (known == sums.end())
                sums.emplace_back(influence.joint, influence.weight);
            else
                known->second += influence.weight;
        }
    std::ranges::sort(sums);  // of equal ones the first entry
    int best = -1;
    float largest = 0;
    for (const auto& [entry, sum] : sums)
        if (best < 0 || sum > largest) {
            best = static_cast<int>(entry);
            largest = sum;
        }
    return std::max(best, 0);
}

void measure(BodyParts& body, const Mesh& mesh) {
    std::vector<int> last(mesh.vertex_count(), -1);
    std::vector<std::vector<std::size_t>> triangles(body.parts.size());
    for (std::size_t t = 0; t < body.part_of.size(); ++t)
        triangles[static_cast<std::size_t>(body.part_of[t])].push_back(t);
    for (std::size_t p = 0; p < body.parts.size(); ++p) {
        BodyPart& part = body.parts[p];
        part.triangles = triangles[p].size();
        for (const std::size_t t : triangles[p])
            for (const std::uint32_t v : mesh.triangles[t]) {
                if (last[v] == static_cast<int>(p)) continue;
                last[v] = static_cast<int>(p);
                part.vertices.push_back(v);
            }
        std::sort(part.vertices.begin(), part.vertices.end());
    }
}

BodyParts parts_by_joint(const model::Character& character) {
    const model::Skin& skin = character.skin;
    std::vector<int> part_of_entry(skin.joints.size(), -1);
    BodyParts body;
    for (const geometry::Triangle& triangle : character.mesh.triangles) {
        const int entry = driver_of(skin, triangle);
        int& part = part_of_entry[static_cast<std::size_t>(entry)];
        if (part < 0) {
            part = static_cast<int>(body.parts.size());
            BodyPart made;
            made.entry = entry;
            const int joint = skin.joints[static_cast<std::size_t>(entry)].joint;
            made.name = character.skeleton.joints[static_cast<std::size_t>(joint)].name;
            body.parts.push_back(std::move(made));
        }
        body.part_of.push_back(part);
    }
    return body;
}

BodyParts parts_by_name(const Mesh& mesh) {
    std::map<std::string, int> known;
    BodyParts body;
    body.part_of.resize(mesh.triangles.size());
    for (const geometry::Part& part : geometry::parts_of(mesh)) {
        const auto [found, fresh] = known.emplace(part.name, static_cast<int>(body.parts.size()));
        if (fresh) {
            body.parts.emplace_back();
            body.parts.back().name =
                part.name.empty() ? (mesh.name.empty() ? "surface" : mesh.name) : part.name;
        }
        std::fill_n(body.part_of.begin() + part.first, part.count, found->second);
    }
    return body;
}

}  // namespace

BodyParts body_parts(const model::Character& character) {
    if (!character.has_mesh()) return {};
    BodyParts body = character.has_skin() ? parts_by_joint(character) : parts_by_name(character.mesh);
    measure(body, character.mesh);
    return body;
}

BodyParts body_parts(const Mesh& mesh, std::vector<int> part_of, const std::vector<std::string>& names) {
    BodyParts body;
    body.part_of = std::move(part_of);
    for (const std::string& name : names) {
        body.parts.emplace_back();
        body.parts.back().name = name;
    }
    measure(body, mesh);
    return body;
}

OrientedBox posed_box(const BodyPart& part, const std::vector<Vec3f>& rest,
                      const std::vector<Vec3f>& positions, const Mat3d& rotation) {
    if (!part.axes) part.axes = box_axes(points_of(part, rest));
    return geometry::box_around(points_of(part, positions), rotation * *part.axes);
}

}  // namespace sinew::studio
