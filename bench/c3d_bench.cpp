// SPDX-License-Identifier: MIT
// Reading C3D in every encoding against a copy of the same bytes.
//
// Reading C3D, every encoding: ours against a copy of the same bytes, which is what any reader must at least
// do.
//
//     bench_c3d [MEGABYTES]
//
// Each file is a synthetic trial of a gait laboratory (60 markers, 30 analog channels of 10 samples per
// frame) of 90 MB. Runs take turns and medians are compared, so that a busy machine slows all of them alike.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support.h"

#include "sinew/base/file.h"
#include "sinew/base/parallel.h"
#include "sinew/io/c3d/c3d.h"

namespace {

using namespace sinew::bench;

using namespace sinew;

io::Asset make_trial(std::size_t bytes, bool integers) {
    io::Asset asset;
    model::Trial& t = asset.trial;
    constexpr std::size_t markers = 60, channels = 30, samples = 10;
    t.frames = bytes / ((4 * markers + channels * samples) * (integers ? 2 : 4));
    t.rate = 100;
    t.to_world.scale = 0.001;
    for (std::size_t m = 0; m < markers; ++m) {
        t.markers.info.push_back({"M" + std::to_string(m), "", "", model::PointKind::marker, ""});
    }
    for (std::size_t c = 0; c < channels; ++c) {
        t.analog.channels.push_back({"C" + std::to_string(c), "", "V", 0.5, 2048});
    }
    t.analog.samples_per_frame = samples;
    for (std::size_t i = 0; i < t.frames * markers; ++i) {
        const auto a = static_cast<float>(i % 10007);
        t.markers.positions.push_back({1000 + a * 0.1f, -500 + a * 0.2f, 900 - a * 0.05f});
        t.markers.residuals.push_back(i % 37 == 0 ? -1.0f : 0.5f);  // some are not seen
        if (i % 37 == 0) t.markers.positions.back().setConstant(NAN);
    }
    for (std::size_t i = 0; i < t.frames * channels * samples; ++i) {
        t.analog.values.push_back(static_cast<float>(i % 3001) * 0.5f - 700);
    }
    return asset;
}

struct Times {
    std::vector<double> copy, one, all;
};

void compare(const char* name, const std::string& file) {
    Times times;
    volatile std::size_t sink = 0;
    const auto trials =
        static_cast<std::size_t>(std::max(1.0, std::round(90e6 / static_cast<double>(file.size()))));
    const auto read = [&] {
        for (std::size_t i = 0; i < trials; ++i) {
            sink = sink + io::read_c3d(as_bytes(file), "bench.c3d", {}, silent()).trial.frames;
        }
    };
    for (int round = 0; round < 7; ++round) {
        times.copy.push_back(seconds([&] {
            for (std::size_t i = 0; i < trials; ++i) {
                const std::unique_ptr<char[]> copy(new char[file.size()]);
                std::memcpy(copy.get(), file.data(), file.size());
                sink = sink + static_cast<std::size_t>(copy[file.size() / 2]);
            }
        }));
        set_thread_count(1);
        times.one.push_back(seconds(read));
        set_thread_count(0);
        times.all.push_back(seconds(read));
    }
    set_thread_count(1);
    const std::size_t before = memory_now;
    memory_peak = before;
    std::size_t decoded = 0;
    {
        const model::Trial t = io::read_c3d(as_bytes(file), "bench.c3d", {}, silent()).trial;
        decoded = t.markers.positions.size() * (sizeof(math::Vec3f) + sizeof(float) + 1) +
                  t.analog.values.size() * sizeof(float);
    }
    const double mega = static_cast<double>(trials * file.size()) / 1e6;
    const double copy = median(times.copy), one = median(times.one), all = median(times.all);
    std::printf(
        "%-16s %5.1f MB  1 thread %6.0f MB/s (%4.2f x memcpy's time)  all threads %6.0f MB/s  memcpy %6.0f "
        "MB/s  peak memory %.2f x decoded\n",
        name, mega, mega / one, one / copy, mega / all, mega / copy,
        static_cast<double>(memory_peak - before) / static_cast<double>(decoded));
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t bytes = static_cast<std::size_t>((argc > 1 ? std::atof(argv[1]) : 1) * 1e6);
    const char* const names[] = {"Intel", "DEC", "MIPS"};
    for (const bool integers : {false, true}) {
        const io::Asset asset = make_trial(bytes, integers);
        for (int processor = 0; processor < 3; ++processor) {
            io::C3dOptions options;
            options = {static_cast<io::C3dProcessor>(processor), integers};
            std::string file;
            const double writing =
                seconds([&] { file = io::encode_c3d(asset, "bench.c3d", options, silent()); });
            const std::string name = std::string(names[processor]) + (integers ? " integers" : " reals");
            compare(name.c_str(), file);
            std::printf("%-16s written at %.0f MB/s\n", "", static_cast<double>(file.size()) / 1e6 / writing);
        }
    }
}
