// SPDX-License-Identifier: MIT
#pragma once
// Meshes and files for the tests of the mesh formats.

#include <string>
#include <string_view>

#include "support/data.h"
#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/io/io.h"

namespace sinew::test {

using Reader = io::Asset (*)(Bytes, const std::filesystem::path&, const io::ReadOptions&, Monitor&);

inline geometry::Mesh read_mesh(Reader reader, std::string_view text, Monitor& monitor = silent(),
                                const std::filesystem::path& path = "test.file") {
    io::Asset asset = reader(as_bytes(text), path, {}, monitor);
    geometry::validate(asset.character.mesh, "test");
    return std::move(asset.character.mesh);
}

/// The message of the error that reading a text gives; empty when it gives none.
inline std::string read_error(Reader reader, std::string_view text,
                              const std::filesystem::path& path = "test.file") {
    try {
        reader(as_bytes(text), path, {}, silent());
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// A patch of random numbers with everything that a mesh file can hold.
inline geometry::Mesh random_mesh(unsigned seed, bool normals, bool uvs, bool colors) {
    Random random(seed);
    geometry::Mesh mesh;
    const auto count = static_cast<std::uint32_t>(random.integer(4, 40));
    for (std::uint32_t v = 0; v < count; ++v) {
        const double size = std::pow(10.0, random.integer(-6, 6));
        mesh.positions.push_back(random.vector(size).cast<float>());
        if (normals) mesh.normals.push_back(random.unit_vector().cast<float>());
        if (uvs) {
            const auto w = static_cast<float>(random.uniform());  // some meshes have those of a file
            mesh.uvs[0].emplace_back(random.uniform(), seed % 4 < 3 ? w : 1 - w);
        }
        if (colors)
            mesh.colors.emplace_back(random.uniform(), random.uniform(), random.uniform(), random.uniform());
    }
    // Every vertex is used, so that formats without loose vertices keep the count.
    for (std::uint32_t v = 0; v < count; ++v) mesh.triangles.push_back({v, (v + 1) % count, (v + 2) % count});
    return mesh;
}

template <class Vector>
void expect_near(const std::vector<Vector>& a, const std::vector<Vector>& b, double tolerance,
                 const char* what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (int k = 0; k < a[i].size(); ++k) EXPECT_NEAR(a[i][k], b[i][k], tolerance) << what << " " << i;
    }
}

}  // namespace sinew::test

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << "in: " << (text)
