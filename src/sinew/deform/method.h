#pragma once
/// \file
/// The ways to blend the transformations of joints on a skin. One rigged asset serves them all.

#include <span>
#include <string_view>

namespace sinew::deform {

enum class Method {
    lbs,    ///< linear blend skinning
    dqs,    ///< dual quaternion skinning
    rigid,  ///< each vertex follows its heaviest joint
};

/// A method, its name on the command line and one line that explains it.
struct MethodInfo {
    Method method;
    std::string_view name;
    std::string_view text;
};

/// All methods, in the order in which they are listed to a user.
std::span<const MethodInfo> methods();

std::string_view name(Method method);

/// "lbs", "dqs", ... in any case. \throws Error that lists the names.
Method parse_method(std::string_view text);

}  // namespace sinew::deform
