// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/array.h"
#include "sinew/io/gltf/gltf.h"
#include "sinew/io/gltf/primitives.h"
#include "sinew/io/gltf/scene.h"
#include "sinew/io/gltf/vrm.h"
#include "sinew/io/interchange.h"
#include "sinew/model/clip.h"

namespace sinew::io::gltf {
namespace {

using geometry::AlphaMode;
using geometry::Image;
using geometry::Material;
using geometry::Texture;
using geometry::Wrap;

Bytes image_bytes(const Document& document, const Cursor& image, std::vector<std::byte>& storage,
                  std::vector<FileView>& maps) {
    const int view = document.reference(image, "bufferView", "bufferViews");
    if (view >= 0) return document.view(static_cast<std::size_t>(view));
    return document.load(image.at("uri"), storage, maps);
}

/// The image, or empty with a warning: a character without a texture is still useful.
std::optional<Image> read_image(const Document& document, std::size_t index) {
    const Cursor cursor = document.item("images", index);
    Image image;
    image.name = cursor.text("name");
    std::vector<std::byte> storage;
    std::vector<FileView> maps;
    try {
        const Bytes bytes = image_bytes(document, cursor, storage, maps);
        image.mime_type = picture_type(bytes);
        if (image.mime_type.empty()) cursor.fail("is neither PNG nor JPEG");
        document.charge(bytes.size(), cursor);
        image.bytes.assign(bytes.begin(), bytes.end());
    } catch (const Error& error) {
        warn(document.monitor(), "gltf-image", "{}: the image was left out: {}", cursor.location(),
             error.what());
        return std::nullopt;
    }
    const std::string uri = cursor.text("uri");
    if (image.name.empty() && !uri.starts_with("data:")) {
        image.name = std::filesystem::path(decode_percent(uri)).stem().string();
    }
    return image;
}

Wrap wrap_of(const Cursor& sampler, std::string_view key) {
    switch (sampler.integer(key, 10497)) {
        case 33071:
            return Wrap::clamp;
        case 33648:
            return Wrap::mirror;
        default:
            return Wrap::repeat;
    }
}

/// Texture of a key of a material; `image_of` maps the file's images to those that were kept.
Texture read_texture(const Document& document, const Cursor& owner, std::string_view key,
                     const std::vector<int>& image_of) {
    Texture texture;
    const std::optional<Cursor> info = owner.find(key);
    if (!info) return texture;
    const int index = document.reference(info->at("index"), "textures");
    const Cursor cursor = document.item("textures", static_cast<std::size_t>(index));
    const int source = document.reference(cursor, "source", "images");
    if (source < 0) {
        warn(document.monitor(), "gltf-image", "{}: the texture has no image that can be read",
             cursor.location());
        return texture;
    }
    texture.image = image_of[static_cast<std::size_t>(source)];
    if (!texture.used()) return texture;
    const std::uint64_t set = info->integer("texCoord", 0);
    if (set > 1) {
        warn(document.monitor(), "gltf-texcoord",
             "{}: texture coordinates {} are not read, set 0 is used instead", info->location(), set);
    }
    texture.uv_set = set == 1 ? 1 : 0;
    const int sampler = document.reference(cursor, "sampler", "samplers");
    if (sampler >= 0) {
        const Cursor settings = document.item("samplers", static_cast<std::size_t>(sampler));
        texture.wrap_u = wrap_of(settings, "wrapS");
        texture.wrap_v = wrap_of(settings, "wrapT");
        texture.nearest = settings.integer("magFilter", 9729) == 9728;
    }
    return texture;
}

void read_surface(const Document& document, const Cursor& cursor, const std::vector<int>& image_of,
                  Material& material) {
    // The defaults of the format, which differ from those of the struct.
    material.metallic = 1;
    material.roughness = 1;
    const std::optional<Cursor> surface = cursor.find("pbrMetallicRoughness");
    if (!surface) return;
    if (const auto color = surface->numbers("baseColorFactor", 4)) {
        material.base_color = Eigen::Map<const math::Vec4d>(color->data()).cast<float>();
    }
    material.metallic = static_cast<float>(surface->number("metallicFactor", 1));
    material.roughness = static_cast<float>(surface->number("roughnessFactor", 1));
    material.base_color_texture = read_texture(document, *surface, "baseColorTexture", image_of);
    material.metallic_roughness_texture =
        read_texture(document, *surface, "metallicRoughnessTexture", image_of);
}

Material read_material(const Document& document, std::size_t index, const std::vector<int>& image_of) {
    const Cursor cursor = document.item("materials", index);
    Material material;
    material.name = cursor.text("name");
    read_surface(document, cursor, image_of, material);
    if (const auto color = cursor.numbers("emissiveFactor", 3)) {
        material.emissive = Eigen::Map<const math::Vec3d>(color->data()).cast<float>();
    }
    material.normal_texture = read_texture(document, cursor, "normalTexture", image_of);
    material.occlusion_texture = read_texture(document, cursor, "occlusionTexture", image_of);
    material.emissive_texture = read_texture(document, cursor, "emissiveTexture", image_of);
    if (const auto info = cursor.find("normalTexture")) {
        material.normal_scale = static_cast<float>(info->number("scale", 1));
    }
    if (const auto info = cursor.find("occlusionTexture")) {
        material.occlusion_strength = static_cast<float>(info->number("strength", 1));
    }
    const std::string mode = cursor.text("alphaMode", "OPAQUE");
    material.alpha_mode = mode == "MASK"    ? AlphaMode::mask
                          : mode == "BLEND" ? AlphaMode::blend
                                            : AlphaMode::opaque;
    material.alpha_cutoff = static_cast<float>(cursor.number("alphaCutoff", 0.5));
    material.double_sided = cursor.boolean("doubleSided", false);
    return material;
}

}  // namespace

/// Fills `mesh.materials` and `mesh.images`. An image that cannot be found or is of another kind is left out
/// with a warning.
void read_materials(const Document& document, geometry::Mesh& mesh) {
    std::vector<int> image_of;
    for (std::size_t i = 0; i < document.count("images"); ++i) {
        std::optional<Image> image = read_image(document, i);
        image_of.push_back(image ? static_cast<int>(mesh.images.size()) : -1);
        if (image) mesh.images.push_back(*std::move(image));
    }
    for (std::size_t i = 0; i < document.count("materials"); ++i) {
        mesh.materials.push_back(read_material(document, i, image_of));
    }
}

namespace {

using model::Influence;
using model::Skin;

/// Vertices decoded at a time, so that the unpacked values stay in the cache.
constexpr std::size_t chunk = 256;

/// Tolerance for a sum of float weights of 1: well-written files are within it, and the validator accepts it.
bool sums_to_one(double sum, std::size_t count) {
    return std::abs(sum - 1) <= 1e-7 * static_cast<double>(std::max<std::size_t>(count, 1));
}

void sort_by_joint(std::span<Influence> list) {
    for (std::size_t i = 1; i < list.size(); ++i) {
        const Influence moved = list[i];
        std::size_t location = i;
        for (; location > 0 && list[location - 1].joint > moved.joint; --location)
            list[location] = list[location - 1];
        list[location] = moved;
    }
}

/// Sorts the influences of one vertex by joint and returns whether they are canonical. Weights with errors
/// from rounding or few bits are scaled here; larger errors are left to model::clean, which counts and
/// reports them.
bool tidy(std::span<Influence> list) {
    double sum = 0;
    bool positive = true, rising = true;
    for (std::size_t i = 0; i < list.size(); ++i) {
        sum += static_cast<double>(list[i].weight);
        positive &= list[i].weight > 0;
        rising &= i == 0 || list[i - 1].joint < list[i].joint;
    }
    if (!rising) {
        sort_by_joint(list);
        const auto same = [](const Influence& a, const Influence& b) { return a.joint == b.joint; };
        if (std::adjacent_find(list.begin(), list.end(), same) != list.end()) return false;
    }
    if (!positive || !(std::abs(sum - 1) <= 1e-3)) return false;
    if (!sums_to_one(sum, list.size())) {
        for (Influence& influence : list) influence.weight = static_cast<float>(influence.weight / sum);
    }
    return true;
}

/// Influences of ranges of vertices from all sets of a block.
class Unpacker {
  public:
    explicit Unpacker(const Block& block) : block_(block) {
        for (const auto& [joints, weights] : block.influences) {
            // A sparse accessor cannot be read in slices.
            if (joints.sparse.count + weights.sparse.count > 0) run_ = block.count;
        }
        joints_.resize(4 * run_ * block.influences.size());
        weights_.resize(joints_.size());
        list_.resize(joints_.size());
    }

