// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Pieces of files that programs read and write themselves: arrays of numbers, tables of weights, base64,
/// JSON, point caches frame by frame, and the scene that an importer hands over.
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

/// Numbers in C order: the last index runs fastest.
struct NumberArray {
    std::vector<std::size_t> shape;
    std::vector<float> values;
};

/// \param array any shape.
/// \return the bytes of a .npy file, version 1.0, little-endian float32 ("<f4").
/// \throws Error when the shape does not hold as many numbers as there are.
std::string encode_npy(const NumberArray& array);

/// One line for each position of the first two axes, "frame,item,..."; the numbers of the other axes follow
/// as v0, v1, ... Numbers read back to the same bits.
/// \param array of at least two axes.
/// \param first, second the names of the first two columns.
/// \return the text of a .csv file.
/// \throws Error when the shape does not hold as many numbers as there are, or has fewer than two axes.
std::string encode_csv(const NumberArray& array, std::string_view first, std::string_view second);

/// Skin weights from a table of lines `vertex,joint,weight`. Fields are separated by commas, semicolons or
/// tabs; a first line of words is skipped. Vertices without a line are given to the first joint, with the
/// warning that model::clean gives.
/// \param bytes the file.
/// \param location its name in messages.
/// \param skeleton its joints are found by name; the skin is bound at its rest pose.
/// \param vertex_count vertices of the mesh.
/// \param monitor gets the warnings.
/// \return the skin.
/// \throws Error with the line of an unknown joint or vertex, or of a weight that is not a number.
model::Skin read_weights_csv(Bytes bytes, std::string_view location, const model::Skeleton& skeleton,
                             std::size_t vertex_count, Monitor& monitor = silent());

/// \return the bytes as base64, with padding.
std::string encode_base64(Bytes bytes);
/// \return the bytes, or nothing when a character does not belong there. Padding may be missing.
std::optional<std::vector<std::byte>> decode_base64(std::string_view text);

/// A JSON value that knows its position in the file, so that every error can say so. Members that are absent
/// give the fallback; members of the wrong type are Errors.
class JsonCursor {
  public:
    /// Keys sorted, not in file order: an object with very many keys must not take quadratic time to read.
    using Tree = nlohmann::json;

    /// \param value, file must outlive this.
    /// \param pointer of the value: "/accessors/3", empty for the root.
    JsonCursor(const Tree& value, const std::string& file, std::string pointer)
        : value_(&value), file_(&file), pointer_(std::move(pointer)) {}

    /// The member, or nothing. \throws Error when this is not an object.
    std::optional<JsonCursor> find(std::string_view key) const;
    /// The member. \throws Error when it is missing.
    JsonCursor at(std::string_view key) const;
    /// The element. \throws Error when this is not an array or too short.
    JsonCursor at(std::size_t index) const;
    /// Number of elements. \throws Error when this is not an array.
    std::size_t size() const;
    /// Elements of the array under a key; none when it is absent.
    std::vector<JsonCursor> list(std::string_view key) const;
    /// Keys of an object.
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
    /// Exactly `count` numbers, or nothing when the key is absent.
    std::optional<std::vector<double>> numbers(std::string_view key, std::size_t count) const;

    /// "walk.glb: /accessors/3"
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

/// A PC2 or MDD cache with the mesh it moves, of which only the current frames are in memory. Use
/// it from one thread at a time.
class CacheStream {
  public:
    /// \param path the cache; its rest mesh is ReadOptions::rest, or the one in its folder.
    /// \param options how it is read
    /// \param monitor gets the warnings
    /// \throws Error as reading the whole cache does.
    CacheStream(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
    ~CacheStream();
    CacheStream(const CacheStream&) = delete;
    CacheStream& operator=(const CacheStream&) = delete;

    const geometry::Mesh& rest() const;
    double rate() const;       ///< frames per second
    std::size_t size() const;  ///< frames
    /// \throws Error naming the byte, the frame and the vertex of a position that is not finite.
    std::vector<geometry::Vec3f> frame(std::size_t number) const;

  private:
    struct File;
    std::unique_ptr<File> file_;
};

/// A PC2 or MDD cache that is written frame by frame, so that memory does not grow with its length.
class CacheWriter {
  public:
    /// \param path .pc2 or .mdd
    /// \param points, frames as many as will come.
    /// \param rate frames per second.
    /// \throws Error when it cannot be written, or holds more than the format can count.
    CacheWriter(const std::filesystem::path& path, std::size_t points, std::size_t frames, double rate);
    /// \pre the frame has as many points as was said.
    void append(std::span<const geometry::Vec3f> frame);
    /// The file appears. \pre as many frames came as were said.
    void commit() { file_.commit(); }

