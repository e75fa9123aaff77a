#include "sinew/io/interchange.h"

#include <cmath>

namespace sinew::io::gltf {

std::optional<Cursor> Cursor::find(std::string_view key) const {
    if (!value_->is_object()) fail("expected an object, found {}", value_->type_name());
    const auto member = value_->find(key);
    if (member == value_->end()) return std::nullopt;
    return Cursor(*member, *file_, fmt::format("{}/{}", pointer_, key));
}

Cursor Cursor::at(std::string_view key) const {
    if (std::optional<Cursor> member = find(key)) return *std::move(member);
    fail("\"{}\" is missing", key);
}

Cursor Cursor::at(std::size_t index) const {
    if (index >= size()) fail("element {} of {}", index, size());
    return Cursor((*value_)[index], *file_, fmt::format("{}/{}", pointer_, index));
}

std::size_t Cursor::size() const {
    if (!value_->is_array()) fail("expected an array, found {}", value_->type_name());
    return value_->size();
}

std::vector<Cursor> Cursor::list(std::string_view key) const {
    std::vector<Cursor> elements;
    if (const std::optional<Cursor> array = find(key)) {
        elements.reserve(array->size());
        for (std::size_t i = 0; i < array->size(); ++i) elements.push_back(array->at(i));
    }
    return elements;
}

std::vector<std::string> Cursor::keys() const {
    if (!value_->is_object()) fail("expected an object, found {}", value_->type_name());
    std::vector<std::string> names;
    for (const auto& [name, member] : value_->items()) names.push_back(name);
    return names;
}

std::uint64_t Cursor::integer() const {
    if (value_->is_number_unsigned()) return value_->get<std::uint64_t>();
    if (value_->is_number_float()) {
        // The format allows integers to be written with a point or an exponent.
        const double number = value_->get<double>();
        if (number >= 0 && number < 0x1p53 && number == std::floor(number))
            return static_cast<std::uint64_t>(number);
    }
    fail("expected an integer of at least 0, found {}",
         value_->is_number() ? value_->dump() : value_->type_name());
}

double Cursor::number() const {
    if (!value_->is_number()) fail("expected a number, found {}", value_->type_name());
    return value_->get<double>();
}

bool Cursor::boolean() const {
    if (!value_->is_boolean()) fail("expected true or false, found {}", value_->type_name());
    return value_->get<bool>();
}

const std::string& Cursor::text() const {
    if (!value_->is_string()) fail("expected a string, found {}", value_->type_name());
    return value_->get_ref<const std::string&>();
}

std::uint64_t Cursor::integer(std::string_view key, std::uint64_t fallback) const {
    const std::optional<Cursor> member = find(key);
    return member ? member->integer() : fallback;
}

double Cursor::number(std::string_view key, double fallback) const {
    const std::optional<Cursor> member = find(key);
    return member ? member->number() : fallback;
}

bool Cursor::boolean(std::string_view key, bool fallback) const {
    const std::optional<Cursor> member = find(key);
    return member ? member->boolean() : fallback;
}

std::string Cursor::text(std::string_view key, std::string_view fallback) const {
    const std::optional<Cursor> member = find(key);
    return member ? member->text() : std::string(fallback);
}

std::optional<std::vector<double>> Cursor::numbers(std::string_view key, std::size_t count) const {
    const std::optional<Cursor> member = find(key);
    if (!member) return std::nullopt;
    if (member->size() != count) member->fail("expected {} numbers, found {}", count, member->size());
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(member->at(i).number());
    return values;
}

}  // namespace sinew::io::gltf