    /// Appends all vertices of the block; false when one of them needs cleaning.
    bool append_all(Skin& skin) {
        bool good = true;
        for (std::size_t first = 0; first < block_.count; first += run_) {
            const std::size_t count = std::min(run_, block_.count - first);
            for (std::size_t s = 0; s < block_.influences.size(); ++s) {
                const auto& [joints, weights] = block_.influences[s];
                read_integers(slice(joints, first, count),
                              std::span(joints_).subspan(4 * run_ * s, 4 * count));
                read_floats(slice(weights, first, count),
                            std::span(weights_).subspan(4 * run_ * s, 4 * count));
            }
            good &= append_run(count, skin);
        }
        return good;
    }

  private:
    bool append_run(std::size_t count, Skin& skin) {
        bool good = true;
        std::size_t used = 0;
        const auto start = static_cast<std::uint32_t>(skin.influences.size());
        for (std::size_t v = 0; v < count; ++v) {
            const std::size_t first = used;
            for (std::size_t s = 0; s < block_.influences.size(); ++s) used = gather(s, v, used);
            good &= tidy({list_.data() + first, used - first});
            skin.offsets.push_back(start + static_cast<std::uint32_t>(used));
        }
        skin.influences.insert(skin.influences.end(), list_.begin(),
                               list_.begin() + static_cast<std::ptrdiff_t>(used));
        return good;
    }

