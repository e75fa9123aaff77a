#pragma once
/// \file
/// A glTF file taken apart: its JSON, and its buffers as spans of bytes that stay where they are.

#include <filesystem>
#include <memory>
#include <set>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/base/monitor.h"
#include "sinew/io/interchange.h"

namespace sinew::io::gltf {

class Document {
  public:
    /// Parses the container and the JSON, checks version and extensions, and finds every buffer.
    /// `bytes` must outlive the document. \throws Error
    Document(Bytes bytes, const std::filesystem::path& path, Monitor& monitor);
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    /// The file's name, as it stands in messages.
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
    /// Bytes behind a uri: decoded into `storage`, or mapped from a file beside this one.
    Bytes load(const Cursor& uri, std::vector<std::byte>& storage, std::vector<FileView>& maps) const;

    /// Accounts for memory that the content asks for. A file may use the same data many times over, so it is
    /// not its counts but this budget, in proportion to its bytes, that limits what is allocated.
    /// \throws Error when the budget is exceeded.
    void charge(std::uint64_t bytes, const Cursor& place) const;

    /// Warns, once for each text.
    void warn_once(std::string_view code, const std::string& text) const;

  private:
    std::string_view open_container(Bytes bytes);
    void parse(std::string_view json, bool binary);
    void check_header() const;
    void open_buffers();

    std::string file_;
    std::filesystem::path folder_;
    Monitor& monitor_;
    Tree tree_;
    Bytes chunk_;
    std::vector<Bytes> buffers_;
    std::vector<std::vector<std::byte>> decoded_;
    std::vector<FileView> maps_;
    mutable std::uint64_t budget_ = 0;
    mutable std::set<std::string> warned_;
};

}  // namespace sinew::io::gltf
