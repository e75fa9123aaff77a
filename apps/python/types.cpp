// SPDX-License-Identifier: MIT
// Mesh, Skeleton, Clip, Character, MeshSequence and Trial.

#include "binding.h"

namespace sinew::python {
namespace {

using geometry::Mesh;
using math::Vec3f;
using model::Character;
using model::Clip;
using model::MeshSequence;
using model::Skeleton;
using model::Trial;

/// Writes new numbers into existing memory, which arrays may share; the count must not change.
template <class Row, class Array>
void replace_rows(std::vector<Row>& rows, const Array& array, std::size_t count, const char* name) {
    std::vector<Row> fresh = rows_of<Row>(array, name);
    if (fresh.size() != count) fail(name, "has {} rows, and the mesh has {}", fresh.size(), count);
    if (rows.empty())
        rows = std::move(fresh);
    else
        std::copy(fresh.begin(), fresh.end(), rows.begin());
}

void add_mesh(py::module_& module) {
    py::class_<Mesh, std::shared_ptr<Mesh>>(module, "Mesh", R"(Triangles and what their corners carry.

    Arrays show the memory of the mesh: a change in place is a change of the mesh.

    >>> import numpy as np
    >>> mesh = sinew.Mesh(positions=np.eye(3), triangles=[[0, 1, 2]])
    >>> mesh.positions[0] *= 2
    >>> mesh.positions.max(), mesh.triangles.shape
    (2.0, (1, 3))
    )")
        .def(py::init([](const Floats& positions, const Indices& triangles, const std::string& name) {
                 auto mesh = std::make_shared<Mesh>();
                 mesh->name = name;
                 mesh->positions = rows_of<Vec3f>(positions, "positions");
                 mesh->triangles = rows_of<geometry::Triangle>(triangles, "triangles");
                 geometry::validate(*mesh, name.empty() ? "mesh" : name);
                 return mesh;
             }),
             py::arg("positions"), py::arg("triangles"), py::arg("name") = "")
        .def_readwrite("name", &Mesh::name, "Name of the mesh.")
        .def_property(
            "positions", [](const py::object& self) { return view_of(self.cast<Mesh&>().positions, self); },
            [](Mesh& self, const Floats& array) {
                replace_rows(self.positions, array, self.vertex_count(), "positions");
            },
            "One row (x, y, z) for each vertex, float32.")
        .def_property(
            "normals", [](const py::object& self) { return view_of(self.cast<Mesh&>().normals, self); },
            [](Mesh& self, const Floats& array) {
                replace_rows(self.normals, array, self.vertex_count(), "normals");
            },
            "Unit normals of the vertices; no rows when there are none.")
        .def_property(
            "uvs", [](const py::object& self) { return view_of(self.cast<Mesh&>().uvs[0], self); },
            [](Mesh& self, const Floats& array) {
                replace_rows(self.uvs[0], array, self.vertex_count(), "uvs");
            },
            "Texture coordinates of the vertices; no rows when there are none.")
        .def_property(
            "colors", [](const py::object& self) { return view_of(self.cast<Mesh&>().colors, self); },
            [](Mesh& self, const Floats& array) {
                replace_rows(self.colors, array, self.vertex_count(), "colors");
            },
            "Linear RGBA of the vertices; no rows when there are none.")
        .def_property_readonly(
            "triangles", [](const py::object& self) { return view_of(self.cast<Mesh&>().triangles, self); },
            "Three vertices for each triangle, uint32.")
        .def_property_readonly(
            "parts",
            [](const Mesh& self) {
                py::list list;
                for (const geometry::Part& part : geometry::parts_of(self))
                    list.append(py::make_tuple(part.name, part.first, part.count));
                return list;
            },
            "Tuples (name, first triangle, number of triangles).")
        .def("__repr__", [](const Mesh& self) {
            return fmt::format("<sinew.Mesh \"{}\": {} vertices, {} triangles>", self.name,
                               self.vertex_count(), self.triangles.size());
        });
}

void add_skeleton(py::module_& module) {
    py::class_<Skeleton, std::shared_ptr<Skeleton>>(module, "Skeleton",
                                                    R"(Joints in a tree; parents come first.

    >>> arm = sinew.Skeleton(["upper", "lower"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    >>> len(arm), arm.parents.tolist(), arm.find("lower")
    (2, [-1, 0], 1)
    )")
        .def(py::init([](const std::vector<std::string>& names, const std::vector<int>& parents,
                         const Doubles& positions) {
                 if (positions.ndim() != 2 || positions.shape(1) != 3 || parents.size() != names.size() ||
                     positions.shape(0) != static_cast<py::ssize_t>(names.size()))
                     fail("skeleton", "needs a name, a parent and a position for each joint");
                 auto skeleton = std::make_shared<Skeleton>();
                 const auto at = positions.unchecked<2>();
                 for (std::size_t j = 0; j < names.size(); ++j) {
                     const auto row = static_cast<py::ssize_t>(j);
                     model::Joint& joint = skeleton->joints.emplace_back();
                     joint.name = names[j];
                     joint.parent = parents[j];
                     joint.rest.translation = {at(row, 0), at(row, 1), at(row, 2)};
                     if (parents[j] >= 0 && parents[j] < static_cast<int>(j))
                         for (int i = 0; i < 3; ++i) joint.rest.translation[i] -= at(parents[j], i);
                 }
                 model::validate(*skeleton, "skeleton");
                 return skeleton;
             }),
             py::arg("names"), py::arg("parents"), py::arg("positions"))
        .def("__len__", &Skeleton::size)
        .def("find", &Skeleton::find, py::arg("name"), "Number of the joint with this name, or -1.")
        .def_property_readonly(
            "names",
            [](const Skeleton& self) {
                std::vector<std::string> names;
                for (const model::Joint& joint : self.joints) names.push_back(joint.name);
                return names;
            },
            "Names of the joints.")
        .def_property_readonly(
            "parents",
            [](const Skeleton& self) {
                py::array_t<int> parents(static_cast<py::ssize_t>(self.size()));
                for (std::size_t j = 0; j < self.size(); ++j)
                    parents.mutable_data()[j] = self.joints[j].parent;
                return parents;
            },
            "Parent of each joint, -1 for a root.")
        .def_property_readonly(
            "rest", [](const Skeleton& self) { return matrices_of(model::rest_world_matrices(self)); },
            "World matrices of the rest pose (joints, 4, 4).")
        .def("__repr__",
             [](const Skeleton& self) { return fmt::format("<sinew.Skeleton of {} joints>", self.size()); });
}

/// A clip with keys at every frame.
Clip make_clip(const std::string& name, const Floats& rotations, const py::object& translations,
               double rate) {
    if (rotations.ndim() != 3 || rotations.shape(2) != 4)
        fail("rotations", "is an array (frames, joints, 4) of quaternions x y z w");
    if (!(rate > 0)) fail("rate", "is above 0");
    const auto frames = static_cast<std::size_t>(rotations.shape(0)),
               joints = static_cast<std::size_t>(rotations.shape(1));
    Clip clip;
    clip.name = name;
    const auto q = rotations.unchecked<3>();
    const model::KeyTimes times = model::KeyTimes::even(0, 1 / rate, frames);
    for (std::size_t j = 0; j < joints; ++j) {
        model::Track& track = clip.tracks.emplace_back();
        track.joint = static_cast<int>(j);
        track.rotation.times = times;
        for (std::size_t f = 0; f < frames; ++f) {
            const auto a = static_cast<py::ssize_t>(f), b = static_cast<py::ssize_t>(j);
            track.rotation.values.push_back(
                math::Quatf(q(a, b, 3), q(a, b, 0), q(a, b, 1), q(a, b, 2)).normalized());
        }
    }
    if (translations.is_none()) return clip;
    const auto moved = translations.cast<Floats>();
    if (moved.ndim() != 3 || moved.shape(0) != rotations.shape(0) || moved.shape(1) != rotations.shape(1) ||
        moved.shape(2) != 3)
        fail("translations", "is an array (frames, joints, 3)");
    const auto t = moved.unchecked<3>();
    for (std::size_t j = 0; j < joints; ++j) {
        clip.tracks[j].translation.times = times;
        for (std::size_t f = 0; f < frames; ++f) {
            const auto a = static_cast<py::ssize_t>(f), b = static_cast<py::ssize_t>(j);
            clip.tracks[j].translation.values.emplace_back(t(a, b, 0), t(a, b, 1), t(a, b, 2));
        }
    }
    return clip;
}

void add_clip(py::module_& module) {
    py::class_<Clip, std::shared_ptr<Clip>>(module, "Clip", R"(A motion: keys of the joints over time.

    Rotations are quaternions x y z w relative to the parent, one for each frame and joint; translations,
    relative to the parent too, may be left out.

    >>> import numpy as np
    >>> still = sinew.Clip("still", np.tile([0, 0, 0, 1], (31, 2, 1)), rate=30)
    >>> still.duration, still.rate, still.frames
    (1.0, 30.0, 31)
    )")
        .def(py::init([](const std::string& name, const Floats& rotations, const py::object& translations,
                         double rate) {
                 return std::make_shared<Clip>(make_clip(name, rotations, translations, rate));
             }),
             py::arg("name"), py::arg("rotations"), py::arg("translations") = py::none(),
             py::arg("rate") = 30.0)
        .def_readwrite("name", &Clip::name, "Name of the motion.")
        .def_property_readonly(
            "duration", [](const Clip& self) { return model::time_range(self).duration(); }, "Seconds.")
        .def_property_readonly(
            "start", [](const Clip& self) { return model::time_range(self).start; },
            "Seconds at which it starts.")
        .def_property_readonly(
            "rate", [](const Clip& self) { return model::frame_rate(self); }, "Frames per second.")
        .def_property_readonly(
            "frames", [](const Clip& self) { return model::frame_count(self); }, "Number of frames.")
        .def("__repr__", [](const Clip& self) {
            return fmt::format("<sinew.Clip \"{}\": {} frames at {:g} fps>", self.name,
                               model::frame_count(self), model::frame_rate(self));
        });
}

py::array dense_weights(const Character& character) {
    const std::size_t vertices = character.skin.vertex_count(), joints = character.skeleton.size();
    py::array_t<float> array({vertices, joints});
    std::fill_n(array.mutable_data(), vertices * joints, 0.0f);
    auto to = array.mutable_unchecked<2>();
    for (std::size_t v = 0; v < vertices; ++v)
        for (const model::Influence& influence : character.skin.of(v))
            to(static_cast<py::ssize_t>(v), character.skin.joints[influence.joint].joint) += influence.weight;
    return array;
}

void set_dense_weights(Character& character, const Floats& array) {
    if (array.ndim() != 2 || array.shape(0) != static_cast<py::ssize_t>(character.mesh.vertex_count()) ||
        array.shape(1) != static_cast<py::ssize_t>(character.skeleton.size()))
        fail(character.name, "weights are an array ({}, {}): vertices and joints",
             character.mesh.vertex_count(), character.skeleton.size());
    model::Skin skin;
    skin.joints = model::bind_at_rest(character.skeleton);
    const auto from = array.unchecked<2>();
    std::vector<model::Influence> list;
    for (py::ssize_t v = 0; v < array.shape(0); ++v) {
        list.clear();
        for (py::ssize_t j = 0; j < array.shape(1); ++j)
            if (from(v, j) > 0) list.push_back({static_cast<std::uint32_t>(j), from(v, j)});
        skin.push_vertex(list);
    }
    model::clean(skin);
    character.skin = std::move(skin);
}

void add_character(py::module_& module) {
    py::class_<Character, CharacterPointer>(module, "Character", py::dynamic_attr(),
                                            R"(A mesh, a skeleton, the skin between them, and clips.

    Any of them may be missing. What a function made has its figures in `report`, as the command line
    writes them with --report.

    >>> man = sinew.sample("man")
    >>> man
    <sinew.Character "man": 11368 vertices, 42 joints, skinned, 2 clips>
    >>> [clip.name for clip in man.clips]
    ['walk', 'walk-in-place']
    >>> man.weights.shape, round(float(man.weights.sum(axis=1).min()), 3)
    ((11368, 42), 1.0)
    >>> man.world("walk", time=0.5).shape
    (42, 4, 4)
    )")
        .def(py::init([](const py::object& mesh, const py::object& skeleton, const std::string& name) {
                 auto character = std::make_shared<Character>();
                 character->name = name;
                 if (!mesh.is_none()) character->mesh = mesh.cast<const Mesh&>();
                 if (!skeleton.is_none()) character->skeleton = skeleton.cast<const Skeleton&>();
                 model::validate(*character, name.empty() ? "character" : name);
                 return character;
             }),
             py::arg("mesh") = py::none(), py::arg("skeleton") = py::none(), py::arg("name") = "")
        .def_readwrite("name", &Character::name, "Name of the character; files are often named so.")
        .def_readonly("mesh", &Character::mesh, "The rest mesh.")
        .def_readonly("skeleton", &Character::skeleton, "The joints and their rest pose.")
        .def_property_readonly(
            "clips",
            [](const py::object& self) {
                py::list list;
                for (Clip& clip : self.cast<Character&>().clips)
                    list.append(py::cast(clip));  // a copy: the list may grow
                return list;
            },
            "Copies of the motions.")
        .def(
            "add_clip",
            [](Character& self, const Clip& clip) {
                model::validate(clip, self.skeleton.size(), self.mesh.morphs.size(), clip.name);
                self.clips.push_back(clip);
            },
            py::arg("clip"), "Add a motion whose tracks are for the joints of this skeleton.")
        .def_property("weights", &dense_weights, &set_dense_weights,
                      "Skin weights (vertices, joints), a dense copy. Setting them binds the skin at rest.")
        .def_property_readonly("has_skin", &Character::has_skin, "Whether the mesh has skin weights.")
        .def(
            "world",
            [](const Character& self, const py::object& clip, double time) {
                return matrices_of(model::world_matrices(self, clip_of(self, clip), time));
            },
            py::arg("clip") = py::none(), py::arg("time") = 0.0,
            "World matrices of the joints (joints, 4, 4) at a time of a clip; of the rest pose without one.")
        .def(
            "copy", [](const Character& self) { return std::make_shared<Character>(self); },
            "A character of its own: changes of one are not seen in the other.")
        .def("__repr__", [](const Character& self) {
            return fmt::format("<sinew.Character \"{}\": {} vertices, {} joints{}, {} clip{}>", self.name,
                               self.mesh.vertex_count(), self.skeleton.size(),
                               self.has_skin() ? ", skinned" : "", self.clips.size(),
                               self.clips.size() == 1 ? "" : "s");
        });
}

void add_sequence_and_trial(py::module_& module) {
    py::class_<MeshSequence, std::shared_ptr<MeshSequence>>(module, "MeshSequence",
                                                            R"(A mesh that moves vertex by vertex.

    >>> import numpy as np
    >>> mesh = sinew.Mesh(np.eye(3), [[0, 1, 2]])
    >>> sinew.MeshSequence(mesh, np.zeros((5, 3, 3)), rate=25).frames.shape
    (5, 3, 3)
    )")
        .def(py::init([](const Mesh& rest, const Floats& frames, double rate) {
                 auto sequence = std::make_shared<MeshSequence>();
                 sequence->rest = rest;
                 sequence->rate = rate;
                 if (frames.ndim() != 3 || frames.shape(2) != 3)
                     fail("frames", "is an array (frames, vertices, 3)");
                 const auto count = static_cast<std::size_t>(frames.shape(1));
                 const auto* data = reinterpret_cast<const Vec3f*>(frames.data());
                 for (py::ssize_t f = 0; f < frames.shape(0); ++f, data += count)
                     sequence->frames.emplace_back(data, data + count);
                 model::validate(*sequence, "frames");
                 return sequence;
             }),
             py::arg("rest"), py::arg("frames"), py::arg("rate") = 30.0)
        .def_readonly("rest", &MeshSequence::rest, "The mesh whose vertices move.")
        .def_readonly("rate", &MeshSequence::rate, "Frames per second.")
        .def_property_readonly(
            "frames",
            [](const MeshSequence& self) {
                const std::size_t count = self.rest.vertex_count();
                py::array_t<float> array({self.frames.size(), count, std::size_t{3}});
                float* to = array.mutable_data();
                for (const auto& frame : self.frames)
                    to = std::copy_n(reinterpret_cast<const float*>(frame.data()), 3 * count, to);
                return array;
            },
            "A copy (frames, vertices, 3).")
        .def("__len__", [](const MeshSequence& self) { return self.frames.size(); });
    py::class_<Trial, std::shared_ptr<Trial>>(module, "Trial", "Markers that a laboratory measured.")
        .def_readonly("name", &Trial::name, "Name of the trial.")
        .def_readonly("rate", &Trial::rate, "Frames per second.")
        .def_property_readonly(
            "labels",
            [](const Trial& self) {
                std::vector<std::string> labels;
                for (const model::PointInfo& info : self.markers.info) labels.push_back(info.label);
                return labels;
            },
            "Names of the markers.")
        .def_property_readonly(
            "markers",
            [](const Trial& self) {
                const std::size_t count = self.markers.count();
                py::array_t<double> array({self.markers.frames(), count, std::size_t{3}});
                double* to = array.mutable_data();
                for (std::size_t f = 0; f < self.markers.frames(); ++f)
                    for (std::size_t m = 0; m < count; ++m) {
                        const math::Vec3d at = model::world_position(self, f, m);
                        to = std::copy_n(at.data(), 3, to);
                    }
                return array;
            },
            "Positions (frames, markers, 3) in metres with +Y up, a copy; NaN where nothing was measured.")
        .def("__repr__", [](const Trial& self) {
            return fmt::format("<sinew.Trial \"{}\": {} markers, {} frames at {:g} fps>", self.name,
                               self.markers.count(), self.frames, self.rate);
        });
}

}  // namespace

py::array matrices_of(std::span<const math::Mat4d> matrices) {
    py::array_t<double> array({matrices.size(), std::size_t{4}, std::size_t{4}});
    double* to = array.mutable_data();
    for (const math::Mat4d& matrix : matrices)
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 4; ++c) *to++ = matrix(r, c);
    return array;
}

const Clip* clip_of(const Character& character, const py::object& clip) {
    if (clip.is_none()) return nullptr;
    if (py::isinstance<Clip>(clip)) return clip.cast<const Clip*>();
    return model::find_clip(character, py::str(clip).cast<std::string>());
}

void add_types(py::module_& module) {
    add_mesh(module);
    add_skeleton(module);
    add_clip(module);
    add_character(module);
    add_sequence_and_trial(module);
}

}  // namespace sinew::python
