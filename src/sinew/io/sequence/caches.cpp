// SPDX-License-Identifier: MIT

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/io/interchange.h"
#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/sequence/sequence.h"

namespace sinew::io {
namespace {

using math::Vec3f;

constexpr char magic[12] = "POINTCACHE2";
constexpr std::size_t pc2_header_bytes = 32;

/// The header after the magic word; all values are little-endian.
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
    if (bytes.size() < pc2_header_bytes) fail(name, "the header is truncated");
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
        warn(monitor, "pc2-rate", "{}: the sample rate {} is invalid: {} frames per second are assumed", name,
             header.sample_rate, scene_rate);
    }
    const std::size_t used = pc2_header_bytes + layout.frames * layout.points * sizeof(Vec3f);
    if (bytes.size() > used)
        warn(monitor, "pc2-trailing", "{}: {} bytes after the last frame were left out", name,
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
    return cached_sequence(read_point_cache(bytes, path, monitor), path, options, monitor);
}

namespace {

constexpr std::size_t mdd_header_bytes = 8;

std::uint32_t word_at(Bytes bytes, std::size_t slot) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) word = word << 8 | std::to_integer<std::uint32_t>(bytes[slot + i]);
    return word;
}

float number_at(Bytes bytes, std::size_t slot) {
    return std::bit_cast<float>(word_at(bytes, slot));
}

void append(std::string& content, std::uint32_t word) {
    for (const int shift : {24, 16, 8, 0}) content.push_back(static_cast<char>(word >> shift));
}

void append(std::string& content, float number) {
    append(content, std::bit_cast<std::uint32_t>(number));
}

/// Frames per second from the first and the last time, or the default if times do not increase.
double rate_of(Bytes bytes, std::size_t frames, const std::string& name, Monitor& monitor) {
    if (frames < 2) return scene_rate;
    const auto first = static_cast<double>(number_at(bytes, mdd_header_bytes));
    const auto last = static_cast<double>(number_at(bytes, mdd_header_bytes + 4 * (frames - 1)));
    const double rate = static_cast<double>(frames - 1) / (last - first);
    if (std::isfinite(rate) && rate > 0) return rate;
    warn(monitor, "mdd-rate", "{}: the times {} to {} are invalid: {} frames per second are assumed", name,
         first, last, scene_rate);
    return scene_rate;
}

}  // namespace

CacheLayout mdd_layout(Bytes bytes, const std::filesystem::path& path, Monitor& monitor) {
    const std::string name = path.string();
    if (bytes.size() < mdd_header_bytes) fail(name, "is not an MDD point cache: the header is truncated");
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
        warn(monitor, "mdd-trailing", "{}: {} bytes after the last frame were left out", name,
             bytes.size() - used);
    return layout;
}

PointCache read_mdd_cache(Bytes bytes, const std::filesystem::path& path, Monitor& monitor) {
    return whole_cache(bytes, mdd_layout(bytes, path, monitor), path.string(), monitor);
}

Asset read_mdd(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    return cached_sequence(read_mdd_cache(bytes, path, monitor), path, options, monitor);
}

namespace {

/// The bytes before the frames. \throws Error when the format cannot store this many.
std::string cache_header(const std::string& name, std::size_t points, std::size_t frames, double rate,
                         bool mdd) {
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
    if (points > most || frames > most)
        fail(name, "{} points in {} frames are more than a point cache can count", points, frames);
    std::string content;
    if (mdd) {
        append(content, static_cast<std::uint32_t>(frames));
        append(content, static_cast<std::uint32_t>(points));
        for (std::size_t f = 0; f < frames; ++f)
            append(content, static_cast<float>(static_cast<double>(f) / rate));
        return content;
    }
    Pc2Header header;
    header.points = static_cast<std::int32_t>(points);
    header.sample_rate = static_cast<float>(scene_rate / rate);
    header.samples = static_cast<std::int32_t>(frames);
    content.append(magic, sizeof(magic));
    content.append(reinterpret_cast<const char*>(&header), sizeof(header));
    return content;
}

void append_frame(std::string& content, std::span<const Vec3f> frame, bool big_endian) {
    const std::size_t start = content.size();
    content.append(reinterpret_cast<const char*>(frame.data()), frame.size_bytes());
    if (!big_endian) return;
    for (std::size_t at = start; at < content.size(); at += 4)
        std::reverse(content.begin() + static_cast<std::ptrdiff_t>(at),
                     content.begin() + static_cast<std::ptrdiff_t>(at + 4));
}

std::string write_cache(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                        bool mdd) {
    const model::MeshSequence& sequence = asset.sequence;
    if (sequence.empty())
        fail(path.string(), "{} files hold a mesh sequence, and there is none to write", mdd ? "MDD" : "PC2");
    const std::size_t points = sequence.rest.positions.size();
    std::string content = cache_header(path.string(), points, sequence.frames.size(),
                                       options.rate > 0 ? options.rate : sequence.rate, mdd);
    content.reserve(content.size() + sequence.frames.size() * points * sizeof(Vec3f));
    for (const std::vector<Vec3f>& frame : sequence.frames) append_frame(content, frame, mdd);
    return content;
}

}  // namespace

std::string write_pc2(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor&) {
    return write_cache(asset, path, options, false);
}

std::string write_mdd(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor&) {
    return write_cache(asset, path, options, true);
}

CacheWriter::CacheWriter(const std::filesystem::path& path, std::size_t points, std::size_t frames,
                         double rate)
    : file_(path), big_endian_(suffix(path) == "mdd") {
    file_.append(as_bytes(cache_header(path.string(), points, frames, rate, big_endian_)));
}

void CacheWriter::append(std::span<const Vec3f> frame) {
    buffer_.clear();
    append_frame(buffer_, frame, big_endian_);
    file_.append(as_bytes(buffer_));
}

struct CacheStream::File {
    std::string name;
    PartView view;
    CacheLayout layout;
    MeshFile rest;
};

CacheStream::CacheStream(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor)
    : file_(new File{path.string(), PartView(path), {}, {}}) {
    const Bytes bytes = file_->view.bytes();
    file_->layout =
        suffix(path) == "mdd" ? mdd_layout(bytes, path, monitor) : pc2_layout(bytes, path, monitor);
    const std::filesystem::path rest = rest_of_cache(path, options);
    file_->rest = read_rest(rest, options, monitor);
    check_points(file_->layout.points, file_->rest, path, rest);
}

CacheStream::~CacheStream() = default;

const geometry::Mesh& CacheStream::rest() const {
    return file_->rest.mesh;
}

double CacheStream::rate() const {
    return file_->layout.rate;
}

std::size_t CacheStream::size() const {
    return file_->layout.frames;
}

std::vector<Vec3f> CacheStream::frame(std::size_t number) const {
    std::vector<Vec3f> frame = cache_frame(file_->view.bytes(), file_->layout, number, file_->name);
    check_mapped_files();
    file_->view.release();
    if (frame.size() != file_->rest.mesh.positions.size()) add_splits(frame, file_->rest);
    return frame;
}

}  // namespace sinew::io
