// SPDX-License-Identifier: MIT
// Player, Skinner, deform.

#include <cstring>

#include "binding.h"

#include "sinew/deform/deformer.h"

namespace sinew::python {
namespace {

using deform::Mat34f;

static_assert(sizeof(Mat34f) == 12 * sizeof(float));

/// A player and the packed clips of its character.
class CharacterPlayer {
  public:
    explicit CharacterPlayer(CharacterPointer character)
        : character_(std::move(character)), player_(character_->skeleton, character_->skin.joints) {
        for (const model::Clip& clip : character_->clips)
            clips_.push_back(model::pack(clip, character_->skeleton));
    }

    void play(const py::object& clip, double time, bool loop) {
        const auto playback = loop ? deform::Playback::loop : deform::Playback::clamp;
        // A clip that is passed as an object is found by its name.
        const py::object name = py::hasattr(clip, "name") ? clip.attr("name") : clip;
        const model::Clip* chosen = clip_of(*character_, name);
        if (chosen == nullptr) fail(character_->name, "has no clip to play");
        const auto number = static_cast<std::size_t>(chosen - character_->clips.data());
        if (number >= clips_.size())
            fail(chosen->name, "was added after the player was made: make a new player");
        const py::gil_scoped_release free;
        player_.play(clips_[number], time, playback);
    }
    std::span<const Mat34f> palette() const { return player_.palette(); }
    std::span<const Mat34f> world() const { return player_.world(); }

  private:
    CharacterPointer character_;
    deform::Player player_;
    std::vector<model::PackedClip> clips_;
};

/// Matrices of 3 rows and 4 columns, in the memory of `owner`.
py::array rows34(std::span<const Mat34f> matrices, const py::object& owner) {
    const auto* data = reinterpret_cast<const float*>(matrices.data());
    return py::array_t<float>({matrices.size(), std::size_t{3}, std::size_t{4}}, data, owner);
}

class CharacterSkinner {
  public:
    CharacterSkinner(CharacterPointer character, const std::string& method)
        : character_(std::move(character)),
          method_(deform::parse_method(method)),
          centers_(deform::centers_for(method_, character_->mesh, character_->skin)),
          skinner_(character_->mesh, character_->skin, &character_->skeleton, options()),
          pose_(skinner_) {}

    py::array deform(const Floats& palette, const py::object& out, bool threads) {
        if (palette.ndim() != 3 || palette.shape(1) != 3 || palette.shape(2) != 4)
            fail("palette", "is an array (joints, 3, 4)");
        const auto vertices = static_cast<py::ssize_t>(skinner_.vertex_count());
        py::array target =
            out.is_none() ? py::array(py::array_t<float>({vertices, py::ssize_t{3}})) : out.cast<py::array>();
        const bool fits = target.ndim() == 2 && target.shape(0) == vertices &&
                          (target.shape(1) == 3 || target.shape(1) == 6) &&
                          target.dtype().is(py::dtype::of<float>()) && target.strides(1) == sizeof(float) &&
                          target.strides(0) >= target.shape(1) * static_cast<py::ssize_t>(sizeof(float)) &&
                          target.writeable();
        if (!fits) fail("out", "is a float32 array ({}, 3), or (.., 6) with normals", vertices);
        deform::VertexBuffer buffer;
        buffer.stride = static_cast<std::size_t>(target.strides(0));
        buffer.normal = target.shape(1) == 6 ? 12 : -1;
        const auto row = static_cast<std::size_t>(target.shape(1)) * sizeof(float);
        buffer.bytes = {static_cast<std::byte*>(target.mutable_data()),
                        vertices == 0 ? 0 : buffer.stride * (skinner_.vertex_count() - 1) + row};
        std::vector<Mat34f> matrices(static_cast<std::size_t>(palette.shape(0)));  // aligned
        std::memcpy(static_cast<void*>(matrices.data()), palette.data(), matrices.size() * sizeof(Mat34f));
        const py::gil_scoped_release free;
        skinner_.deform(matrices, method_, pose_, buffer,
                        threads ? deform::Threads::all : deform::Threads::one);
        return target;
    }
    std::size_t vertex_count() const { return skinner_.vertex_count(); }

  private:
    deform::SkinnerOptions options() const {
        deform::SkinnerOptions options;
        options.centers = centers_;
        return options;
    }

    CharacterPointer character_;
    deform::Method method_;
    std::vector<math::Vec3f> centers_;
    deform::Skinner skinner_;
    deform::Skinner::Pose pose_;
};

py::array deform_character(const model::Character& character, const py::object& clip, double time,
                           const std::string& method) {
    const model::Clip* chosen = clip_of(character, clip);
    const deform::Method by = deform::parse_method(method);
    const std::vector<math::Vec3f> positions = [&] {
        const py::gil_scoped_release free;
        return deform::Deformer(character, {.method = by}).at(chosen, time).positions;
    }();
    return copy_of(positions);
}

}  // namespace

void add_playing(py::module_& module) {
    py::class_<CharacterPlayer>(module, "Player", R"(Plays the clips of a character: a palette for each frame.

    >>> man = sinew.sample("man")
    >>> player = sinew.Player(man)
    >>> player.play("walk", time=0.5, loop=True)
    >>> player.palette.shape, player.world.shape
    ((42, 3, 4), (42, 3, 4))
    )")
        .def(py::init<CharacterPointer>(), py::arg("character"))
        .def("play", &CharacterPlayer::play, py::arg("clip") = 0, py::arg("time") = 0.0,
             py::arg("loop") = false, "Set the pose to a clip, by name or number, at a time in seconds.")
        .def_property_readonly(
            "palette",
            [](const py::object& self) { return rows34(self.cast<CharacterPlayer&>().palette(), self); },
            "Where each joint of the skin takes the rest mesh; shows the player's memory.")
        .def_property_readonly(
            "world",
            [](const py::object& self) { return rows34(self.cast<CharacterPlayer&>().world(), self); },
            "World matrices of the joints; shows the player's memory.");
    py::class_<CharacterSkinner>(module, "Skinner", R"(Skins a mesh, pose after pose, into your own arrays.

    A thousand instances in one buffer:

    >>> import numpy as np
    >>> tube = sinew.sample("tube")
    >>> player, skinner = sinew.Player(tube), sinew.Skinner(tube, method="dqs")
    >>> buffer = np.empty((1000, len(skinner), 3), np.float32)
    >>> for i in range(1000):
    ...     player.play("bend", time=i / 1000)
    ...     _ = skinner.deform(player.palette, out=buffer[i])
    >>> bool(np.abs(buffer[999] - buffer[0]).max() > 0.1)
    True
    )")
        .def(py::init<CharacterPointer, const std::string&>(), py::arg("character"),
             py::arg("method") = "dqs")
        .def("__len__", &CharacterSkinner::vertex_count)
        .def("deform", &CharacterSkinner::deform, py::arg("palette"), py::arg("out") = py::none(),
             py::arg("threads") = false,
             "Positions of the vertices; `out` is a float32 array (vertices, 3), or (vertices, 6) with "
             "normals.");
    module.def("deform", &deform_character, py::arg("character"), py::arg("clip") = 0, py::arg("time") = 0.0,
               py::arg("method") = "dqs",
               R"(Positions (vertices, 3) of the skin at a time of a clip; clip=None is the rest pose.

    Methods: lbs, sbs, sbs-weighted, dqs, dib, log, qlb, cor, rigid.

    >>> sinew.deform(sinew.sample("man"), "walk", time=0.3).shape
    (11368, 3)
    )");
}

}  // namespace sinew::python
