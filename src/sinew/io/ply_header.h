#pragma once
/// \file
/// The header of a PLY file.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::io {

enum class PlyType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

constexpr std::size_t size_of(PlyType type) {
    constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[static_cast<std::size_t>(type)];
}
constexpr bool is_float(PlyType type) {
    return type >= PlyType::float32;
}

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::float32;    ///< of the value, or of the items of a list
    std::optional<PlyType> count_type;  ///< a list has one
    bool is_list() const { return count_type.has_value(); }
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;

    bool has_lists() const;
    /// Bytes of a binary row, with empty lists.
    std::size_t least_bytes() const;
    /// Place of a property by any of its names, or -1.
    int find(std::initializer_list<std::string_view> names) const;
    /// Offset of a property in a binary row without lists.
    std::size_t offset(int property) const;
};

enum class PlyEncoding { text, little, big };

struct PlyHeader {
    PlyEncoding encoding = PlyEncoding::text;
    std::vector<PlyElement> elements;
    std::string texture;   ///< of a "comment TextureFile" line
    std::size_t size = 0;  ///< bytes up to the data
};

/// \throws Error with the line of a statement that is not understood.
PlyHeader read_ply_header(std::string_view text, std::string_view name);

}  // namespace sinew::io
