// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The skinning methods. One rigged asset works with all of them.
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
    sbs,           ///< spherical blend skinning, one rotation centre per influence set
    sbs_weighted,  ///< spherical blend skinning, the centre follows the weights of each vertex
    dqs,           ///< dual quaternion skinning (dual quaternion linear blending)
    dib,           ///< dual quaternion iterative blending
    log,           ///< blending of matrix logarithms
    qlb,           ///< linear blending of quaternions and translations, about the world's origin
    cor,           ///< quaternion blending about a centre of rotation fixed per vertex at set-up
    rigid,         ///< each vertex follows its heaviest joint
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

/// "lbs", "sbs-weighted", ... in any case. \throws Error that lists the names.
Method parse_method(std::string_view text);

}  // namespace sinew::deform
