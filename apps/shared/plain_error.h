// SPDX-License-Identifier: MIT
#pragma once
// What CLI11 says of a wrong value, for people.

#include <string>
#include <vector>

namespace sinew::app {

/// "--camera: up is none of back, front" for "--camera: Check up value in {back->2,front->1} OR {2,1}
/// FAILED"; anything else as it is.
std::string plain_error(const std::string& said);

/// The known word that is at most a third of its letters away; empty when there is none.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

}  // namespace sinew::app
