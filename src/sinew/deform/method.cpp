#include "sinew/deform/method.h"

#include <array>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::deform {
namespace {

constexpr std::array table = {
    MethodInfo{Method::lbs, "lbs", "linear blend skinning: fast, loses volume in twists and bends"},
    MethodInfo{Method::dqs, "dqs", "dual quaternion skinning: keeps volume, rigid blends"},
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