    /// Appends the influences of one set of a vertex to the `used` ones before.
    std::size_t gather(std::size_t set, std::size_t vertex, std::size_t used) {
        const std::vector<std::uint32_t>& palette = block_.binding->palette;
        const std::size_t first = 4 * (run_ * set + vertex);
        for (std::size_t i = first; i < first + 4; ++i) {
            if (weights_[i] == 0) continue;  // padding
            if (joints_[i] >= palette.size()) {
                block_.influences[set].first.where.fail("joint {} of a skin of {}", joints_[i],
                                                        palette.size());
            }
            list_[used++] = {palette[joints_[i]], weights_[i]};
        }
        return used;
    }

    const Block& block_;
    std::size_t run_ = chunk;
    std::vector<std::uint32_t> joints_;
    std::vector<float> weights_;
    std::vector<Influence> list_;
};

/// The first palette entry of the block that a vertex belongs to.
std::uint32_t first_entry(const Plan& plan, std::size_t vertex) {
    const auto after = std::upper_bound(plan.blocks.begin(), plan.blocks.end(), vertex,
                                        [](std::size_t v, const Block& block) { return v < block.first; });
    return std::prev(after)->binding->palette.front();
}

}  // namespace

bool read_weights(const Plan& plan, Skin& skin) {
    skin.offsets.reserve(plan.vertex_count + 1);
    skin.influences.reserve(plan.weight_count);
    bool good = true;
    for (const Block& block : plan.blocks) {
        if (block.binding->skinned) {
            good &= Unpacker(block).append_all(skin);
        } else {
            const Influence whole{block.binding->palette.front(), 1};
            for (std::size_t v = 0; v < block.count; ++v) skin.push_vertex({&whole, 1});
        }
    }
    return good;
}

void clean_weights(const Document& document, const Plan& plan, Skin& skin) {
    const model::SkinCleanReport report =
        model::clean(skin, {}, [&](std::size_t vertex) { return first_entry(plan, vertex); });
    model::warn_about(report, document.file(), document.monitor());
}

namespace {

// Animations of a glTF file become clips.

/// One clip per animation, with unchanged keys: each list keeps its own times and interpolation. Keys of
/// joints into which static nodes were folded are transformed with them.
std::vector<model::Clip> read_animations(const Document& document, const Rig& rig, const Plan& plan);

using math::Quatd;
using math::Quatf;
using math::Vec3d;
using math::Vec3f;
using model::Clip;
using model::Interpolation;
using model::Keys;
using model::KeyTimes;
using model::MorphTrack;
using model::Track;

/// Key times of one accessor, which many samplers may share, and the indices of the keys that are kept.
struct Times {
    KeyTimes times;
    std::size_t stored = 0;
    std::vector<std::size_t> kept;  ///< empty when all are
};

/// True for the in- and out-tangents of cubic keys.
bool is_tangent(Interpolation mode, std::size_t i) {
    return mode == Interpolation::cubic && i % 3 != 1;
}

class AnimationReader {
  public:
    AnimationReader(const Document& document, const Rig& rig, const Plan& plan)
        : document_(document), rig_(rig) {
        for (const Instance& instance : plan.instances) instance_of_[instance.node] = &instance;
    }

