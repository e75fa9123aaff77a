// SPDX-License-Identifier: MIT
#pragma once
// Small glTF files and characters for the tests of the glTF reader and writer.

#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/report.h"
#include "sinew/io/gltf/gltf.h"

namespace sinew::test {}

namespace sinew::io::test {

using namespace sinew::test;  // `test::` finds the names of both

/// A GLB from JSON and binary chunk, put together here and not by the writer under test.
std::string make_glb(const std::string& json, const std::string& binary);
std::string make_glb(const Json& json, const std::string& binary);

/// Bytes of numbers as they lie in memory.
template <class Value>
std::string bytes_of(const std::vector<Value>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

/// A file under construction: every array becomes a buffer view and an accessor.
struct FileMaker {
    Json json = {{"asset", {{"version", "2.0"}}}};
    std::string binary;

    template <class Value>
    int add(const std::vector<Value>& values, int component, const std::string& type,
            std::size_t components) {
        const int view = add_view(bytes_of(values));
        json["accessors"].push_back({{"bufferView", view},
                                     {"componentType", component},
                                     {"count", values.size() / components},
                                     {"type", type}});
        return static_cast<int>(json["accessors"].size()) - 1;
    }
    int add_view(const std::string& bytes);
    std::string glb();
};

/// One triangle (0 0 0), (1 0 0), (0 1 0) on node 0.
FileMaker triangle();
/// The triangle bound to two joints, nodes 1 and 2, with a linear animation of node 2's rotation.
FileMaker skinned_triangle();

Asset read(const std::string& bytes, Monitor& monitor = silent(), const std::string& name = "test.glb");
Asset read_data(const std::string& name, Monitor& monitor = silent());

/// A grid over a unit square with normals and texture coordinates.
geometry::Mesh grid(int cells);
/// Grid, three joints in a chain, up to `influences` weights a vertex, one clip with all kinds of keys.
model::Character chain_character(int influences);

/// A tiny valid PNG.
std::vector<std::byte> tiny_png();

}  // namespace sinew::io::test
