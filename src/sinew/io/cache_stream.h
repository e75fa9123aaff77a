#pragma once
/// \file
/// Point caches frame by frame, so that only what was asked for is in memory.

#include "sinew/base/file.h"
#include "sinew/io/sequence/sequence.h"

namespace sinew::io {

/// A PC2 or MDD cache with the mesh it moves. Use it from one thread at a time.
class CacheStream {
  public:
    /// \throws Error as reading the whole cache does.
    CacheStream(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

    const geometry::Mesh& rest() const { return rest_.mesh; }
    double rate() const { return layout_.rate; }
    std::size_t size() const { return layout_.frames; }
    /// \throws Error naming the byte, the frame and the vertex of a position that is not finite.
    std::vector<geometry::Vec3f> frame(std::size_t number) const;

  private:
    std::string name_;
    PartView view_;
    CacheLayout layout_;
    MeshFile rest_;
};

}  // namespace sinew::io
