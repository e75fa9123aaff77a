#include <algorithm>
#include <numeric>

#include "sinew/io/c3d/describe.h"

namespace sinew::io::c3d {
namespace {

using model::Parameter;

constexpr std::size_t max_rows = 255;

Parameter make(std::string name, std::vector<std::uint8_t> dimensions, Parameter::Values values) {
    Parameter parameter;
    parameter.name = std::move(name);
    parameter.dimensions = std::move(dimensions);
    parameter.values = std::move(values);
    return parameter;
}

/// Writes `count` rows in parts of 255, and removes parts of an older list behind them.
template <class MakePart>
void set_parts(Parameters& parameters, std::string_view group, std::string_view name, std::size_t count,
               const MakePart& make_part) {
    std::size_t part = 0;
    for (std::size_t first = 0; first < count || part == 0; first += max_rows, ++part) {
        parameters.set(group, make_part(continuation(name, part), first, std::min(max_rows, count - first)));
    }
    for (; parameters.find(group, continuation(name, part)) != nullptr; ++part) {
        parameters.remove(group, continuation(name, part));
    }
}

}  // namespace

void set_word(Parameters& parameters, std::string_view group, std::string_view name, std::size_t value) {
    if (Parameter* const old = parameters.find(group, name); old != nullptr && old->size() == 1) {
        if (auto* reals = std::get_if<std::vector<float>>(&old->values)) {
            (*reals)[0] = static_cast<float>(value);
            return;
        }
        if (auto* words = std::get_if<std::vector<std::int16_t>>(&old->values)) {
            (*words)[0] =
                static_cast<std::int16_t>(static_cast<std::uint16_t>(std::min<std::size_t>(value, 65535)));
            return;
        }
    }
    const auto word = static_cast<std::uint16_t>(std::min<std::size_t>(value, 65535));
    parameters.set(group, make(std::string(name), {}, std::vector{static_cast<std::int16_t>(word)}));
}

void set_real(Parameters& parameters, std::string_view group, std::string_view name, double value) {
    Parameter* const old = parameters.find(group, name);
    if (old != nullptr && old->size() == 1 && !old->is_text() && old->number(0) == value) return;
    parameters.set(group, make(std::string(name), {}, std::vector{static_cast<float>(value)}));
}

void set_text(Parameters& parameters, std::string_view group, std::string_view name,
              const std::string& value) {
    if (text_of(parameters, group, name) == value && parameters.find(group, name) != nullptr) return;
    const auto width = static_cast<std::uint8_t>(std::min<std::size_t>(value.size(), 255));
    std::vector<std::string> texts;
    if (width > 0) texts.push_back(value.substr(0, width));
    parameters.set(group, make(std::string(name), {width}, std::move(texts)));
}

void set_texts(Parameters& parameters, std::string_view group, std::string_view name,
               const std::vector<std::string>& values) {
    if (texts_of(parameters, group, name) == values && parameters.find(group, name) != nullptr) return;
    std::size_t width = 1;
    for (const std::string& value : values) width = std::max(width, std::min<std::size_t>(value.size(), 255));
    set_parts(
        parameters, group, name, values.size(), [&](std::string part, std::size_t first, std::size_t count) {
            std::vector<std::string> texts;
            for (std::size_t i = first; i < first + count; ++i) texts.push_back(values[i].substr(0, 255));
            return make(std::move(part), {static_cast<std::uint8_t>(width), static_cast<std::uint8_t>(count)},
                        std::move(texts));
        });
}

template <class Number>
void set_numbers(Parameters& parameters, std::string_view group, std::string_view name,
                 const std::vector<Number>& values, const std::vector<std::uint8_t>& row) {
    const std::size_t size = std::accumulate(row.begin(), row.end(), std::size_t{1}, std::multiplies<>());
    set_parts(parameters, group, name, values.size() / size,
              [&](std::string part, std::size_t first, std::size_t count) {
                  std::vector<std::uint8_t> dimensions = row;
                  dimensions.push_back(static_cast<std::uint8_t>(count));
                  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first * size);
                  return make(std::move(part), std::move(dimensions),
                              std::vector<Number>(begin, begin + static_cast<std::ptrdiff_t>(count * size)));
              });
}

template void set_numbers(Parameters&, std::string_view, std::string_view, const std::vector<float>&,
                          const std::vector<std::uint8_t>&);
template void set_numbers(Parameters&, std::string_view, std::string_view, const std::vector<std::int16_t>&,
                          const std::vector<std::uint8_t>&);

}  // namespace sinew::io::c3d
