// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Building blocks of file formats: arrays of numbers, tables of weights, base64, JSON, point caches frame by
/// frame, and the scene structure that importers produce.
///
/// \code
/// const io::CacheStream cache("walk.pc2", {}, silent());
/// for (std::size_t f = 0; f < cache.size(); ++f) use(cache.frame(f));
/// write_file("walk.npy", io::encode_npy({{frames, vertices, 3}, numbers}));
/// \endcode

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sinew/base/error.h"
#include "sinew/io/io.h"

namespace sinew::io {

/// An array of numbers in C order: the last index varies fastest.
struct NumberArray {
    std::vector<std::size_t> shape;
    std::vector<float> values;
};

/// \param array any shape
/// \return the content of a .npy file, version 1.0, little-endian float32 ("<f4")
/// \throws Error when the shape does not match the number of values
std::string encode_npy(const NumberArray& array);

/// Encodes an array as CSV: one line per position of the first two axes, "frame,item,..."; the values of the
/// other axes follow as columns v0, v1, ... Numbers are written without loss.
/// \param array at least two axes
/// \param first, second names of the first two columns
/// \return the content of a .csv file
/// \throws Error when the shape does not match the number of values, or has fewer than two axes
std::string encode_csv(const NumberArray& array, std::string_view first, std::string_view second);

/// Reads skin weights from a table with lines `vertex,joint,weight`. Fields are separated by commas,
/// semicolons or tabs; a header line is skipped. Vertices without a line are bound to the first joint, with
/// the warning of model::clean.
/// \param bytes content of the file
/// \param location file name in messages
/// \param skeleton its joints are found by name; the skin is bound at its rest pose
/// \param vertex_count number of vertices of the mesh
/// \param monitor receives warnings
/// \return the skin
/// \throws Error with the line of an unknown joint or vertex, or of an invalid weight
model::Skin read_weights_csv(Bytes bytes, std::string_view location, const model::Skeleton& skeleton,
                             std::size_t vertex_count, Monitor& monitor = silent());

/// \return the bytes as base64, with padding
std::string encode_base64(Bytes bytes);
/// \return the decoded bytes; empty when the text contains an invalid character. Padding may be missing
std::optional<std::vector<std::byte>> decode_base64(std::string_view text);

/// A JSON value that knows its location in the file, so that every error can state it. A missing member gives
/// the fallback; a member of the wrong type is an Error.
class JsonCursor {
  public:
    /// Keys are sorted, not in file order, so that reading an object with very many keys does not take
    /// quadratic time.
    using Tree = nlohmann::json;

    /// \param value, file must outlive this object
    /// \param pointer JSON pointer of the value: "/accessors/3", empty for the root
    JsonCursor(const Tree& value, const std::string& file, std::string pointer)
        : value_(&value), file_(&file), pointer_(std::move(pointer)) {}

    /// The member with this key; empty when it is missing. \throws Error when this is not an object
    std::optional<JsonCursor> find(std::string_view key) const;
    /// The member with this key. \throws Error when it is missing
    JsonCursor at(std::string_view key) const;
    /// The element at this index. \throws Error when this is not an array, or too short
    JsonCursor at(std::size_t index) const;
    /// Number of elements. \throws Error when this is not an array
    std::size_t size() const;
    /// Elements of the array with this key; empty when the key is missing.
    std::vector<JsonCursor> list(std::string_view key) const;
    /// Keys of this object.
    std::vector<std::string> keys() const;
    bool has(std::string_view key) const { return find(key).has_value(); }
    bool is_object() const;
    bool is_null() const;

    std::uint64_t integer() const;
    double number() const;
    bool boolean() const;
    const std::string& text() const;

    std::uint64_t integer(std::string_view key, std::uint64_t fallback) const;
    double number(std::string_view key, double fallback) const;
    bool boolean(std::string_view key, bool fallback) const;
    std::string text(std::string_view key, std::string_view fallback = {}) const;
    /// Exactly `count` numbers; empty when the key is missing.
    std::optional<std::vector<double>> numbers(std::string_view key, std::size_t count) const;

    /// Location for errors: "walk.glb: /accessors/3".
    std::string location() const { return *file_ + ": " + (pointer_.empty() ? "/" : pointer_); }

    template <class... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> reason, Args&&... args) const {
        throw Error(location(), fmt::format(reason, std::forward<Args>(args)...));
    }

  private:
    const Tree* value_;
    const std::string* file_;
    std::string pointer_;
};