    Clip read(const Cursor& animation, std::size_t index) {
        Clip clip;
        clip.name = animation.text("name", fmt::format("clip_{}", index));
        tracks_.clear();
        morph_tracks_.clear();
        for (const Cursor& channel : animation.list("channels")) read_channel(animation, channel);
        for (auto& [joint, track] : tracks_) clip.tracks.push_back(std::move(track));
        for (auto& [morph, track] : morph_tracks_) clip.morph_tracks.push_back(std::move(track));
        return clip;
    }

  private:
    void read_channel(const Cursor& animation, const Cursor& channel) {
        const Cursor target = channel.at("target");
        const int node = document_.reference(target, "node", "nodes");
        const std::string& path = target.at("path").text();
        if (node < 0) {
            document_.warn_once(
                "gltf-channel",
                fmt::format("{}: animation of something that is not a node was ignored", document_.file()));
        } else if (path == "weights") {
            read_weights(animation, channel, node);
        } else if (rig_.joint_of[at(node)] < 0) {
            warn(document_.monitor(), "gltf-channel",
                 "{}: node {} is not in the scene, its animation was ignored", channel.location(), node);
        } else {
            read_joint(animation, channel, node, path);
        }
    }

    void read_joint(const Cursor& animation, const Cursor& channel, int node, const std::string& path) {
        const int joint = rig_.joint_of[at(node)];
        Track& track =
            tracks_.try_emplace(joint, Track{.joint = joint, .translation = {}, .rotation = {}, .scale = {}})
                .first->second;
        const std::optional<Similarity>& fold = rig_.fold[at(joint)];
        const bool taken = path == "rotation"      ? !track.rotation.empty()
                           : path == "translation" ? !track.translation.empty()
                                                   : !track.scale.empty();
        if (taken) {
            warn(document_.monitor(), "gltf-channel", "{}: a second animation of the same {} was ignored",
                 channel.location(), path);
        } else if (path == "translation") {
            track.translation = read_keys<Vec3f>(animation, channel, "VEC3", 1);
            fold_translation(track.translation, fold);
        } else if (path == "rotation") {
            track.rotation = read_keys<Quatf>(animation, channel, "VEC4", 1);
            fold_rotation(track.rotation, fold, channel);
        } else if (path == "scale") {
            track.scale = read_keys<Vec3f>(animation, channel, "VEC3", 1);
            if (!fold) return;
            for (Vec3f& value : track.scale.values)
                value = (value.cast<double>() * fold->scale).cast<float>();
        } else {
            channel.fail("\"{}\" cannot be animated", path.substr(0, 40));
        }
    }

    static void fold_translation(Keys<Vec3f>& keys, const std::optional<Similarity>& fold) {
        if (!fold) return;
        for (std::size_t i = 0; i < keys.values.size(); ++i) {
            const Vec3d value = keys.values[i].cast<double>();
            keys.values[i] =
                (is_tangent(keys.mode, i) ? fold->linear(value) : fold->point(value)).cast<float>();
        }
    }

