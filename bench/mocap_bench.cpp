// SPDX-License-Identifier: MIT
// Reading AMC and TRC against std::from_chars over the same numbers.
//
// Reading AMC and TRC on one thread, against std::from_chars over the same numbers and nothing else.
//
//     bench_mocap [FILE.amc FILE.trc]
//
// Runs take turns and medians are compared, so that a busy machine slows all of them alike.

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "support.h"

#include "sinew/base/file.h"
#include "sinew/base/parallel.h"
#include "sinew/io/io.h"

namespace {

using namespace sinew::bench;

using namespace sinew;

/// Numbers alone; words between them are stepped over.
double sum_by_from_chars(std::string_view text) {
    double sum = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        while (at < end && *at <= ' ') ++at;
        double value = 0;
        const auto result = std::from_chars(at, end, value);
        if (result.ptr == at) {
            while (at < end && *at > ' ') ++at;
        } else {
            at = result.ptr;
            sum += value;
        }
    }
    return sum;
}

std::size_t decoded_bytes(const io::Asset& asset) {
    std::size_t bytes = asset.trial.markers.positions.size() * (sizeof(math::Vec3f) + sizeof(float));
    for (const model::Clip& clip : asset.character.clips) {
        for (const model::Track& track : clip.tracks) {
            bytes += track.translation.values.size() * sizeof(track.translation.values[0]);
            bytes += track.rotation.values.size() * sizeof(track.rotation.values[0]);
        }
    }
    return bytes;
}

void run(const std::filesystem::path& path) {
    const FileView file(path);
    volatile double sink = 0;
    std::vector<double> ours, theirs;
    for (int round = 0; round < 41; ++round) {
        ours.push_back(seconds([&] { sink = sink + io::decode(file.bytes(), path).trial.rate; }));
        theirs.push_back(seconds([&] { sink = sink + sum_by_from_chars(file.text()); }));
    }
    const double mega = static_cast<double>(file.bytes().size()) / 1e6;
    std::printf("%s, %.2f MB: sinew %.0f MB/s, std::from_chars alone %.0f MB/s: %.2f times as fast\n",
                path.filename().c_str(), mega, mega / median(ours), mega / median(theirs),
                median(theirs) / median(ours));
    const std::size_t before = memory_now;
    memory_peak = before;
    const io::Asset asset = io::decode(file.bytes(), path);
    const auto decoded = static_cast<double>(decoded_bytes(asset));
    std::printf("  peak memory %.2f times the decoded %.2f MB\n",
                static_cast<double>(memory_peak - before) / decoded, decoded / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
    set_thread_count(1);
    const std::filesystem::path data = SINEW_SOURCE_DIR "/../shared/data";
    if (argc > 1) {
        for (int i = 1; i < argc; ++i) run(argv[i]);
    } else {
        run(data / "asf-amc/01_01.amc");
        run(data / "trc/walk_free_01.trc");
        run(data / "trc/blanks_for_missing.trc");
    }
}
