#include "sinew/io/ply_faces.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {
namespace {

using geometry::Triangle;
using geometry::Vec3f;

template <class Source>
class FaceReader {
  public:
    FaceReader(Source& source, const PlyElement& element, std::span<const Vec3f> shape,
               std::vector<Triangle>& triangles)
        : source_(source),
          element_(element),
          shape_(shape),
          triangles_(triangles),
          strips_(element.name == "tristrips") {
        list_ = element.find({"vertex_indices", "vertex_index"});
        if (list_ >= 0 && !property(list_).is_list()) list_ = -1;
        if (list_ < 0) fail(source.place(), "the faces have no list \"vertex_indices\"");
    }

    void run(const std::string& name, Monitor& monitor) {
        std::uint64_t row = 0;
        if constexpr (std::is_same_v<Source, PlyBinarySource<false>>) row = read_plain_triangles();
        for (; row < element_.count; ++row) read_row(row);
        const auto tell = [&](std::size_t count, std::string_view code, std::string_view what) {
            if (count > 0) warn(monitor, code, "{}: {} {}", name, count, what);
        };
        tell(short_, "ply-short-faces", "faces with fewer than three corners were left out");
        tell(fans_, "ply-large-polygons", "large polygons that are not convex were cut as fans");
        tell(element_.find({"texcoord"}) >= 0 ? element_.count : 0, "ply-wedge-uvs",
             "faces have texture coordinates of their own, which were left out");
    }

  private:
    const PlyProperty& property(int i) const { return element_.properties[static_cast<std::size_t>(i)]; }

    /// The common case at full speed: rows that are nothing but a byte 3 and three 32-bit indices. Returns
    /// the number of rows before the first that is something else.
    std::uint64_t read_plain_triangles() {
        const bool plain = !strips_ && element_.properties.size() == 1 &&
                           size_of(*property(list_).count_type) == 1 && size_of(property(list_).type) == 4 &&
                           !is_float(property(list_).type);
        if (!plain) return 0;
        const std::string_view rows = source_.rest();
        const std::size_t count = std::min<std::uint64_t>(element_.count, rows.size() / stride);
        triangles_.reserve(triangles_.size() + count);
        std::size_t row = 0;
        while (row < count) {
            const std::size_t taken = take_block(rows.data() + row * stride, std::min(block, count - row),
                                                 rows.size() - row * stride);
            row += taken;
            if (taken == 0) break;
        }
        source_.advance(row * stride);
        return row;
    }

    static constexpr std::size_t stride = 13;
    static constexpr std::size_t block = 512;

    /// Four indices at once: GCC's and Clang's portable vectors.
    using Four = std::uint32_t __attribute__((vector_size(16)));

    /// Appends a block of triangles when all of them are good ones, and returns how many that are. One test
    /// for the whole block keeps the loop free of branches; a bad block is left to the careful way. A row is
    /// moved as 16 bytes, 4 of which belong to the next: `readable` says how many bytes there are.
    std::size_t take_block(const char* at, std::size_t count, std::size_t readable) {
        if (readable < count * stride + 4) --count;  // the last row of the file has no next one
        std::array<Triangle, block + 1> triangles;
        Four largest = {};
        int other_counts = 0;
        for (std::size_t i = 0; i < count; ++i, at += stride) {
            Four indices;
            std::memcpy(&indices, at + 1, 16);
            std::memcpy(triangles.data() + i, &indices, 16);
            largest = indices > largest ? indices : largest;
            other_counts |= *at ^ 3;
        }
        const std::uint32_t most = std::max({largest[0], largest[1], largest[2]});
        if (count == 0 || other_counts != 0 || most >= shape_.size()) return 0;
        triangles_.insert(triangles_.end(), triangles.begin(),
                          triangles.begin() + static_cast<std::ptrdiff_t>(count));
        return count;
    }

    void read_row(std::uint64_t row) {
        for (int i = 0; i < static_cast<int>(element_.properties.size()); ++i) {
            const std::int64_t count = property(i).is_list() ? source_.integer(*property(i).count_type) : 1;
            if (count < 0) fail(source_.place(), "face {} has a list of {} items", row, count);
            const auto items = static_cast<std::size_t>(count);
            if (items > source_.bytes_left() / Source::least_bytes(property(i).type, 1)) {
                fail(source_.place(), "face {} announces {} items, more than the file holds", row, items);
            }
            i == list_ ? read_indices(items, row) : source_.skip(property(i).type, items);
        }
        strips_ ? cut_strip() : cut_polygon();
    }

    void read_indices(std::size_t count, std::uint64_t row) {
        corners_.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t index = source_.integer(property(list_).type);
            const bool restart = strips_ && index == -1;
            if (!restart && (index < 0 || index >= static_cast<std::int64_t>(shape_.size()))) {
                fail(source_.place(), "face {} names vertex {} of {}", row, index, shape_.size());
            }
            corners_.push_back(static_cast<std::uint32_t>(index));
        }
    }

    void cut_polygon() {
        if (corners_.size() == 3) {
            triangles_.push_back({corners_[0], corners_[1], corners_[2]});
        } else if (corners_.size() < 3) {
            ++short_;
        } else if (!triangulate(corners_, shape_, triangles_)) {
            ++fans_;
        }
    }

    /// Every corner from the third on makes a triangle with the two before it, with every second one turned
    /// round; -1 starts afresh. Triangles with equal corners only join strips and are left out.
    void cut_strip() {
        std::size_t start = 0;
        for (std::size_t i = 0; i < corners_.size(); ++i) {
            if (corners_[i] == static_cast<std::uint32_t>(-1)) start = i + 1;
            if (i < start + 2) continue;
            const bool turned = (i - start) % 2 == 1;
            const Triangle t = {corners_[turned ? i - 1 : i - 2], corners_[turned ? i - 2 : i - 1],
                                corners_[i]};
            if (t[0] != t[1] && t[1] != t[2] && t[0] != t[2]) triangles_.push_back(t);
        }
    }

    Source& source_;
    const PlyElement& element_;
    std::span<const Vec3f> shape_;
    std::vector<Triangle>& triangles_;
    bool strips_;
    int list_ = -1;
    std::vector<std::uint32_t> corners_;
    std::size_t short_ = 0;
    std::size_t fans_ = 0;
};

}  // namespace

template <class Source>
void read_ply_faces(Source& source, const PlyElement& element, std::span<const Vec3f> shape,
                    std::vector<Triangle>& triangles, const std::string& name, Monitor& monitor) {
    FaceReader<Source>(source, element, shape, triangles).run(name, monitor);
}

template void read_ply_faces(PlyTextSource&, const PlyElement&, std::span<const Vec3f>,
                             std::vector<Triangle>&, const std::string&, Monitor&);
template void read_ply_faces(PlyBinarySource<false>&, const PlyElement&, std::span<const Vec3f>,
                             std::vector<Triangle>&, const std::string&, Monitor&);
template void read_ply_faces(PlyBinarySource<true>&, const PlyElement&, std::span<const Vec3f>,
                             std::vector<Triangle>&, const std::string&, Monitor&);

}  // namespace sinew::io
