#pragma once
/// \file
/// What the parameters of a C3D file say, whatever type they were given: numbers, texts, and lists that
/// continue in LABELS2, LABELS3 and so on.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/trial.h"

namespace sinew::io::c3d {

using model::Parameters;

/// Text as UTF-8 without spaces and zeros at its ends; bytes that are not UTF-8 are Latin-1.
std::string decoded(std::string_view bytes);

/// A count: 16-bit values are unsigned whatever their type says, reals are rounded. None when it is missing,
/// text, negative or not finite.
std::optional<std::size_t> count_of(const Parameters&, std::string_view group, std::string_view name);
/// A frame number in two words, low + 65536 high, or in one value.
std::optional<std::size_t> long_count_of(const Parameters&, std::string_view group, std::string_view name);
/// A finite number.
std::optional<double> number_of(const Parameters&, std::string_view group, std::string_view name);
/// The first string, decoded; empty when there is none.
std::string text_of(const Parameters&, std::string_view group, std::string_view name);

/// A list with its continuations.
std::vector<std::string> texts_of(const Parameters&, std::string_view group, std::string_view name);
std::vector<double> numbers_of(const Parameters&, std::string_view group, std::string_view name);
/// "LABELS", "LABELS2", "LABELS3" for 0, 1, 2.
std::string continuation(std::string_view name, std::size_t index);

}  // namespace sinew::io::c3d
