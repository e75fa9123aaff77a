// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The skinning methods. All work with the same rigged character.
///
/// \code
/// const deform::Method method = deform::parse_method("dqs");
/// for (const deform::MethodInfo& info : deform::methods()) offer(info);
/// \endcode

#include <span>
#include <string_view>

namespace sinew::deform {

enum class Method {
    lbs,           ///< linear blend skinning
    sbs,           ///< spherical blend skinning with one rotation centre per influence set
    sbs_weighted,  ///< spherical blend skinning with a rotation centre from the weights of each vertex
    dqs,           ///< dual quaternion skinning (dual quaternion linear blending)
    dib,           ///< dual quaternion iterative blending
    log,           ///< blending of matrix logarithms
    qlb,           ///< linear blending of quaternions and translations, about the world origin
    cor,    ///< quaternion blending about an optimised centre of rotation per vertex, computed at set-up
    rigid,  ///< each vertex follows its heaviest joint only
};

/// A method with its command-line name and a description in one line.
struct MethodInfo {
    Method method;
    std::string_view name;
    std::string_view text;
};

/// All methods, in the order shown to users.
std::span<const MethodInfo> methods();

std::string_view name(Method method);

/// Parses a name ("lbs", "sbs-weighted", ...), ignoring case. \throws Error that lists the names
Method parse_method(std::string_view text);

}  // namespace sinew::deform
