// SPDX-License-Identifier: MIT
#include "sinew/io/export/fbx_nodes.h"

#include <bit>
#include <cstring>
#include <limits>

#include "sinew/base/error.h"

namespace sinew::io::fbx {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr std::uint32_t version = 7400;

template <class Value>
void append(std::string& text, Value value) {
    char bytes[sizeof(Value)];
    std::memcpy(bytes, &value, sizeof(Value));
    text.append(bytes, sizeof(Value));
}

/// Uncompressed: the number of values, no encoding, the number of bytes.
template <class Value>
void append_array(std::string& text, char type, std::span<const Value> values) {
    text += type;
    append(text, static_cast<std::uint32_t>(values.size()));
    append(text, std::uint32_t{0});
    append(text, static_cast<std::uint32_t>(values.size_bytes()));
    text.append(as_text(std::as_bytes(values)));
}

}  // namespace

Node& Node::add(bool value) {
    properties_ += 'C';
    properties_ += static_cast<char>(value);
    ++count_;
    return *this;
}

Node& Node::add(std::int32_t value) {
    properties_ += 'I';
    append(properties_, value);
    ++count_;
    return *this;
}

Node& Node::add(std::int64_t value) {
    properties_ += 'L';
    append(properties_, value);
    ++count_;
    return *this;
}

Node& Node::add(double value) {
    properties_ += 'D';
    append(properties_, value);
    ++count_;
    return *this;
}

Node& Node::add(std::string_view text) {
    properties_ += 'S';
    append(properties_, static_cast<std::uint32_t>(text.size()));
    properties_ += text;
    ++count_;
    return *this;
}

Node& Node::add_bytes(Bytes bytes) {
    properties_ += 'R';
    append(properties_, static_cast<std::uint32_t>(bytes.size()));
    properties_ += as_text(bytes);
    ++count_;
    return *this;
}

Node& Node::add_array(std::span<const std::int32_t> values) {
    append_array(properties_, 'i', values);
    ++count_;
    return *this;
}

Node& Node::add_array(std::span<const std::int64_t> values) {
    append_array(properties_, 'l', values);
    ++count_;
    return *this;
}

Node& Node::add_array(std::span<const float> values) {
    append_array(properties_, 'f', values);
    ++count_;
    return *this;
}

Node& Node::add_array(std::span<const double> values) {
    append_array(properties_, 'd', values);
    ++count_;
    return *this;
}

Node& Node::child(std::string_view name) {
    return children_.emplace_back(name);
}

Node& Node::property(std::string_view name, std::string_view type, std::string_view label,
                     std::string_view flags) {
    return child("P").add(name).add(type).add(label).add(flags);
}

void Node::property(std::string_view name, std::string_view type, std::string_view label,
                    std::string_view flags, double x, double y, double z) {
    property(name, type, label, flags).add(x).add(y).add(z);
}

void Node::write(std::string& file) const {
    const std::size_t start = file.size();
    append(file, std::uint32_t{0});  // end offset of the node, filled in below
    append(file, count_);
    append(file, static_cast<std::uint32_t>(properties_.size()));
    file += static_cast<char>(name_.size());
    file += name_;
    file += properties_;
    for (const Node& child : children_) child.write(file);
    // A list of children ends with an empty node; these two types always have one.
    if (!children_.empty() || name_ == "AnimationStack" || name_ == "AnimationLayer") file.append(13, '\0');
    if (file.size() > std::numeric_limits<std::uint32_t>::max())
        fail("", "{} bytes are more than an FBX file of version 7.4 can hold", file.size());
    const auto end = static_cast<std::uint32_t>(file.size());
    std::memcpy(file.data() + start, &end, sizeof(end));
}

std::string write_file_of(std::span<const Node> nodes) {
    std::string file("Kaydara FBX Binary  \0\x1a\0", 23);
    append(file, version);
    for (const Node& node : nodes) node.write(file);
    file.append(13, '\0');
    // These bytes belong to the file's identifier and creation time, which are fixed (see fbx.cpp).
    file.append("\xfa\xbc\xab\x09\xd0\xc8\xd4\x66\xb1\x76\xfb\x83\x1c\xf7\x26\x7e", 16);
    file.append(4, '\0');
    file.append(16 - file.size() % 16, '\0');
    append(file, version);
    file.append(120, '\0');
    file.append("\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b", 16);
    return file;
}

}  // namespace sinew::io::fbx
