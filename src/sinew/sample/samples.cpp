#include "sinew/sample/samples.h"

#include <algorithm>
#include <array>
#include <string>

#include "sinew/base/error.h"
#include "sinew/sample/man.h"
#include "sinew/sample/tube.h"

namespace sinew::sample {
namespace {

constexpr std::array samples{
    Sample{"man", "a man of 1.75 m in T-pose who walks", [] { return make_man(); }},
    Sample{"tube", "a capsule with two bones that bends and twists", [] { return make_tube(); }},
};

}  // namespace

std::span<const Sample> list() {
    return samples;
}

model::Character make(std::string_view name) {
    const auto found =
        std::find_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.name == name; });
    if (found != samples.end()) return found->make();
    std::string names;
    for (const Sample& sample : samples) names += (names.empty() ? "" : ", ") + std::string(sample.name);
    fail("sample", "there is no sample \"{}\"; there are: {}", name, names);
}

}  // namespace sinew::sample
