#include "sinew/io/interchange.h"

#include <bit>

#include <fmt/format.h>

#include "sinew/base/error.h"

namespace sinew::io {
namespace {

void check(const NumberArray& array) {
    std::size_t count = 1;
    for (const std::size_t side : array.shape) {
        if (side != 0 && count > array.values.size() / side + 1) fail("", "an array's shape is too large");
        count *= side;
    }
    if (count != array.values.size())
        fail("", "an array of shape ({}) cannot hold {} numbers", fmt::join(array.shape, ", "),
             array.values.size());
}

}  // namespace

std::string encode_npy(const NumberArray& array) {
    static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");
    check(array);
    std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}{}), }}",
                                     fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
    // Magic, version, two bytes of length, header, line end: a multiple of 64, so that the data is aligned.
    constexpr std::size_t lead = 10;
    const std::size_t total = (lead + header.size() + 1 + 63) / 64 * 64;
    header.resize(total - lead - 1, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xffU);
    bytes += static_cast<char>(header.size() >> 8U);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(array.values.data()), array.values.size() * sizeof(float));
    return bytes;
}

std::string encode_csv(const NumberArray& array, std::string_view first, std::string_view second) {
    check(array);
    if (array.shape.size() < 2) fail("", "a table needs two axes, not {}", array.shape.size());
    const std::size_t rows = array.shape[0] * array.shape[1],
                      width = rows == 0 ? 0 : array.values.size() / rows;
    std::string text = fmt::format("{},{}", first, second);
    for (std::size_t c = 0; c < width; ++c) text += fmt::format(",v{}", c);
    text += '\n';
    for (std::size_t r = 0; r < rows; ++r) {
        text += fmt::format("{},{}", r / array.shape[1], r % array.shape[1]);
        for (std::size_t c = 0; c < width; ++c) text += fmt::format(",{}", array.values[r * width + c]);
        text += '\n';
    }
    return text;
}

}  // namespace sinew::io
