#pragma once
/// \file
/// Arrays of numbers for other programs: NumPy's .npy, or comma-separated text.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sinew::io {

/// Numbers in C order: the last index runs fastest.
struct NumberArray {
    std::vector<std::size_t> shape;
    std::vector<float> values;
};

/// The bytes of a .npy file, version 1.0, little-endian float32 ("<f4").
/// \throws Error when the shape does not hold as many numbers as there are.
std::string encode_npy(const NumberArray& array);

/// One line for each place of the first two axes, "frame,item,..." in the names given; the numbers of the
/// other axes follow as v0, v1, ... Numbers read back to the same bits.
/// \throws Error likewise, or when there are fewer than two axes.
std::string encode_csv(const NumberArray& array, std::string_view first, std::string_view second);

}  // namespace sinew::io