    void fold_rotation(Keys<Quatf>& keys, const std::optional<Similarity>& fold,
                       const Cursor& channel) const {
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < keys.values.size(); ++i) {
            Quatf& q = keys.values[i];
            if (!is_tangent(keys.mode, i)) wrong += normalize(q);
            // The product of quaternions is linear, so tangents are rotated like the values.
            if (fold) q = (fold->rotation * q.cast<double>()).cast<float>();
        }
        if (wrong > 0) {
            warn(document_.monitor(), "gltf-rotation",
                 "{}: {} rotations were not of unit length and were normalised", channel.location(), wrong);
        }
    }

    /// Normalises unless the length is wrong only by rounding; returns true when the file is the cause. A
    /// zero becomes the identity.
    static bool normalize(Quatf& q) {
        if (std::abs(q.squaredNorm() - 1) < 1e-6f) return false;
        const double length = q.coeffs().cast<double>().norm();
        q = length > 1e-20 ? Quatf(q.cast<double>().normalized().cast<float>()) : Quatf::Identity();
        return std::abs(length - 1) > 1e-3;
    }

    void read_weights(const Cursor& animation, const Cursor& channel, int node) {
        const auto found = instance_of_.find(node);
        const Instance* const instance = found == instance_of_.end() ? nullptr : found->second;
        const std::size_t targets = instance == nullptr ? 0 : instance->morph_names.size();
        if (targets == 0) {
            warn(document_.monitor(), "gltf-channel",
                 "{}: node {} has no morph targets, the animation was ignored", channel.location(), node);
            return;
        }
        const Keys<float> all = read_keys<float>(animation, channel, "SCALAR", targets);
        document_.charge(all.times.size() * targets * sizeof(float), channel);
        for (std::size_t t = 0; t < targets; ++t) {
            const int morph = static_cast<int>(instance->first_morph + t);
            MorphTrack track{.morph = morph, .weight = {}};
            track.weight.times = all.times;
            track.weight.mode = all.mode;
            track.weight.values.reserve(all.values.size() / targets);
            for (std::size_t i = t; i < all.values.size(); i += targets) {
                track.weight.values.push_back(all.values[i]);
            }
            morph_tracks_.try_emplace(morph, std::move(track));
        }
    }

    /// Keys of a channel; each has `width` values, in cubic mode three times as many.
    template <class Value>
    Keys<Value> read_keys(const Cursor& animation, const Cursor& channel, std::string_view type,
                          std::size_t width) {
        const std::uint64_t index = channel.at("sampler").integer();
        if (index >= animation.at("samplers").size()) channel.fail("there is no sampler {}", index);
        const Cursor sampler = animation.at("samplers").at(static_cast<std::size_t>(index));
        const Times& times = read_times(at(document_.reference(sampler.at("input"), "accessors")));
        Keys<Value> keys;
        keys.times = times.times;
        keys.mode = mode_of(sampler);
        const Accessor output =
            open_accessor(document_, at(document_.reference(sampler.at("output"), "accessors")), {type});
        const std::size_t per_key = width * keys.stride();
        if (output.count != times.stored * per_key) {
            sampler.fail("{} values for {} keys, expected {}", output.count, times.stored,
                         times.stored * per_key);
        }
        static_assert(sizeof(Value) % sizeof(float) == 0);
        keys.values.resize(output.count);
        read_floats(output, {reinterpret_cast<float*>(keys.values.data()), output.count * output.components});
        for (std::size_t i = 0; i < times.kept.size(); ++i) {
            std::copy_n(keys.values.data() + times.kept[i] * per_key, per_key,
                        keys.values.data() + i * per_key);
        }
        if (!times.kept.empty()) keys.values.resize(times.kept.size() * per_key);
        return keys;
    }

    static Interpolation mode_of(const Cursor& sampler) {
        const std::string mode = sampler.text("interpolation", "LINEAR");
        if (mode == "LINEAR") return Interpolation::linear;
        if (mode == "STEP") return Interpolation::step;
        if (mode == "CUBICSPLINE") return Interpolation::cubic;
        sampler.fail("\"{}\" is not an interpolation", mode.substr(0, 40));
    }

