#include "sinew/io/interchange.h"

#include "sinew/io/sequence/sequence.h"

namespace sinew::io {

CacheStream::CacheStream(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor)
    : name_(path.string()), view_(path) {
    layout_ = suffix(path) == "mdd" ? mdd_layout(view_.bytes(), path, monitor)
                                    : pc2_layout(view_.bytes(), path, monitor);
    const std::filesystem::path rest = rest_of_cache(path, options);
    rest_ = read_rest(rest, monitor);
    check_points(layout_.points, rest_, path, rest);
}

std::vector<geometry::Vec3f> CacheStream::frame(std::size_t number) const {
    std::vector<geometry::Vec3f> frame = cache_frame(view_.bytes(), layout_, number, name_);
    view_.release();
    if (frame.size() != rest_.mesh.positions.size()) add_splits(frame, rest_);
    return frame;
}

}  // namespace sinew::io
