// SPDX-License-Identifier: MIT
// Plays a character with dual quaternions at the speed of a game: set up once, then nothing is allocated per
// frame.
//   play CHARACTER.glb [SECONDS]

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/deform/player.h"
#include "sinew/deform/skinner.h"
#include "sinew/io/io.h"

using namespace sinew;

int main(int argc, char** argv) try {
    if (argc < 2) fail("play", "needs the file of a character");
    const model::Character character = io::read(argv[1]).character;
    const double seconds = argc > 2 ? std::atof(argv[2]) : 2;
    if (!character.has_skin() || character.clips.empty()) fail(argv[1], "needs a skin and a clip");

    // Set-up: the clip packed for playing, the skin laid out for streaming. Both are shared by all instances.
    const model::PackedClip clip = model::pack(character.clips[0], character.skeleton);
    const deform::Skinner skinner(character.mesh, character.skin, &character.skeleton);

    // What each instance owns: the player's pose, the skinner's frame, and a vertex buffer (position,
    // normal).
    deform::Player player(character.skeleton, character.skin.joints);
    deform::Skinner::Pose pose(skinner);
    std::vector<float> vertices(skinner.vertex_count() * 6);
    const deform::VertexBuffer buffer{std::as_writable_bytes(std::span(vertices))};

    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    std::size_t frames = 0;
    double now = 0;
    while ((now = std::chrono::duration<double>(Clock::now() - start).count()) < seconds) {
        player.play(clip, now, deform::Playback::loop);
        skinner.deform(player.palette(), deform::Method::dqs, pose, buffer);
        ++frames;  // here an engine would draw `vertices` with character.mesh.triangles
    }
    std::printf("%zu vertices, %zu joints: %.0f frames per second\n", skinner.vertex_count(),
                character.skeleton.size(), static_cast<double>(frames) / now);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
