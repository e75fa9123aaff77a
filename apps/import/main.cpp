// sinew-import IN OUT.glb: reads a foreign format with assimp and writes what it holds as GLB. It is a
// program of its own because assimp crashes or hangs on broken files; sinew runs it with limits and checks
// what it wrote.
//
// Standard error is read by sinew: lines `warning CODE TEXT` and `error TEXT`.

#include <cstdio>
#include <new>

#include "scene.h"
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>

#include "sinew/base/error.h"
#include "sinew/io/io.h"

namespace sinew::import {
namespace {

/// One line for each warning.
class LineMonitor : public Monitor {
  public:
    void warn(Warning warning) override {
        for (char& c : warning.text) c = c == '\n' ? ' ' : c;
        fmt::print(stderr, "warning {} {}\n", warning.code, warning.text);
    }
};

void run(const std::filesystem::path& input, const std::filesystem::path& output) {
    LineMonitor monitor;
    Assimp::Importer importer;
    // Pivots of FBX as nodes of their own would be joints that no other program has.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    // Names, not identifiers.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
    // A motion or a bare skeleton is no reason to invent a mesh.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
    importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const aiScene* const scene = importer.ReadFile(
        input.string(), aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_SortByPType);
    if (scene == nullptr) fail("", "{}", importer.GetErrorString());
    io::Asset asset;
    asset.character = io::assemble(convert(*scene, input, monitor), {}, input.filename().string(), monitor);
    if (!asset.character.has_mesh() && !asset.character.has_skeleton())
        fail("", "holds neither mesh nor skeleton");
    io::write(output, asset, {}, monitor);
}

}  // namespace
}  // namespace sinew::import

int main(int count, char** arguments) {
    if (count != 3) {
        fmt::print(stderr, "usage: sinew-import IN OUT.glb\n");
        return 2;
    }
    try {
        sinew::import::run(arguments[1], arguments[2]);
        return 0;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "error the file needs more memory than the importer may use\n");
    } catch (const std::exception& error) {
        fmt::print(stderr, "error {}\n", error.what());
    }
    return 1;
}
