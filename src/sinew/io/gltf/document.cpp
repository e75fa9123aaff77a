// SPDX-License-Identifier: MIT

#include "sinew/io/gltf/document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <Eigen/Core>

#include "sinew/base/text.h"
#include "sinew/io/interchange.h"

namespace sinew::io::gltf {
namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::string decode_percent(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (low < 0) {
            result += text[i];
        } else {
            result += static_cast<char>(high * 16 + low);
            i += 2;
        }
    }
    return result;
}

std::optional<DataUri> split_data_uri(std::string_view uri) {
    if (!uri.starts_with("data:")) return std::nullopt;
    const std::size_t comma = uri.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const std::string_view head = uri.substr(5, comma - 5);
    DataUri result;
    result.mime_type = head.substr(0, head.find(';'));
    result.payload = uri.substr(comma + 1);
    result.base64 = head.ends_with(";base64");
    return result;
}

namespace {

constexpr std::uint32_t magic_glb = 0x46546C67;   // "glTF"
constexpr std::uint32_t chunk_json = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t chunk_bin = 0x004E4942;   // "BIN"
constexpr std::size_t header_size = 12;
constexpr int max_depth = 64;

/// Limit of allocated bytes: a constant for every file, plus a multiple of the file size. The constant is
/// enough for a small mesh that a scene uses a thousand times.
constexpr std::uint64_t base_budget = 256u << 20;
constexpr std::uint64_t budget_factor = 64;

/// Extensions that need no special support in this reader, and those that it reads.
constexpr std::array<std::string_view, 3> supported_extensions = {"KHR_mesh_quantization", "VRM", "VRMC_vrm"};
/// Extensions for content that is not read.
constexpr std::array<std::string_view, 1> irrelevant_extensions = {"KHR_lights_punctual"};

/// Extensions for appearance, as prefixes of their names: the model is complete without them.
constexpr std::array<std::string_view, 12> looks = {
    "KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_", "KHR_lights_", "EXT_lights_",
    "KHR_node_",      "KHR_xmp",      "VRMC_",        "EXT_materials", "ADOBE_",      "KHR_techniques_webgl"};

/// Extensions that compress the data of a mesh, with the remedy for the user.
struct Packing {
    std::string_view extension;
    std::string_view advice;
};
constexpr std::array<Packing, 3> packings = {{
    {"KHR_draco_mesh_compression",
     "the meshes are packed by Draco, which is not read here: export the file again without compression; "
     "Blender, for example, reads it and writes it unpacked"},
    {"EXT_meshopt_compression",
     "the meshes are packed by meshoptimizer, which is not read here: make the file again without "
     "compression (gltfpack without -c and -cc)"},
    {"KHR_meshopt_compression",
     "the meshes are packed by meshoptimizer, which is not read here: make the file again without "
     "compression (gltfpack without -c and -cc)"},
}};

std::uint32_t load_u32(Bytes bytes, std::size_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// Nesting depth of brackets outside strings. The parser is not recursive, but code that walks the tree may
/// be.
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

bool is_about_looks(std::string_view name) {
    return std::ranges::any_of(looks, [&](std::string_view start) { return name.starts_with(start); });
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Document::Document(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                   Monitor& monitor)
    : file_(path.filename().string()), companions_(companions_of(path, options)), monitor_(monitor) {
    budget_ = base_budget + budget_factor * bytes.size();
    const bool binary = bytes.size() >= 4 && load_u32(bytes, 0) == magic_glb;
    std::string storage;
    parse(binary ? open_container(bytes) : as_utf8(as_text(bytes), storage), binary);
    check_header();
    open_buffers();
}

std::string_view Document::open_container(Bytes bytes) {
    if (bytes.size() < header_size)
        sinew::fail(file_, "the GLB header is truncated: {} bytes of 12", bytes.size());
    const std::uint32_t version = load_u32(bytes, 4), length = load_u32(bytes, 8);
    if (version != 2) sinew::fail(file_, "GLB version {} is not supported, only 2", version);
    if (length > bytes.size()) {
        sinew::fail(file_, "the file is truncated: {} bytes of {}", bytes.size(), length);
    }
    if (length < bytes.size()) {
        warn(monitor_, "gltf-extra-bytes", "{}: {} bytes after the end were ignored", file_,
             bytes.size() - length);
    }
    std::string_view json;
    bool has_json = false;
    for (std::size_t at = header_size; at < length;) {
        if (length - at < 8) sinew::fail(file_, "the header of the chunk at byte {} is truncated", at);
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
    const std::string smallest = asset.text("minVersion", version);
    if (!version.starts_with("2.") || !smallest.starts_with("2.")) {
        asset.fail("glTF {} is not supported, only 2.x", version.starts_with("2.") ? smallest : version);
    }
    for (const Cursor& name : root().list("extensionsRequired")) {
        const std::string& extension = name.text();
        for (const Packing& packing : packings) {
            if (extension == packing.extension) name.fail("{} ({})", packing.advice, extension);
        }
        if (!contains(supported_extensions, extension) && !contains(irrelevant_extensions, extension) &&
            !is_about_looks(extension)) {
            name.fail("the file requires the extension {}, which is not supported", extension);
        }
    }
    for (const Cursor& name : root().list("extensionsUsed")) {
        if (contains(supported_extensions, name.text()) || contains(irrelevant_extensions, name.text()))
            continue;
        warn_once("gltf-extension",
                  fmt::format("{}: the extension {} was ignored{}", file_, name.text(),
                              is_about_looks(name.text()) ? ": it changes only how the model looks" : ""));
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
        if (!data) uri.fail("the data: uri has no comma before its data");
        if (!data->base64) {
            const std::string plain = decode_percent(data->payload);
            storage.assign(as_bytes(plain).begin(), as_bytes(plain).end());
            return storage;
        }
        std::optional<std::vector<std::byte>> bytes = decode_base64(data->payload);
        if (!bytes) uri.fail("the base64 data holds a character that does not belong there");
        storage = *std::move(bytes);
        return storage;
    }
    const std::filesystem::path name = decode_percent(text);
    if (text.empty() || text.find("://") != std::string::npos) {
        uri.fail("\"{}\" is not a file beside this one", text.substr(0, 80));
    }
    const std::filesystem::path file = companions_.root / name;
    if (!companions_.may_hold(file)) {
        const std::string said =
            fmt::format("\"{}\" lies outside the folder of the file and was not read", text.substr(0, 80));
        warn_once("outside-folder", fmt::format("{}: {}", uri.location(), said));
        uri.fail("{}", said);
    }
    maps.emplace_back(file);
    return maps.back().bytes();
}

void Document::charge(std::uint64_t bytes, const Cursor& slot) const {
    if (bytes > budget_) slot.fail("asks for much more memory than the size of the file");
    budget_ -= bytes;
}

void Document::warn_once(std::string_view code, const std::string& text) const {
    if (warned_.insert(text).second) monitor_.warn({std::string(code), text});
}

namespace {

std::size_t components_of(const Cursor& type) {
    const std::string& name = type.text();
    if (name == "SCALAR") return 1;
    if (name == "VEC2") return 2;
    if (name == "VEC3") return 3;
    if (name == "VEC4" || name == "MAT2") return 4;
    if (name == "MAT3") return 9;
    if (name == "MAT4") return 16;
    type.fail("\"{}\" is not an accessor type", name);
}

Component component_of(const Cursor& value) {
    const std::uint64_t code = value.integer();
    if (code < 5120 || code > 5126 || code == 5124) value.fail("{} is not a component type", code);
    return static_cast<Component>(code);
}

/// `count` elements from `offset` on, at distances of `stride` bytes.
Bytes array_in_view(const Document& document, const Cursor& from, std::size_t count, std::size_t element,
                    std::size_t stride) {
    const auto index = static_cast<std::size_t>(document.reference(from.at("bufferView"), "bufferViews"));
    const Bytes view = document.view(index);
    const std::uint64_t offset = from.integer("byteOffset", 0);
    if (count == 0) return {};
    // No overflow on either side: every factor was compared with the size of the view first.
    const bool fits = offset <= view.size() && element <= view.size() - offset &&
                      (count - 1) <= (view.size() - offset - element) / stride;
    if (!fits) {
        from.fail("{} elements of {} bytes do not fit bufferView {} of {} bytes", count, element, index,
                  view.size());
    }
    return view.subspan(static_cast<std::size_t>(offset), (count - 1) * stride + element);
}

void open_sparse(const Document& document, Accessor& accessor) {
    const std::optional<Cursor> sparse = accessor.where.find("sparse");
    if (!sparse) return;
    const std::uint64_t count = sparse->at("count").integer();
    if (count > accessor.count) sparse->fail("{} of {} elements are replaced", count, accessor.count);
    accessor.sparse.count = static_cast<std::size_t>(count);
    const Cursor indices = sparse->at("indices");
    accessor.sparse.index_component = component_of(indices.at("componentType"));
    const std::size_t size = size_of(accessor.sparse.index_component);
    accessor.sparse.indices = array_in_view(document, indices, accessor.sparse.count, size, size);
    accessor.sparse.values = array_in_view(document, sparse->at("values"), accessor.sparse.count,
                                           accessor.element_size(), accessor.element_size());
}

/// Value of a component as float, by the rules of KHR_mesh_quantization and the core specification (3.6.2.2).
template <class Stored>
float to_float(Stored value, bool normalized) {
    if constexpr (std::is_floating_point_v<Stored>) {
        return value;
    } else {
        const auto number = static_cast<float>(value);
        if (!normalized) return number;
        return std::max(number / static_cast<float>(std::numeric_limits<Stored>::max()), -1.0f);
    }
}

template <class Stored, class Out>
void convert_elements(const std::byte* from, std::size_t count, std::size_t components, std::size_t stride,
                      bool normalized, Out* out) {
    for (std::size_t i = 0; i < count; ++i, from += stride) {
        for (std::size_t c = 0; c < components; ++c) {
            Stored value;
            std::memcpy(&value, from + c * sizeof value, sizeof value);
            if constexpr (std::is_same_v<Out, float>) {
                *out++ = to_float(value, normalized);
            } else {
                *out++ = static_cast<Out>(value);
            }
        }
    }
}

/// Calls `use` with a value of the C++ type of a component.
template <class Use>
void with_type(Component component, const Use& use) {
    switch (component) {
        case Component::i8:
            return use(std::int8_t{});
        case Component::u8:
            return use(std::uint8_t{});
        case Component::i16:
            return use(std::int16_t{});
        case Component::u16:
            return use(std::uint16_t{});
        case Component::u32:
            return use(std::uint32_t{});
        case Component::f32:
            return use(float{});
    }
}

template <class Out>
void decode(const Accessor& accessor, Bytes data, std::size_t count, std::size_t stride, Out* out) {
    constexpr Component same = std::is_same_v<Out, float> ? Component::f32 : Component::u32;
    if (accessor.component == same && stride == accessor.element_size()) {
        if (count > 0) std::memcpy(out, data.data(), count * stride);
        return;
    }
    // Elements without gaps form one long list of components.
    const bool tight = stride == accessor.element_size();
    const std::size_t runs = tight ? count * accessor.components : count;
    const std::size_t length = tight ? 1 : accessor.components;
    const std::size_t step = tight ? size_of(accessor.component) : stride;
    with_type(accessor.component, [&](auto type) {
        if constexpr (std::is_same_v<Out, float> || std::is_unsigned_v<decltype(type)>) {
            convert_elements<decltype(type)>(data.data(), runs, length, step, accessor.normalized, out);
        }
    });
}

template <class Out>
void apply_sparse(const Accessor& accessor, Out* out) {
    const Accessor::Sparse& sparse = accessor.sparse;
    if (sparse.count == 0) return;
    std::vector<std::uint32_t> indices(sparse.count);
    with_type(sparse.index_component, [&](auto type) {
        using Stored = decltype(type);
        if constexpr (std::is_unsigned_v<Stored>) {
            convert_elements<Stored>(sparse.indices.data(), sparse.count, 1, sizeof(Stored), false,
                                     indices.data());
        } else {
            accessor.where.fail("sparse indices must be unsigned integers");
        }
    });
    std::vector<Out> values(sparse.count * accessor.components);
    decode(accessor, sparse.values, sparse.count, accessor.element_size(), values.data());
    for (std::size_t i = 0; i < sparse.count; ++i) {
        if (indices[i] >= accessor.count) {
            accessor.where.fail("sparse index {} of {} elements", indices[i], accessor.count);
        }
        std::copy_n(values.data() + i * accessor.components, accessor.components,
                    out + indices[i] * accessor.components);
    }
}

template <class Out>
void read(const Accessor& accessor, std::span<Out> out) {
    if (accessor.data.empty()) {
        std::fill(out.begin(), out.end(), Out{});
    } else {
        decode(accessor, accessor.data, accessor.count, accessor.stride, out.data());
    }
    apply_sparse(accessor, out.data());
}

/// \throws Error naming the first element that is not finite; `first` is the index of the first element in
/// `values`.
void check_finite(const Accessor& accessor, std::span<const float> values, std::size_t first) {
    if (accessor.component != Component::f32 || all_finite(values)) return;
    const auto bad =
        std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
    accessor.where.fail("element {} is not a finite number",
                        first + static_cast<std::size_t>(bad - values.begin()) / accessor.components);
}

}  // namespace

std::size_t size_of(Component component) {
    switch (component) {
        case Component::i8:
        case Component::u8:
            return 1;
        case Component::i16:
        case Component::u16:
            return 2;
        default:
            return 4;
    }
}

Accessor open_accessor(const Document& document, std::size_t index,
                       std::initializer_list<std::string_view> types) {
    Accessor accessor{.where = document.item("accessors", index), .data = {}, .sparse = {}};
    const Cursor& where = accessor.where;
    const std::string type = where.at("type").text();
    if (std::find(types.begin(), types.end(), type) == types.end()) {
        where.fail("expected type {}, found {}", fmt::join(types, " or "), type.substr(0, 20));
    }
    accessor.components = components_of(where.at("type"));
    accessor.component = component_of(where.at("componentType"));
    accessor.normalized = where.boolean("normalized", false);
    const std::uint64_t count = where.at("count").integer();
    if (count > std::numeric_limits<std::uint32_t>::max()) where.fail("{} elements are too many", count);
    document.charge(count * accessor.components * sizeof(float), where);
    accessor.count = static_cast<std::size_t>(count);
    accessor.stride = accessor.element_size();
    if (const int view = document.reference(where, "bufferView", "bufferViews"); view >= 0) {
        const Cursor buffer_view = document.item("bufferViews", static_cast<std::size_t>(view));
        const std::uint64_t stride = buffer_view.integer("byteStride", accessor.stride);
        if (stride < accessor.stride || stride > 0xFFFF) {
            where.fail("elements of {} bytes do not fit a stride of {} bytes", accessor.stride, stride);
        }
        accessor.stride = static_cast<std::size_t>(stride);
        accessor.data =
            array_in_view(document, where, accessor.count, accessor.element_size(), accessor.stride);
    }
    open_sparse(document, accessor);
    return accessor;
}

Accessor slice(const Accessor& accessor, std::size_t first, std::size_t count) {
    Accessor part = accessor;
    part.count = count;
    if (!accessor.data.empty()) part.data = accessor.data.subspan(first * accessor.stride);
    return part;
}

void read_floats(const Accessor& accessor, std::span<float> out) {
    if (accessor.sparse.count > 0 || accessor.data.empty()) {
        read(accessor, out);
        return check_finite(accessor, out, 0);
    }
    // In blocks, so that the values are checked while they are in the cache.
    constexpr std::size_t run = 1024;
    for (std::size_t first = 0; first < accessor.count; first += run) {
        const std::size_t count = std::min(run, accessor.count - first);
        const std::span<float> part = out.subspan(first * accessor.components, count * accessor.components);
        decode(accessor, accessor.data.subspan(first * accessor.stride), count, accessor.stride, part.data());
        check_finite(accessor, part, first);
    }
}

std::vector<float> read_floats(const Accessor& accessor) {
    std::vector<float> values(accessor.count * accessor.components);
    read_floats(accessor, values);
    return values;
}

void read_integers(const Accessor& accessor, std::span<std::uint32_t> out) {
    const Component type = accessor.component;
    if (type != Component::u8 && type != Component::u16 && type != Component::u32) {
        accessor.where.fail("expected unsigned integers");
    }
    read(accessor, out);
}

std::vector<std::uint32_t> read_integers(const Accessor& accessor) {
    std::vector<std::uint32_t> values(accessor.count * accessor.components);
    read_integers(accessor, values);
    return values;
}

bool all_finite(std::span<const float> values) {
    // Zero times a finite number is zero; the result is NaN for any other number.
    const Eigen::Map<const Eigen::ArrayXf> map(values.data(), static_cast<Eigen::Index>(values.size()));
    return (map * 0.0f).sum() == 0.0f;
}

}  // namespace sinew::io::gltf