    /// Of keys at the same time the last is kept; decreasing times are an error.
    const Times& read_times(std::size_t index) {
        const auto known = times_.find(index);
        if (known != times_.end()) return known->second;
        const Accessor accessor = open_accessor(document_, index, {"SCALAR"});
        if (accessor.component != Component::f32)
            warn(document_.monitor(), "gltf-times",
                 "{}: key times must be floating-point numbers; these were read as seconds",
                 accessor.where.location());
        std::vector<float> values = read_floats(accessor);
        if (values.empty()) accessor.where.fail("an animation without keys");
        Times result;
        result.stored = values.size();
        std::vector<std::size_t> kept;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0 && values[i] < values[i - 1]) {
                accessor.where.fail("key times fall from {} to {} at key {}", values[i - 1], values[i], i);
            }
            if (i + 1 < values.size() && values[i] == values[i + 1]) continue;
            kept.push_back(i);
        }
        if (kept.size() != values.size()) {
            warn(document_.monitor(), "gltf-equal-times",
                 "{}: {} keys at the time of another key were dropped", accessor.where.location(),
                 values.size() - kept.size());
            for (std::size_t i = 0; i < kept.size(); ++i) values[i] = values[kept[i]];
            values.resize(kept.size());
            result.kept = std::move(kept);
        }
        result.times = KeyTimes::listed(std::move(values));
        return times_.emplace(index, std::move(result)).first->second;
    }

    const Document& document_;
    const Rig& rig_;
    std::map<int, const Instance*> instance_of_;
    std::map<std::size_t, Times> times_;
    std::map<int, Track> tracks_;
    std::map<int, MorphTrack> morph_tracks_;
};

std::vector<Clip> read_animations(const Document& document, const Rig& rig, const Plan& plan) {
    AnimationReader reader(document, rig, plan);
    std::vector<Clip> clips;
    for (std::size_t i = 0; i < document.count("animations"); ++i) {
        Clip clip = reader.read(document.item("animations", i), i);
        if (clip.empty()) {
            warn(document.monitor(), "gltf-empty-clip",
                 "{}: the animation \"{}\" moves nothing that was read", document.file(), clip.name);
            continue;
        }
        clips.push_back(std::move(clip));
    }
    return clips;
}

}  // namespace
}  // namespace sinew::io::gltf

namespace sinew::io {
namespace {

/// Metres per unit of the source motion file, as stored by write_gltf.
double source_unit(const gltf::Document& document) {
    const gltf::Cursor asset = document.root().at("asset");
    const std::optional<gltf::Cursor> extras = asset.find("extras");  // any type in other files
    const double unit = extras && extras->is_object() ? extras->number("sinew_unit", 1) : 1;
    return unit > 1e-6 && unit < 1e6 ? unit : 1;
}

}  // namespace

Asset read_gltf(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                Monitor& monitor) {
    const gltf::Document document(bytes, path, options, monitor);
    const gltf::Scene scene = gltf::read_scene(document);
    gltf::Rig rig = gltf::read_joints(document, scene);
    gltf::Bindings bindings = gltf::bind_meshes(document, scene, rig);
    const gltf::Plan plan = gltf::plan_meshes(document, scene, bindings);
    step(monitor, "read", 0.1);

    Asset asset;
    model::Character& character = asset.character;
    character.name = scene.name.empty() ? path.stem().string() : scene.name;
    if (plan.vertex_count > 0) {
        gltf::Geometry geometry = gltf::read_geometry(document, plan, std::move(bindings.palette));
        character.mesh = std::move(geometry.mesh);
        character.skin = std::move(geometry.skin);
        character.mesh.name = character.name;
        gltf::read_materials(document, character.mesh);
        step(monitor, "read", 0.7);
    }
    character.clips = gltf::read_animations(document, rig, plan);
    character.skeleton = std::move(rig.skeleton);
    character.unit = source_unit(document);
    if (!character.has_mesh() && !character.has_skeleton()) {
        fail(document.file(), "there is no triangle mesh, no skeleton and no motion in it");
    }
    if (suffix(path) == "vrm") gltf::use_humanoid_names(document, rig, character);
    model::validate(character, document.file());
    step(monitor, "read", 1);
    return asset;
}

}  // namespace sinew::io
