#pragma once
/// \file
/// Floats that start on a cache line, for SIMD.

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace sinew::deform {

/// A fixed number of floats, zero at first, aligned to 64 bytes. Copies are deep.
class AlignedFloats {
  public:
    AlignedFloats() = default;
    explicit AlignedFloats(std::size_t count) : size_(count) {
        if (count == 0) return;
        const std::size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
        data_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
        if (!data_) throw std::bad_alloc();
        std::memset(data_.get(), 0, bytes);
    }
    AlignedFloats(const AlignedFloats& other) : AlignedFloats(other.size_) {
        if (size_ > 0) std::memcpy(data_.get(), other.data_.get(), size_ * sizeof(float));
    }
    AlignedFloats(AlignedFloats&&) noexcept = default;
    AlignedFloats& operator=(AlignedFloats other) noexcept {
        data_.swap(other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~AlignedFloats() = default;

    std::size_t size() const { return size_; }
    float* data() { return data_.get(); }
    const float* data() const { return data_.get(); }
    float& operator[](std::size_t i) { return data_.get()[i]; }
    const float& operator[](std::size_t i) const { return data_.get()[i]; }

  private:
    struct Free {
        void operator()(float* p) const { std::free(p); }
    };
    std::unique_ptr<float, Free> data_;
    std::size_t size_ = 0;
};

}  // namespace sinew::deform
