// SPDX-License-Identifier: MIT
// Other programs read the same joint positions out of real BVH files.

#include <cstdio>
#include <cstdlib>
#include <map>

#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/scene/scene_formats.h"

namespace sinew::io {
namespace bvh_peer_test {

using math::Vec3d;

/// Five frames over the motion.
std::size_t stride_of(const model::Clip& clip) {
    return std::max<std::size_t>(1, model::frame_count(clip) / 5);
}

/// A place relative to the size of the figure and its way.
double size_of(const model::Character& c) {
    double size = model::height(c.skeleton);
    for (const Vec3d& p : model::joint_positions(model::world_matrices(c, &c.clips[0], 0)))
        size = std::max(size, p.norm());
    return size;
}

std::vector<std::filesystem::path> bvh_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(test::data("bvh"))) {
        if (entry.path().extension() == ".bvh") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Frames of joint positions that `tools/three-bvh` prints, in the order of the joints.
std::map<std::size_t, std::vector<Vec3d>> three_positions(const std::filesystem::path& file,
                                                          std::size_t stride,
                                                          const std::filesystem::path& output) {
    const std::string command = fmt::format("'{}/tools/three-bvh' '{}' {} > '{}' 2>/dev/null",
                                            SINEW_SOURCE_DIR, file.string(), stride, output.string());
    std::map<std::size_t, std::vector<Vec3d>> frames;
    if (std::system(command.c_str()) != 0) return frames;
    const std::string text = test::read_text(output);
    TextCursor cursor(text, "three");
    std::vector<Vec3d>* frame = nullptr;
    while (cursor.skip_space()) {
        std::string_view line = cursor.rest_of_line();
        if (line.starts_with("frame ")) {
            double number = 0;
            parse_exact(line.substr(6), number);
            frame = &frames[static_cast<std::size_t>(number)];
            continue;
        }
        // Names may hold blanks; the last three words are the place.
        Vec3d place;
        for (int axis = 2; axis >= 0; --axis) {
            const std::size_t blank = line.find_last_of(' ');
            parse_exact(line.substr(blank + 1), place[axis]);
            line = line.substr(0, blank);
        }
        frame->push_back(place);
    }
    return frames;
}

TEST(BvhPeers, ThreeJsFindsTheSameJointPositions) {
    SINEW_NEEDS_DATA();
    if (std::system("'" SINEW_SOURCE_DIR
                    "/tools/three-bvh' - 1 </dev/null >/dev/null 2>&1; test $? -ne 3 -a $? -ne 127") != 0 ||
        std::system("command -v node >/dev/null 2>&1") != 0) {
        GTEST_SKIP() << "node or the npm package three is not installed: run npm ci";
    }
    const test::TemporaryFolder folder;
    ReadOptions options;
    options.units = "file";
    options.convention = PositionConvention::add;  // as three does
    std::size_t compared = 0;
    for (const auto& file : bvh_files()) {
        const model::Character c = read(file, options).character;
        const auto frames = three_positions(file, stride_of(c.clips[0]), folder / "out.txt");
        if (frames.empty()) GTEST_SKIP() << "three-bvh did not run: npm ci installs what it needs";
        const model::Track& track = c.clips[0].tracks[0];
        for (const auto& [frame, places] : frames) {
            const auto ours =
                model::joint_positions(model::world_matrices(c, &c.clips[0], track.rotation.times[frame]));
            ASSERT_EQ(ours.size(), places.size()) << file;
            for (std::size_t j = 0; j < ours.size(); ++j) {
                EXPECT_LT((ours[j] - places[j]).norm(), 2e-5 * size_of(c))
                    << file << " frame " << frame << " " << c.skeleton.joints[j].name;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 500u);
}

TEST(BvhPeers, AssimpFindsTheSameJointPositions) {
    SINEW_NEEDS_DATA();
    if (!std::filesystem::exists(find_importer()))
        GTEST_SKIP() << "sinew-import was not built: assimp is not installed";
    ReadOptions options;
    options.units = "file";
    options.convention = PositionConvention::replace;  // as assimp does
    std::size_t compared = 0;
    for (const auto& file : bvh_files()) {
        const model::Character ours = read(file, options).character;
        model::Character theirs;
        try {
            theirs = import_file(file, {}, silent()).character;
        } catch (const Error& error) {
            continue;  // a dialect that assimp does not read
        }
        const model::Clip &a = ours.clips.at(0), &b = theirs.clips.at(0);
        for (std::size_t f = 0; f < model::frame_count(a); f += stride_of(a)) {
            const double time = a.tracks[0].rotation.times[f];
            const auto places = model::joint_positions(model::world_matrices(ours, &a, time));
            const auto others = model::joint_positions(model::world_matrices(theirs, &b, time));
            for (std::size_t j = 0; j < places.size(); ++j) {
                const int found = theirs.skeleton.find(ours.skeleton.joints[j].name);
                if (found < 0) continue;
                EXPECT_LT((places[j] - others[static_cast<std::size_t>(found)]).norm(), 1e-3 * size_of(ours))
                    << file << " frame " << f << " " << ours.skeleton.joints[j].name;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 500u);
}

}  // namespace bvh_peer_test
}  // namespace sinew::io
