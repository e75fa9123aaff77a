#include "sinew/io/gltf/document.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "sinew/base/text.h"
#include "sinew/io/interchange.h"

namespace sinew::io::gltf {
namespace {

constexpr std::uint32_t magic_glb = 0x46546C67;   // "glTF"
constexpr std::uint32_t chunk_json = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t chunk_bin = 0x004E4942;   // "BIN"
constexpr std::size_t header_size = 12;
constexpr int max_depth = 64;

/// Allocated bytes allowed: some for every file, and a multiple of what the file itself takes.
constexpr std::uint64_t base_budget = 4u << 20;
constexpr std::uint64_t budget_factor = 64;

/// Extensions whose files need nothing special from this reader.
constexpr std::array<std::string_view, 1> supported_extensions = {"KHR_mesh_quantization"};
/// Extensions about things that are not read at all.
constexpr std::array<std::string_view, 1> irrelevant_extensions = {"KHR_lights_punctual"};

std::uint32_t load_u32(Bytes bytes, std::size_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// Depth of brackets outside strings. The parser itself does not recurse, but whatever walks the tree may.
int nesting_depth(std::string_view json) {
    int depth = 0, deepest = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Document::Document(Bytes bytes, const std::filesystem::path& path, Monitor& monitor)
    : file_(path.filename().string()), folder_(path.parent_path()), monitor_(monitor) {
    budget_ = base_budget + budget_factor * bytes.size();
    const bool binary = bytes.size() >= 4 && load_u32(bytes, 0) == magic_glb;
    std::string storage;
    parse(binary ? open_container(bytes) : as_utf8(as_text(bytes), storage), binary);
    check_header();
    open_buffers();
}

std::string_view Document::open_container(Bytes bytes) {
    if (bytes.size() < header_size)
        sinew::fail(file_, "the GLB header is cut off: {} bytes of 12", bytes.size());
    const std::uint32_t version = load_u32(bytes, 4), length = load_u32(bytes, 8);
    if (version != 2) sinew::fail(file_, "GLB version {} is not supported, only 2", version);
    if (length > bytes.size()) {
        sinew::fail(file_, "the file is cut off: {} bytes of {}", bytes.size(), length);
    }
    if (length < bytes.size()) {
        warn(monitor_, "gltf-extra-bytes", "{}: {} bytes behind the end were ignored", file_,
             bytes.size() - length);
    }
    std::string_view json;
    bool has_json = false;
    for (std::size_t at = header_size; at < length;) {
        if (length - at < 8) sinew::fail(file_, "the header of the chunk at byte {} is cut off", at);
        const std::uint32_t size = load_u32(bytes, at), type = load_u32(bytes, at + 4);
        at += 8;
        if (size > length - at) {
            sinew::fail(file_, "the chunk at byte {} has {} bytes, but only {} follow", at - 8, size,
                        length - at);
        }
        const Bytes content = bytes.subspan(at, size);
        if (!has_json && type != chunk_json) sinew::fail(file_, "the first chunk is not JSON");
        if (!has_json) {
            json = as_text(content);
            has_json = true;
        } else if (type == chunk_bin && chunk_.data() == nullptr) {
            chunk_ = content;
        }
        at += size;
    }
    if (!has_json) sinew::fail(file_, "there is no JSON chunk");
    return json;
}

void Document::parse(std::string_view json, bool binary) {
    if (nesting_depth(json) > max_depth)
        sinew::fail(file_, "the JSON is nested deeper than {} levels", max_depth);
    try {
        tree_ = Tree::parse(json);
    } catch (const Tree::parse_error& error) {
        const std::size_t byte = std::min(json.size(), error.byte > 0 ? error.byte - 1 : 0);
        if (binary) sinew::fail(file_, "the JSON chunk is broken at its byte {}", byte);
        const auto line =
            1 + std::count(json.begin(), json.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
        sinew::fail(fmt::format("{}:{}", file_, line), "this is neither GLB nor valid JSON");
    } catch (const Tree::exception& error) {
        sinew::fail(file_, "the JSON is broken: {}", error.what());
    }
    if (!tree_.is_object()) sinew::fail(file_, "the JSON is not an object");
}

void Document::check_header() const {
    const Cursor asset = root().at("asset");
    const std::string version = asset.text("version");
    const std::string least = asset.text("minVersion", version);
    if (!version.starts_with("2.") || !least.starts_with("2.")) {
        asset.fail("glTF {} is not supported, only 2.x", version.starts_with("2.") ? least : version);
    }
    for (const Cursor& name : root().list("extensionsRequired")) {
        if (!contains(supported_extensions, name.text()) && !contains(irrelevant_extensions, name.text())) {
            name.fail("the file requires the extension {}, which is not supported", name.text());
        }
    }
    for (const Cursor& name : root().list("extensionsUsed")) {
        if (contains(supported_extensions, name.text()) || contains(irrelevant_extensions, name.text()))
            continue;
        warn_once("gltf-extension", fmt::format("{}: the extension {} was ignored", file_, name.text()));
    }
}

void Document::open_buffers() {
    const std::size_t total = count("buffers");
    decoded_.reserve(total);
    for (std::size_t i = 0; i < total; ++i) {
        const Cursor buffer = item("buffers", i);
        const std::uint64_t length = buffer.at("byteLength").integer();
        Bytes content;
        if (const std::optional<Cursor> uri = buffer.find("uri")) {
            decoded_.emplace_back();
            content = load(*uri, decoded_.back(), maps_);
            if (decoded_.back().empty()) budget_ += budget_factor * content.size();
        } else {
            if (i != 0 || chunk_.data() == nullptr)
                buffer.fail("has no uri, and there is no binary chunk for it");
            content = chunk_;
        }
        if (length > content.size())
            buffer.fail("{} bytes are declared, {} are there", length, content.size());
        buffers_.push_back(content.first(static_cast<std::size_t>(length)));
    }
}

std::size_t Document::count(std::string_view array) const {
    const std::optional<Cursor> found = root().find(array);
    return found ? found->size() : 0;
}

int Document::reference(const Cursor& from, std::string_view key, std::string_view array) const {
    const std::optional<Cursor> found = from.find(key);
    return found ? reference(*found, array) : -1;
}

int Document::reference(const Cursor& index, std::string_view array) const {
    const std::uint64_t value = index.integer(), total = count(array);
    if (value >= total) index.fail("names element {} of {}, which has {}", value, array, total);
    return static_cast<int>(value);
}

Bytes Document::view(std::size_t index) const {
    const Cursor view = item("bufferViews", index);
    const auto buffer = static_cast<std::size_t>(reference(view.at("buffer"), "buffers"));
    const std::uint64_t offset = view.integer("byteOffset", 0), length = view.at("byteLength").integer();
    const Bytes content = buffers_[buffer];
    if (offset > content.size() || length > content.size() - offset) {
        view.fail("{} bytes from byte {} do not fit buffer {} of {} bytes", length, offset, buffer,
                  content.size());
    }
    return content.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

Bytes Document::load(const Cursor& uri, std::vector<std::byte>& storage, std::vector<FileView>& maps) const {
    const std::string& text = uri.text();
    if (text.starts_with("data:")) {
        const std::optional<DataUri> data = split_data_uri(text);
        if (!data || !data->base64) uri.fail("only base64 data can be read here");
        std::optional<std::vector<std::byte>> bytes = decode_base64(data->payload);
        if (!bytes) uri.fail("the base64 data holds a character that does not belong there");
        storage = *std::move(bytes);
        return storage;
    }
    const std::filesystem::path name = decode_percent(text);
    if (text.empty() || name.is_absolute() || text.find("://") != std::string::npos) {
        uri.fail("\"{}\" is not a file beside this one", text.substr(0, 80));
    }
    maps.emplace_back(folder_ / name);
    return maps.back().bytes();
}

void Document::charge(std::uint64_t bytes, const Cursor& place) const {
    if (bytes > budget_) place.fail("asks for far more memory than the file is large");
    budget_ -= bytes;
}

void Document::warn_once(std::string_view code, const std::string& text) const {
    if (warned_.insert(text).second) monitor_.warn({std::string(code), text});
}

}  // namespace sinew::io::gltf
