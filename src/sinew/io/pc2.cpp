#include "sinew/io/sequence/sequence.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "sinew/base/error.h"
#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {
namespace {

using geometry::Vec3f;

constexpr char magic[12] = "POINTCACHE2";
constexpr std::size_t pc2_header_bytes = 32;

/// Behind the magic word; all little-endian.
struct Pc2Header {
    std::int32_t version = 1;
    std::int32_t points = 0;
    float start = 0;        ///< frame of the first sample
    float sample_rate = 1;  ///< scene frames from one sample to the next
    std::int32_t samples = 0;
};
static_assert(sizeof(Pc2Header) == pc2_header_bytes - sizeof(magic));

Pc2Header read_header(Bytes bytes, const std::string& name) {
    const std::string_view text = as_text(bytes);
    if (!text.starts_with(std::string_view(magic, sizeof(magic)))) fail(name, "is not a PC2 point cache");
    if (bytes.size() < pc2_header_bytes) fail(name, "the header is cut off");
    Pc2Header header;
    std::memcpy(&header, bytes.data() + sizeof(magic), sizeof(header));
    if (header.version != 1) fail(name, "version {} of PC2 is not supported", header.version);
    if (header.points <= 0 || header.samples <= 0) {
        fail(name, "holds no motion: {} points, {} frames", header.points, header.samples);
    }
    const auto frame_bytes = static_cast<std::uint64_t>(header.points) * sizeof(Vec3f);
    check_count(static_cast<std::uint64_t>(header.samples), frame_bytes, bytes.size() - pc2_header_bytes,
                fmt::format("frames of {} points", header.points), name);
    return header;
}

}  // namespace

CacheLayout pc2_layout(Bytes bytes, const std::filesystem::path& path, Monitor& monitor) {
    const std::string name = path.string();
    const Pc2Header header = read_header(bytes, name);
    CacheLayout layout;
    layout.points = static_cast<std::size_t>(header.points);
    layout.frames = static_cast<std::size_t>(header.samples);
    layout.first_byte = pc2_header_bytes;
    if (std::isfinite(header.sample_rate) && header.sample_rate > 0) {
        layout.rate = scene_rate / static_cast<double>(header.sample_rate);
    } else {
        warn(monitor, "pc2-rate", "{}: the sample rate {} makes no sense: {} frames a second assumed", name,
             header.sample_rate, scene_rate);
    }
    const std::size_t used = pc2_header_bytes + layout.frames * layout.points * sizeof(Vec3f);
    if (bytes.size() > used)
        warn(monitor, "pc2-trailing", "{}: {} bytes behind the last frame were left out", name,
             bytes.size() - used);
    return layout;
}

std::vector<Vec3f> cache_frame(Bytes bytes, const CacheLayout& layout, std::size_t number,
                               const std::string& name) {
    const std::size_t start = layout.first_byte + number * layout.points * sizeof(Vec3f);
    std::vector<Vec3f> frame(layout.points);
    std::memcpy(static_cast<void*>(frame.data()), bytes.data() + start, layout.points * sizeof(Vec3f));
    if (layout.big_endian) {
        for (Vec3f& p : frame) {
            for (int c = 0; c < 3; ++c)
                p(c) = std::bit_cast<float>(__builtin_bswap32(std::bit_cast<std::uint32_t>(p(c))));
        }
    }
    for (std::size_t v = 0; v < frame.size(); ++v) {
        if (frame[v].allFinite()) continue;
        fail(fmt::format("{}: byte {}", name, start + v * sizeof(Vec3f)),
             "frame {}, vertex {}: the position is not finite", number, v);
    }
    return frame;
}

PointCache whole_cache(Bytes bytes, const CacheLayout& layout, const std::string& name, Monitor& monitor) {
    PointCache cache;
    cache.points = layout.points;
    cache.rate = layout.rate;
    for (std::size_t f = 0; f < layout.frames; ++f) {
        step(monitor, "reading", static_cast<double>(f) / static_cast<double>(layout.frames));
        cache.frames.push_back(cache_frame(bytes, layout, f, name));
    }
    return cache;
}

PointCache read_point_cache(Bytes bytes, const std::filesystem::path& path, Monitor& monitor) {
    return whole_cache(bytes, pc2_layout(bytes, path, monitor), path.string(), monitor);
}

Asset read_pc2(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const std::filesystem::path rest = rest_of_cache(path, options);
    return cached_sequence(read_point_cache(bytes, path, monitor), path, rest, monitor);
}

std::string write_pc2(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor) {
    const model::MeshSequence& sequence = asset.sequence;
    if (sequence.empty()) fail(path.string(), "PC2 files hold a mesh sequence, and there is none to write");
    (void)monitor;
    const double rate = options.rate > 0 ? options.rate : sequence.rate;
    Pc2Header header;
    header.points = static_cast<std::int32_t>(sequence.rest.positions.size());
    header.sample_rate = static_cast<float>(scene_rate / rate);
    header.samples = static_cast<std::int32_t>(sequence.frames.size());
    std::string content;
    content.reserve(pc2_header_bytes +
                    sequence.frames.size() * sequence.rest.positions.size() * sizeof(Vec3f));
    content.append(magic, sizeof(magic));
    content.append(reinterpret_cast<const char*>(&header), sizeof(header));
    for (const std::vector<Vec3f>& frame : sequence.frames) {
        content.append(reinterpret_cast<const char*>(frame.data()), frame.size() * sizeof(Vec3f));
    }
    return content;
}

}  // namespace sinew::io
