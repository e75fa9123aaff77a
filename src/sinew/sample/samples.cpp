// SPDX-License-Identifier: MIT
#include "sinew/sample/samples.h"

#include <algorithm>
#include <array>
#include <string>

#include "sinew/base/error.h"
#include "sinew/sample/bodies/animals.h"
#include "sinew/sample/bodies/man.h"

namespace sinew::sample {
namespace {

model::Character tube(const SampleOptions& options) {
    if (options.faces > 0) fail("sample", "the tube has no choice of faces");
    return make_tube();
}

model::Character screws(const SampleOptions& options) {
    if (options.faces > 0) fail("sample", "the screws have no choice of faces");
    return make_screws();
}

constexpr std::array samples{
    Sample{"man", "a man of 1.75 m in T-pose who walks",
           [](const SampleOptions& options) { return make_man(options.faces); }},
    Sample{"horse", "a horse of 1.6 m at the withers that walks",
           [](const SampleOptions& options) { return make_horse(options.faces); }},
    Sample{"cat", "a cat of 0.25 m at the shoulder that walks",
           [](const SampleOptions& options) { return make_cat(options.faces); }},
    Sample{"ostrich", "an ostrich of 2.1 m that walks",
           [](const SampleOptions& options) { return make_ostrich(options.faces); }},
    Sample{"hand", "a right hand that makes a fist",
           [](const SampleOptions& options) { return make_hand(options.faces); }},
    Sample{"tube", "a capsule with two bones that bends and twists", tube},
    Sample{"screws", "four blocks: a rotation, a translation, a screw, and a rotation about a moving axis",
           screws},
};

}  // namespace

std::span<const Sample> list() {
    return samples;
}

model::Character make(std::string_view name, const SampleOptions& options) {
    const auto found =
        std::find_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.name == name; });
    if (found != samples.end()) return found->make(options);
    std::string names;
    for (const Sample& sample : samples) names += (names.empty() ? "" : ", ") + std::string(sample.name);
    fail("sample", "there is no sample \"{}\"; there are: {}", name, names);
}

}  // namespace sinew::sample
