// SPDX-License-Identifier: MIT
#pragma once
// Built-in characters, made once in a program and kept: the animals take a second each.

#include "sinew/sample/samples.h"

namespace sinew::test {

/// Few enough faces for a test, enough for every limb.
inline constexpr std::size_t few_faces = 8000;

const model::Character& sample(const std::string& name, std::size_t faces = 0);

}  // namespace sinew::test
