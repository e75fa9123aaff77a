#pragma once
/// \file
/// Base64 and percent coding, as glTF uses them for data that is not in the binary chunk.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/file.h"

namespace sinew::io::gltf {

std::string encode_base64(Bytes bytes);
/// Nothing when a character does not belong there. Padding may be missing.
std::optional<std::vector<std::byte>> decode_base64(std::string_view text);

/// Replaces %XX by the byte it stands for; a lone percent sign stays.
std::string decode_percent(std::string_view text);

/// `data:image/png;base64,...` taken apart.
struct DataUri {
    std::string_view mime_type;
    std::string_view payload;
    bool base64 = false;
};
std::optional<DataUri> split_data_uri(std::string_view uri);

}  // namespace sinew::io::gltf
