#pragma once
/// \file
/// A JSON value that knows where it stands, so that every complaint can say so.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/base/error.h"

namespace sinew::io::gltf {

/// Keys sorted, not in file order: an object with very many keys must not take quadratic time to read.
using Tree = nlohmann::json;

/// Members that are absent give the fallback; members of the wrong type are Errors.
class Cursor {
  public:
    Cursor(const Tree& value, const std::string& file, std::string pointer)
        : value_(&value), file_(&file), pointer_(std::move(pointer)) {}

    /// The member, or nothing. \throws Error when this is not an object.
    std::optional<Cursor> find(std::string_view key) const;
    /// The member. \throws Error when it is missing.
    Cursor at(std::string_view key) const;
    /// The element. \throws Error when this is not an array or too short.
    Cursor at(std::size_t index) const;
    /// Number of elements. \throws Error when this is not an array.
    std::size_t size() const;
    /// Elements of the array under a key; none when it is absent.
    std::vector<Cursor> list(std::string_view key) const;
    /// Keys of an object.
    std::vector<std::string> keys() const;
    bool has(std::string_view key) const { return find(key).has_value(); }
    bool is_object() const { return value_->is_object(); }
    bool is_null() const { return value_->is_null(); }

    std::uint64_t integer() const;
    double number() const;
    bool boolean() const;
    const std::string& text() const;

    std::uint64_t integer(std::string_view key, std::uint64_t fallback) const;
    double number(std::string_view key, double fallback) const;
    bool boolean(std::string_view key, bool fallback) const;
    std::string text(std::string_view key, std::string_view fallback = {}) const;
    /// Exactly `count` numbers, or nothing when the key is absent.
    std::optional<std::vector<double>> numbers(std::string_view key, std::size_t count) const;

    /// "walk.glb: /accessors/3"
    std::string place() const { return *file_ + ": " + (pointer_.empty() ? "/" : pointer_); }

    template <class... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> reason, Args&&... args) const {
        throw Error(place(), fmt::format(reason, std::forward<Args>(args)...));
    }

  private:
    const Tree* value_;
    const std::string* file_;
    std::string pointer_;
};

}  // namespace sinew::io::gltf
