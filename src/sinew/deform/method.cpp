// SPDX-License-Identifier: MIT
#include "sinew/deform/method.h"

#include <array>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::deform {
namespace {

constexpr std::array table = {
    MethodInfo{Method::lbs, "lbs", "linear blend skinning: fast, loses volume in twists and bends"},
    MethodInfo{Method::sbs, "sbs", "spherical blend skinning: rotates about one centre per influence set"},
    MethodInfo{Method::sbs_weighted, "sbs-weighted",
               "spherical blend skinning with a weighted centre: no jumps between influence sets"},
    MethodInfo{Method::dqs, "dqs", "dual quaternion skinning: keeps volume"},
    MethodInfo{Method::dib, "dib", "dual quaternion iterative blending: exact mean of screw motions, slow"},
    MethodInfo{Method::log, "log", "blended matrix logarithms: for comparison, depends on the origin"},
    MethodInfo{Method::qlb, "qlb",
               "blended quaternions and translations: for comparison, rotates about the origin"},
    MethodInfo{Method::cor, "cor", "centres of rotation fixed at set-up: keeps volume without bulging"},
    MethodInfo{Method::rigid, "rigid", "each vertex follows its heaviest joint"},
};

}  // namespace

std::span<const MethodInfo> methods() {
    return table;
}

std::string_view name(Method method) {
    for (const MethodInfo& info : table) {
        if (info.method == method) return info.name;
    }
    return "?";
}

Method parse_method(std::string_view text) {
    std::string names;
    for (const MethodInfo& info : table) {
        if (equal_ignoring_case(info.name, text)) return info.method;
        names += (names.empty() ? "" : ", ") + std::string(info.name);
    }
    fail("", "\"{}\" is not a skinning method: choose one of {}", text, names);
}

}  // namespace sinew::deform