  private:
    FileWriter file_;
    bool big_endian_ = false;
    std::string buffer_;
};

/// A node of a scene.
struct SceneNode {
    std::string name;
    int parent = -1;  ///< always lower than the node's own index
    math::Mat4d matrix = math::Mat4d::Identity();
};

struct SceneBone {
    int node = 0;
    math::Mat4d inverse_bind = math::Mat4d::Identity();
    std::vector<model::VertexWeight> weights;
};

/// Vertices are in the space of the node, or, with bones, in that of the bind matrices. Parts name materials
/// of the scene.
struct SceneMesh {
    geometry::Mesh mesh;
    int node = -1;
    std::vector<SceneBone> bones;
};

/// A tree of nodes with meshes, bones and motions, as scene formats hold them.
struct NodeScene {
    std::string name;
    std::vector<SceneNode> nodes;
    std::vector<SceneMesh> meshes;
    std::vector<geometry::Material> materials;
    std::vector<geometry::Image> images;
    std::vector<model::Clip> clips;  ///< tracks name nodes
    bool single_root = false;        ///< several roots are attached to a joint that is added
    /// Nodes that only hold others are no joints: the scene's root, and a still node above all bones that is
    /// scaled or has a mesh below it (Blender's "Armature"), and a still node with a mesh below a bone. What
    /// they do to the joints and the mesh is kept.
    bool fold_containers = false;
};

/// The character of a scene. Joints are bones, animated nodes, everything above them but containers and, in a
/// scene that has such, nodes with a mesh; a scene without meshes is a skeleton and every node is a joint.
/// Meshes with bones are moved to where they are seen at rest when all their bones agree on that; others get
/// their node's matrix and, when there is a skeleton, are attached to it with weight 1. A vertex without
/// weight goes to the nearest bone.
/// \param scene the nodes.
/// \param location name of the file in messages.
/// \param monitor gets the warnings `scene-shear` (what T R S cannot hold) and those of the skin's cleaning.
/// \return mesh, skeleton, skin and clips.
model::Character assemble(NodeScene scene, std::string_view location, Monitor& monitor);

/// Where the files that a file names may be: in its folder or below, wherever symbolic links lead; anywhere
/// when the user allows it. Every reader asks here, so that a file from a stranger cannot pull in what is not
/// its own.
struct Companions {
    std::filesystem::path root;  ///< the folder of the file that is read
    bool allow_outside = false;

    bool may_hold(const std::filesystem::path& path) const;
};
Companions companions_of(const std::filesystem::path& file, const ReadOptions& options);

/// The file that a name in another file means: in `folder`, with either kind of slash, or, for paths of
/// another machine, just the last part.
/// \param companions where it may be
/// \param folder of the file that mentions it
/// \param name as that file writes it
/// \param location name of that file, for the warning `outside-folder`.
/// \param monitor gets the warning
/// \return empty when there is none, or when it lies where it may not.
std::filesystem::path find_companion(const Companions& companions, const std::filesystem::path& folder,
                                     std::string_view name, std::string_view location, Monitor& monitor);

/// Adds the picture that find_companion() finds to the mesh.
/// \return its number; -1, with a warning, when it is missing or neither PNG nor JPEG.
int load_picture(geometry::Mesh& mesh, const Companions& companions, const std::filesystem::path& folder,
                 std::string_view name, std::string_view location, Monitor& monitor);

/// \return "image/png" or "image/jpeg" by the first bytes, or empty.
std::string_view picture_type(Bytes bytes);

}  // namespace sinew::io
