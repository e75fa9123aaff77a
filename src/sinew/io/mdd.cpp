#include "sinew/io/sequence/sequence.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "sinew/base/error.h"
#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {
namespace {

using geometry::Vec3f;

constexpr std::size_t mdd_header_bytes = 8;

std::uint32_t word_at(Bytes bytes, std::size_t place) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) word = word << 8 | std::to_integer<std::uint32_t>(bytes[place + i]);
    return word;
}

float number_at(Bytes bytes, std::size_t place) {
    return std::bit_cast<float>(word_at(bytes, place));
}

void append(std::string& content, std::uint32_t word) {
    for (const int shift : {24, 16, 8, 0}) content.push_back(static_cast<char>(word >> shift));
}

void append(std::string& content, float number) {
    append(content, std::bit_cast<std::uint32_t>(number));
}

/// Frames a second from the first and the last time, or the usual number when times do not rise.
double rate_of(Bytes bytes, std::size_t frames, const std::string& name, Monitor& monitor) {
    if (frames < 2) return scene_rate;
    const auto first = static_cast<double>(number_at(bytes, mdd_header_bytes));
    const auto last = static_cast<double>(number_at(bytes, mdd_header_bytes + 4 * (frames - 1)));
    const double rate = static_cast<double>(frames - 1) / (last - first);
    if (std::isfinite(rate) && rate > 0) return rate;
    warn(monitor, "mdd-rate", "{}: the times {} to {} make no sense: {} frames a second assumed", name, first,
         last, scene_rate);
    return scene_rate;
}

}  // namespace

CacheLayout mdd_layout(Bytes bytes, const std::filesystem::path& path, Monitor& monitor) {
    const std::string name = path.string();
    if (bytes.size() < mdd_header_bytes) fail(name, "is not an MDD point cache: the header is cut off");
    CacheLayout layout;
    layout.frames = word_at(bytes, 0);
    layout.points = word_at(bytes, 4);
    layout.big_endian = true;
    if (layout.frames == 0 || layout.points == 0)
        fail(name, "holds no motion: {} points, {} frames", layout.points, layout.frames);
    check_count(layout.frames, 4 + std::uint64_t{layout.points} * sizeof(Vec3f),
                bytes.size() - mdd_header_bytes, fmt::format("frames of {} points", layout.points), name);
    layout.rate = rate_of(bytes, layout.frames, name, monitor);
    layout.first_byte = mdd_header_bytes + 4 * layout.frames;
    const std::size_t used = layout.first_byte + layout.frames * layout.points * sizeof(Vec3f);
    if (bytes.size() > used)
        warn(monitor, "mdd-trailing", "{}: {} bytes behind the last frame were left out", name,
             bytes.size() - used);
    return layout;
}

PointCache read_mdd_cache(Bytes bytes, const std::filesystem::path& path, Monitor& monitor) {
    return whole_cache(bytes, mdd_layout(bytes, path, monitor), path.string(), monitor);
}

Asset read_mdd(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const std::filesystem::path rest = rest_of_cache(path, options);
    return cached_sequence(read_mdd_cache(bytes, path, monitor), path, rest, monitor);
}

std::string write_mdd(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor) {
    const model::MeshSequence& sequence = asset.sequence;
    if (sequence.empty()) fail(path.string(), "MDD files hold a mesh sequence, and there is none to write");
    (void)monitor;
    const double rate = options.rate > 0 ? options.rate : sequence.rate;
    std::string content;
    content.reserve(mdd_header_bytes +
                    sequence.frames.size() * (4 + sequence.rest.positions.size() * sizeof(Vec3f)));
    append(content, static_cast<std::uint32_t>(sequence.frames.size()));
    append(content, static_cast<std::uint32_t>(sequence.rest.positions.size()));
    for (std::size_t f = 0; f < sequence.frames.size(); ++f)
        append(content, static_cast<float>(static_cast<double>(f) / rate));
    for (const std::vector<Vec3f>& frame : sequence.frames) {
        for (const Vec3f& p : frame) {
            for (int c = 0; c < 3; ++c) append(content, p(c));
        }
    }
    return content;
}

}  // namespace sinew::io
