#pragma once
/// \file
/// Accessors: typed arrays in buffers, checked against the bytes that are there before anything is allocated.

#include <cstdint>
#include <initializer_list>
#include <span>

#include "sinew/io/gltf/document.h"

namespace sinew::io::gltf {

enum class Component : std::uint16_t { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

std::size_t size_of(Component component);

/// An array that is known to lie within its buffer.
struct Accessor {
    Cursor where;
    std::size_t count = 0;
    std::size_t components = 1;  ///< 1 to 4, or 16 for a matrix
    Component component = Component::f32;
    bool normalized = false;
    std::size_t stride = 0;
    Bytes data;  ///< from the first element on; empty means all zeros

    /// Elements that replace those of `data`.
    struct Sparse {
        std::size_t count = 0;
        Component index_component = Component::u32;
        Bytes indices;
        Bytes values;
    } sparse;

    std::size_t element_size() const { return components * size_of(component); }
    bool tight() const { return !data.empty() && stride == element_size(); }
};

/// Opens an accessor of one of the given types ("VEC3", ...) and charges the document for its decoded values.
/// \throws Error when it does not fit its buffer view, or has another type.
Accessor open_accessor(const Document& document, std::size_t index,
                       std::initializer_list<std::string_view> types);

/// Elements [first, first + count) of an accessor that has no sparse part.
Accessor slice(const Accessor& accessor, std::size_t first, std::size_t count);

/// Decodes to `count * components` floats; normalised integers become [0, 1] or [-1, 1].
/// \throws Error naming the element when a value is not finite.
void read_floats(const Accessor& accessor, std::span<float> out);
std::vector<float> read_floats(const Accessor& accessor);
/// Decodes `count * components` integers. \throws Error when the accessor holds floats or signed numbers.
void read_integers(const Accessor& accessor, std::span<std::uint32_t> out);
std::vector<std::uint32_t> read_integers(const Accessor& accessor);

/// True when no value is NaN or infinite.
bool all_finite(std::span<const float> values);

}  // namespace sinew::io::gltf
