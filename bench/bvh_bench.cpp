// SPDX-License-Identifier: MIT
// Reading BVH against assimp, and against std::from_chars over the same numbers.
//
// Reading BVH: ours against assimp, and against std::from_chars over the same numbers and nothing else.
//
//     bench_bvh [FILE.bvh]
//
// Runs take turns and medians are compared, so that a busy machine slows all of them alike.

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#if SINEW_HAS_ASSIMP
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#endif

#include "support.h"

#include "sinew/base/file.h"
#include "sinew/base/parallel.h"
#include "sinew/io/bvh/bvh.h"

namespace {

using namespace sinew::bench;

struct Contender {
    const char* name;
    int threads;
    std::function<void()> work;
    std::vector<double> times;
};

double sum_by_from_chars(std::string_view text) {
    double sum = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        while (at != end && (*at == ' ' || (*at >= '\t' && *at <= '\r'))) ++at;
        if (at == end) return sum;
        double value = 0;
        const auto result = std::from_chars(at, end, value);
        if (result.ptr == at) return sum;
        at = result.ptr;
        sum += value;
    }
}

std::size_t decoded_bytes(const sinew::io::Asset& asset) {
    std::size_t bytes = 0;
    for (const auto& track : asset.character.clips.at(0).tracks) {
        bytes += track.translation.values.size() * sizeof(track.translation.values[0]);
        bytes += track.rotation.values.size() * sizeof(track.rotation.values[0]);
    }
    return bytes;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace sinew;
    const std::filesystem::path path =
        argc > 1 ? argv[1] : SINEW_SOURCE_DIR "/../shared/data/bvh/cmu_01_01.bvh";
    const FileView file(path);
    const std::string_view text = file.text();
    const std::string_view motion = text.substr(text.find('\n', text.find("Frame Time:")));
    volatile double sink = 0;

    const auto ours = [&] {
        sink =
            sink + static_cast<double>(io::read_bvh(file.bytes(), path, {}, silent()).character.clips.size());
    };
    std::vector<Contender> contenders = {
        {"sinew, 1 thread", 1, ours, {}},
        {"sinew, all threads", 0, ours, {}},
        {"std::from_chars alone", 1, [&] { sink = sink + sum_by_from_chars(motion); }, {}}};
#if SINEW_HAS_ASSIMP
    contenders.push_back({"assimp",
                          1,
                          [&] {
                              Assimp::Importer importer;
                              const aiScene* scene =
                                  importer.ReadFileFromMemory(text.data(), text.size(), 0, "bvh");
                              sink = sink + (scene != nullptr ? scene->mNumAnimations : 0);
                          },
                          {}});
#endif
    for (int round = 0; round < 41; ++round) {
        for (Contender& contender : contenders) {
            set_thread_count(contender.threads);
            contender.times.push_back(seconds(contender.work));
        }
    }
    const double mega = static_cast<double>(text.size()) / 1e6;
    const double base = median(contenders[0].times);
    std::printf("%s, %.2f MB\n", path.filename().c_str(), mega);
    for (const Contender& contender : contenders) {
        const double time = median(contender.times);
        std::printf("%-24s %8.3f ms %8.0f MB/s   takes %6.2f times as long as sinew on 1 thread\n",
                    contender.name, time * 1e3, mega / time, time / base);
    }

    set_thread_count(1);
    const std::size_t before = memory_now;
    memory_peak = before;
    const io::Asset asset = io::read_bvh(file.bytes(), path, {}, silent());
    const auto peak = static_cast<double>(memory_peak - before);
    const auto decoded = static_cast<double>(decoded_bytes(asset));
    std::printf("peak memory %.2f MB, %.2f times the decoded %.2f MB\n", peak / 1e6, peak / decoded,
                decoded / 1e6);
    std::vector<double> writing;
    std::size_t written = 0;
    for (int round = 0; round < 5; ++round) {
        writing.push_back(seconds([&] { written = io::write_bvh(asset, path, {}, silent()).size(); }));
    }
    std::printf("writing, 1 thread: %.1f ms, %.0f MB/s\n", median(writing) * 1e3,
                static_cast<double>(written) / 1e6 / median(writing));
}
