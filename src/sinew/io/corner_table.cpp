#include "sinew/io/mesh/mesh_file.h"

#include <algorithm>

namespace sinew::io {

CornerTable::CornerTable(std::size_t position_count, std::span<const geometry::Triangle> plain)
    : uses_(position_count, Use{unused, unused}), positions_(position_count) {
    for (const geometry::Triangle& triangle : plain) {
        for (const std::uint32_t corner : triangle) uses_[corner] = {none, none};
    }
}

std::uint32_t CornerTable::vertex(std::uint32_t position, std::int32_t uv, std::int32_t normal) {
    Use& first = uses_[position];
    const Use use{uv, normal};
    if (first == use) return position;
    if (first.uv == unused) {
        first = use;
        return position;
    }
    return split(position, use);
}

std::uint32_t CornerTable::split(std::uint32_t position, Use use) {
    if (sources_.size() * 2 >= buckets_.size()) grow();
    std::size_t place = bucket(position, use);
    for (; buckets_[place] != 0; place = (place + 1) & (buckets_.size() - 1)) {
        const std::size_t number = buckets_[place] - 1;
        if (sources_[number] == position && uses_[positions_ + number] == use) {
            return static_cast<std::uint32_t>(positions_ + number);
        }
    }
    sources_.push_back(position);
    uses_.push_back(use);
    buckets_[place] = static_cast<std::uint32_t>(sources_.size());
    return static_cast<std::uint32_t>(uses_.size() - 1);
}

std::size_t CornerTable::bucket(std::uint32_t position, Use use) const {
    std::uint64_t hash = position * 0x9E3779B97F4A7C15u;
    hash = (hash ^ static_cast<std::uint32_t>(use.uv)) * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ (hash >> 29) ^ static_cast<std::uint32_t>(use.normal)) * 0x9E3779B97F4A7C15u;
    return (hash >> 32) & (buckets_.size() - 1);
}

void CornerTable::grow() {
    buckets_.assign(std::max<std::size_t>(64, buckets_.size() * 2), 0);
    for (std::size_t number = 0; number < sources_.size(); ++number) {
        std::size_t place = bucket(sources_[number], uses_[positions_ + number]);
        while (buckets_[place] != 0) place = (place + 1) & (buckets_.size() - 1);
        buckets_[place] = static_cast<std::uint32_t>(number + 1);
    }
}

}  // namespace sinew::io
