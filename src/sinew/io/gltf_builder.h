#pragma once
/// \file
/// A glTF file under construction: its JSON and its one buffer.

#include <span>
#include <string>
#include <string_view>

#include "sinew/base/file.h"
#include "sinew/base/report.h"
#include "sinew/io/gltf/document.h"

namespace sinew::io::gltf {

/// What a buffer view holds, for the GPU.
enum class ViewTarget { none = 0, vertices = 34962, indices = 34963 };

class Builder {
  public:
    Json root = Json::object();

    /// Starts a buffer view, aligned to 4 bytes; what is appended next belongs to it. `stride` 0 means tight.
    int begin_view(ViewTarget target, std::size_t stride = 0);
    /// Appends bytes to the open view and gives their offset in it; pads so that the next will be aligned
    /// too.
    std::size_t append(Bytes bytes);
    void end_view();

    template <class Value>
    std::size_t append(std::span<const Value> values) {
        return append(std::as_bytes(values));
    }
    /// A whole view at once.
    template <class Value>
    int add_view(std::span<const Value> values, ViewTarget target, std::size_t stride = 0) {
        const int view = begin_view(target, stride);
        append(values);
        end_view();
        return view;
    }

    int add_accessor(int view, std::size_t offset, Component component, std::size_t count,
                     std::string_view type);
    /// The smallest and largest value of each component, which the format wants for positions and key times.
    void set_bounds(int accessor, std::span<const float> values, std::size_t components);

    /// Adds an element to a top-level array and gives its index.
    int add(std::string_view array, Json element);
    std::size_t count(std::string_view array) const;

    /// The file, as GLB or as JSON with the buffer inside.
    std::string finish(bool binary, std::string_view place);

  private:
    std::string buffer_;
    std::size_t view_start_ = 0;
};

/// Adds `"name"` unless it is empty.
void set_name(Json& json, const std::string& name);

}  // namespace sinew::io::gltf
