// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The table of joint names: which words mean which role.

#include <optional>
#include <string_view>

#include "sinew/model/roles.h"

namespace sinew::model {

/// What a name's words mean without their side, numbers and padding, joined: "upperarm", "findex".
struct Alias {
    Role role = Role::none;
    int number = 0;
};
std::optional<Alias> find_alias(std::string_view words);

}  // namespace sinew::model
