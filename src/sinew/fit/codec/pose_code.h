// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Compact encoding of bone transformations over time: quaternion and position of the bone's centre, matrix,
/// or dual quaternion; in double or single precision, or quantised and coded as differences.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/fit/fit_file.h"

namespace sinew::fit {

class ByteWriter {
  public:
    template <class T>
    void put(T value) {
        static_assert(std::endian::native == std::endian::little && std::is_trivially_copyable_v<T>);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    }
    /// Variable-length integer with seven bits per byte and the sign in the lowest bit: small numbers take
    /// one byte.
    void put_small(std::int64_t value) {
        auto rest = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
        for (; rest >= 128; rest >>= 7) bytes_.push_back(static_cast<char>(rest | 128));
        bytes_.push_back(static_cast<char>(rest));
    }
    void append(std::string_view bytes) { bytes_.append(bytes); }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

/// Reads bytes; an error names the byte at which the file ends too early.
class ByteReader {
  public:
    /// `offset` is the position of these bytes in the file.
    ByteReader(Bytes bytes, std::string location, std::size_t offset = 0)
        : bytes_(bytes), location_(std::move(location)), offset_(offset) {}

    std::size_t left() const { return bytes_.size() - at_; }
    /// \throws Error unless `count` items of `each` bytes remain
    void need(std::uint64_t count, std::uint64_t each) const {
        if (each != 0 && count > left() / each) broken("the file is truncated");
    }
    template <class T>
    T get() {
        need(1, sizeof(T));
        T value;
        std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    std::int64_t get_small() {
        std::uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            const auto byte = get<std::uint8_t>();
            if (shift > 63) broken("a number is too long");
            value |= static_cast<std::uint64_t>(byte & 127) << shift;
            if (byte < 128) break;
        }
        return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
    }
    /// The next `size` bytes on their own.
    ByteReader part(std::size_t size) {
        need(size, 1);
        ByteReader inner(bytes_.subspan(at_, size), location_, offset_ + at_);
        at_ += size;
        return inner;
    }
    [[noreturn]] void broken(std::string_view reason) const {
        fail(fmt::format("{}: byte {}", location_, offset_ + at_), "{}", reason);
    }

  private:
    Bytes bytes_;
    std::string location_;
    std::size_t offset_ = 0;
    std::size_t at_ = 0;
};

struct PoseCode {
    FitPrecision precision = FitPrecision::single;
    int bits = 16;  ///< 4 to 24
};

/// Representation of a bone's transformation and its number of values.
enum class PoseKind : std::uint8_t {
    matrix,      ///< 12: linear part, then the image of the bone's centre
    rigid,       ///< 7: unit quaternion, image of the centre
    dual,        ///< 8: dual quaternion of any length, about the centre
    dual_rigid,  ///< 7: the same for unit dual quaternions, whose relative signs matter
    rotation,    ///< 4: quaternion alone, of normals
    linear,      ///< 9: linear part alone, of normals
};
int numbers_of(PoseKind kind);

/// The representation for the poses of a fit.
PoseKind pose_kind(const FitResult& fit, const std::vector<BonePose>& poses, bool normals);

void write_poses(const std::vector<BonePose>& poses, const std::vector<Vec3d>& centers, PoseKind kind,
                 const PoseCode& code, ByteWriter& out);
std::vector<BonePose> read_poses(std::size_t frames, const std::vector<Vec3d>& centers, PoseKind kind,
                                 const PoseCode& code, ByteReader& in);

}  // namespace sinew::fit
