// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A parsed glTF file: its JSON, and its buffers as spans without copies. Accessors are typed arrays in
/// buffers; their bounds are checked before anything is allocated.

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/base/file.h"
#include "sinew/base/monitor.h"
#include "sinew/io/interchange.h"

namespace sinew::io::gltf {

using Cursor = JsonCursor;
using Tree = JsonCursor::Tree;

/// Decodes %XX; a lone percent sign is kept.
std::string decode_percent(std::string_view text);

/// The components of `data:image/png;base64,...`.
struct DataUri {
    std::string_view mime_type;
    std::string_view payload;
    bool base64 = false;
};
std::optional<DataUri> split_data_uri(std::string_view uri);

class Document {
  public:
    /// Parses the container and the JSON, checks version and extensions, and finds every buffer.
    /// `bytes` must outlive the document. \throws Error
    Document(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    /// Name of the file in messages.
    const std::string& file() const { return file_; }
    Monitor& monitor() const { return monitor_; }
    Cursor root() const { return Cursor(tree_, file_, ""); }

    /// Length of a top-level array; 0 when it is absent.
    std::size_t count(std::string_view array) const;
    /// Element of a top-level array.
    Cursor item(std::string_view array, std::size_t index) const { return root().at(array).at(index); }
    /// The index under `key` into a top-level array, or -1 when absent. \throws Error when there is no such
    /// element.
    int reference(const Cursor& from, std::string_view key, std::string_view array) const;
    /// The same for a value that is an index itself.
    int reference(const Cursor& index, std::string_view array) const;

    /// Bytes of a buffer view.
    Bytes view(std::size_t index) const;
    /// Bytes of a uri: decoded into `storage`, or mapped from a file that this one may refer to.
    Bytes load(const Cursor& uri, std::vector<std::byte>& storage, std::vector<FileView>& maps) const;

    /// Accounts for memory that the content requires. A file may use the same data many times; this budget,
    /// proportional to the size of the file, limits allocations instead of its counts.
    /// \throws Error when the budget is exceeded
    void charge(std::uint64_t bytes, const Cursor& slot) const;

    /// Warns once per text.
    void warn_once(std::string_view code, const std::string& text) const;

  private:
    std::string_view open_container(Bytes bytes);
    void parse(std::string_view json, bool binary);
    void check_header() const;
    void open_buffers();

    std::string file_;
    Companions companions_;
    Monitor& monitor_;
    Tree tree_;
    Bytes chunk_;
    std::vector<Bytes> buffers_;
    std::vector<std::vector<std::byte>> decoded_;
    std::vector<FileView> maps_;
    mutable std::uint64_t budget_ = 0;
    mutable std::set<std::string> warned_;
};

enum class Component : std::uint16_t { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

std::size_t size_of(Component component);

/// An array that was checked to lie within its buffer.
struct Accessor {
    Cursor where;
    std::size_t count = 0;
    std::size_t components = 1;  ///< 1 to 4, or 16 for a matrix
    Component component = Component::f32;
    bool normalized = false;
    std::size_t stride = 0;
    Bytes data;  ///< from the first element on; empty means all zeros

    /// Elements that replace those of `data`.
    struct Sparse {
        std::size_t count = 0;
        Component index_component = Component::u32;
        Bytes indices;
        Bytes values;
    } sparse;

    std::size_t element_size() const { return components * size_of(component); }
    bool tight() const { return !data.empty() && stride == element_size(); }
};

/// Opens an accessor of one of the given types ("VEC3", ...) and charges the document for its decoded values.
/// \throws Error when it does not fit its buffer view, or has another type.
Accessor open_accessor(const Document& document, std::size_t index,
                       std::initializer_list<std::string_view> types);

/// Elements [first, first + count) of an accessor that has no sparse part.
Accessor slice(const Accessor& accessor, std::size_t first, std::size_t count);

/// Decodes to `count * components` floats; normalised integers become [0, 1] or [-1, 1].
/// \throws Error naming the element when a value is not finite.
void read_floats(const Accessor& accessor, std::span<float> out);
std::vector<float> read_floats(const Accessor& accessor);
/// Decodes `count * components` integers. \throws Error when the accessor holds floats or signed numbers.
void read_integers(const Accessor& accessor, std::span<std::uint32_t> out);
std::vector<std::uint32_t> read_integers(const Accessor& accessor);

/// True when no value is NaN or infinite.
bool all_finite(std::span<const float> values);

}  // namespace sinew::io::gltf
