#include "sinew/io/gltf/document.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <Eigen/Core>

namespace sinew::io::gltf {
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

/// Bytes from `offset` on for `count` elements, `stride` apart.
Bytes array_in_view(const Document& document, const Cursor& from, std::size_t count, std::size_t element,
                    std::size_t stride) {
    const auto index = static_cast<std::size_t>(document.reference(from.at("bufferView"), "bufferViews"));
    const Bytes view = document.view(index);
    const std::uint64_t offset = from.integer("byteOffset", 0);
    if (count == 0) return {};
    // Neither side can overflow: every factor was bounded by the size of the view first.
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
    // Elements without gaps are one long list of components.
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

/// \throws Error naming the first element that is not finite; `first` is the element that `values` start
/// with.
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
    // In runs, so that the values are checked while they are still in the cache.
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
    // Zero times a number is zero, unless the number is not finite.
    const Eigen::Map<const Eigen::ArrayXf> map(values.data(), static_cast<Eigen::Index>(values.size()));
    return (map * 0.0f).sum() == 0.0f;
}

}  // namespace sinew::io::gltf
