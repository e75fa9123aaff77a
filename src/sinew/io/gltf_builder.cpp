#include "sinew/io/gltf/write.h"

#include <algorithm>
#include <limits>

#include "sinew/io/interchange.h"

namespace sinew::io::gltf {
namespace {

void pad(std::string& text, char filler) {
    text.append((4 - text.size() % 4) % 4, filler);
}

void append_u32(std::string& text, std::size_t value) {
    for (int shift = 0; shift < 32; shift += 8) text += static_cast<char>(value >> shift & 255);
}

std::string as_glb(std::string json, const std::string& buffer, std::string_view place) {
    pad(json, ' ');
    const std::size_t length = 12 + 8 + json.size() + (buffer.empty() ? 0 : 8 + buffer.size());
    if (length > std::numeric_limits<std::uint32_t>::max()) {
        fail(place, "{} bytes are more than a GLB file can hold", length);
    }
    std::string file;
    file.reserve(length);
    file += "glTF";
    append_u32(file, 2);
    append_u32(file, length);
    append_u32(file, json.size());
    file += "JSON";
    file += json;
    if (!buffer.empty()) {
        append_u32(file, buffer.size());
        file += std::string_view("BIN\0", 4);
        file += buffer;
    }
    return file;
}

}  // namespace

int Builder::begin_view(ViewTarget target, std::size_t stride) {
    view_start_ = buffer_.size();
    Json view = {{"buffer", 0}, {"byteOffset", view_start_}, {"byteLength", 0}};
    if (stride > 0) view["byteStride"] = stride;
    if (target != ViewTarget::none) view["target"] = static_cast<int>(target);
    return add("bufferViews", std::move(view));
}

std::size_t Builder::append(Bytes bytes) {
    const std::size_t offset = buffer_.size() - view_start_;
    buffer_.append(as_text(bytes));
    root["bufferViews"].back()["byteLength"] = buffer_.size() - view_start_;
    pad(buffer_, '\0');
    return offset;
}

void Builder::end_view() {
    // Views must not be empty; nothing can refer to this one.
    if (root["bufferViews"].back()["byteLength"] == 0) root["bufferViews"].erase(count("bufferViews") - 1);
    if (root["bufferViews"].empty()) root.erase("bufferViews");
    view_start_ = buffer_.size();
}

int Builder::add_accessor(int view, std::size_t offset, Component component, std::size_t count,
                          std::string_view type) {
    Json accessor = {{"bufferView", view}};
    if (offset > 0) accessor["byteOffset"] = offset;
    accessor["componentType"] = static_cast<int>(component);
    accessor["count"] = count;
    accessor["type"] = type;
    return add("accessors", std::move(accessor));
}

void Builder::set_bounds(int accessor, std::span<const float> values, std::size_t components) {
    std::vector<float> low(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(components));
    std::vector<float> high = low;
    for (std::size_t i = 0; i < values.size(); i += components) {
        for (std::size_t c = 0; c < components; ++c) {
            low[c] = std::min(low[c], values[i + c]);
            high[c] = std::max(high[c], values[i + c]);
        }
    }
    Json& json = root["accessors"][static_cast<std::size_t>(accessor)];
    json["min"] = low;
    json["max"] = high;
}

int Builder::add(std::string_view array, Json element) {
    Json& elements = root[std::string(array)];
    elements.push_back(std::move(element));
    return static_cast<int>(elements.size()) - 1;
}

std::size_t Builder::count(std::string_view array) const {
    const auto found = root.find(std::string(array));
    return found == root.end() ? 0 : found->size();
}

std::string Builder::finish(bool binary, std::string_view place) {
    if (!buffer_.empty()) {
        Json buffer = {{"byteLength", buffer_.size()}};
        if (!binary) {
            buffer["uri"] = "data:application/octet-stream;base64," + encode_base64(as_bytes(buffer_));
        }
        add("buffers", std::move(buffer));
    }
    // Names may come from files in any encoding: what is not UTF-8 becomes a replacement character.
    const int indent = binary ? -1 : 1;
    std::string json = root.dump(indent, ' ', false, Json::error_handler_t::replace);
    return binary ? as_glb(std::move(json), buffer_, place) : json + "\n";
}

void set_name(Json& json, const std::string& name) {
    if (!name.empty()) json["name"] = name;
}

}  // namespace sinew::io::gltf