/// Reads a PC2 or MDD cache and its mesh, with only the requested frames in memory. Not thread-safe.
class CacheStream {
  public:
    /// \param path the cache; its rest mesh is ReadOptions::rest, or the one in the same folder
    /// \param options see ReadOptions
    /// \param monitor receives warnings
    /// \throws Error as reading the whole cache
    CacheStream(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
    ~CacheStream();
    CacheStream(const CacheStream&) = delete;
    CacheStream& operator=(const CacheStream&) = delete;

    const geometry::Mesh& rest() const;
    double rate() const;       ///< frames per second
    std::size_t size() const;  ///< number of frames
    /// \throws Error naming the byte, frame and vertex of a position that is not finite
    std::vector<geometry::Vec3f> frame(std::size_t number) const;

  private:
    struct File;
    std::unique_ptr<File> file_;
};

/// Writes a PC2 or MDD cache frame by frame, with constant memory.
class CacheWriter {
  public:
    /// \param path .pc2 or .mdd
    /// \param points, frames number of vertices and frames that will be written
    /// \param rate frames per second
    /// \throws Error when the file cannot be written, or exceeds the limits of the format
    CacheWriter(const std::filesystem::path& path, std::size_t points, std::size_t frames, double rate);
    /// \pre The frame has the announced number of points.
    void append(std::span<const geometry::Vec3f> frame);
    /// Makes the file appear. \pre All announced frames were written.
    void commit() { file_.commit(); }

  private:
    FileWriter file_;
    bool big_endian_ = false;
    std::string buffer_;
};

/// A node of a scene.
struct SceneNode {
    std::string name;
    int parent = -1;  ///< always less than the node's own index
    math::Mat4d matrix = math::Mat4d::Identity();
};

struct SceneBone {
    int node = 0;
    math::Mat4d inverse_bind = math::Mat4d::Identity();
    std::vector<model::VertexWeight> weights;
};

/// A mesh of a scene. Vertices are in the space of its node or, with bones, in the space of the bind
/// matrices. Parts refer to materials of the scene.
struct SceneMesh {
    geometry::Mesh mesh;
    int node = -1;
    std::vector<SceneBone> bones;
};

/// A tree of nodes with meshes, bones and motions, as scene formats store it.
struct NodeScene {
    std::string name;
    std::vector<SceneNode> nodes;
    std::vector<SceneMesh> meshes;
    std::vector<geometry::Material> materials;
    std::vector<geometry::Image> images;
    std::vector<model::Clip> clips;  ///< tracks refer to nodes
    bool single_root = false;        ///< attach several roots to an additional joint
    /// Do not make joints of nodes that only group others: the root of the scene; a static node above all
    /// bones that is scaled or has a mesh below it (Blender's "Armature"); a static node with a mesh below a
    /// bone. Their transforms are applied to joints and mesh.
    bool fold_containers = false;
};

/// Converts a scene to a character. Joints are bones, animated nodes, all their ancestors except grouping
/// nodes and, in a scene with such joints, nodes with a mesh; in a scene without meshes every node is a
/// joint. Meshes with bones are moved to their visible rest position if all their bones agree on it. Other
/// meshes get the matrix of their node and, if there is a skeleton, are bound to it with weight 1. A vertex
/// without weight is bound to the nearest bone.
/// \param scene the nodes
/// \param location file name in messages
/// \param monitor receives the warnings `scene-shear` (a transform that T R S cannot represent) and those of
/// the skin's cleaning
/// \return mesh, skeleton, skin and clips
model::Character assemble(NodeScene scene, std::string_view location, Monitor& monitor);

/// Where files that a file refers to may be located: in its folder or below, with symbolic links resolved;
/// anywhere if the user allows it. Every reader checks this, so that a file from an untrusted source cannot
/// include other files of the system.
struct Companions {
    std::filesystem::path root;  ///< the folder of the file that is being read
    bool allow_outside = false;

    bool may_hold(const std::filesystem::path& path) const;
};
Companions companions_of(const std::filesystem::path& file, const ReadOptions& options);

/// Finds a file that another file refers to: in `folder`, with either kind of slash; for absolute paths of
/// another machine only the last component is used.
/// \param companions allowed locations
/// \param folder folder of the referring file
/// \param name reference as written in that file
/// \param location name of that file in messages
/// \param monitor receives the warning `outside-folder`
/// \return the path; empty when the file does not exist or its location is not allowed
std::filesystem::path find_companion(const Companions& companions, const std::filesystem::path& folder,
                                     std::string_view name, std::string_view location, Monitor& monitor);

/// Loads the image that find_companion() finds and adds it to the mesh.
/// \return its index; -1, with a warning, when it is missing or neither PNG nor JPEG
int load_picture(geometry::Mesh& mesh, const Companions& companions, const std::filesystem::path& folder,
                 std::string_view name, std::string_view location, Monitor& monitor);

/// \return "image/png" or "image/jpeg" by the first bytes; empty for others
std::string_view picture_type(Bytes bytes);

}  // namespace sinew::io
