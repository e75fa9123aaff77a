// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The tree of a binary FBX file: nodes with properties and children.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/file.h"

namespace sinew::io::fbx {

/// A node under construction. Properties are stored as the bytes of the file.
class Node {
  public:
    explicit Node(std::string_view name) : name_(name) {}

    Node& add(bool value);
    Node& add(std::int32_t value);
    Node& add(std::int64_t value);
    Node& add(double value);
    Node& add(std::string_view text);
    Node& add(const char* text) { return add(std::string_view(text)); }
    Node& add_bytes(Bytes bytes);
    Node& add_array(std::span<const std::int32_t> values);
    Node& add_array(std::span<const std::int64_t> values);
    Node& add_array(std::span<const float> values);
    Node& add_array(std::span<const double> values);

    /// A child; it stays valid until the next one is added.
    Node& child(std::string_view name);
    /// A child with one property.
    template <class Value>
    Node& with(std::string_view name, const Value& value) {
        child(name).add(value);
        return *this;
    }
    /// A child with an array.
    template <class Value>
    Node& with_array(std::string_view name, const std::vector<Value>& values) {
        child(name).add_array(std::span<const Value>(values));
        return *this;
    }
    /// A line of Properties70: name, type, label and flags; values are added to the returned node.
    Node& property(std::string_view name, std::string_view type, std::string_view label,
                   std::string_view flags = "");
    /// Such a line with three numbers.
    void property(std::string_view name, std::string_view type, std::string_view label,
                  std::string_view flags, double x, double y, double z);

    /// Appends the node and its children; offsets are positions in the file.
    void write(std::string& file) const;

  private:
    std::string name_;
    std::string properties_;
    std::uint32_t count_ = 0;
    std::vector<Node> children_;
};

/// A file of version 7.4 with these top-level nodes.
std::string write_file_of(std::span<const Node> nodes);

}  // namespace sinew::io::fbx
