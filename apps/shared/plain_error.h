// SPDX-License-Identifier: MIT
#pragma once
// What CLI11 says of a wrong value, for people.

#include <string>

namespace sinew::app {

/// "--camera: up is none of back, front" for "--camera: Check up value in {back->2,front->1} OR {2,1}
/// FAILED"; anything else as it is.
std::string plain_error(const std::string& said);

}  // namespace sinew::app
