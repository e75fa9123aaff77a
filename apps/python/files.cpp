// SPDX-License-Identifier: MIT
// read, write, sample.

#include "binding.h"

#include "sinew/sample/samples.h"

namespace sinew::python {
namespace {

py::object read(const std::filesystem::path& path, const std::string& units, const std::string& up,
                double rate, bool strict, const py::object& progress) {
    io::ReadOptions options;
    options.units = units;
    options.up = up;
    options.rate = rate;
    options.strict = strict;
    return from_asset(run(progress, [&](Monitor& monitor) {
        io::Asset asset = io::read(path, options, monitor);
        if (asset.character.name.empty()) asset.character.name = path.stem().string();
        return asset;
    }));
}

void write(const std::filesystem::path& path, const py::object& what, double rate, const std::string& units,
           const py::object& progress) {
    io::WriteOptions options;
    options.rate = rate;
    options.units = units;
    const io::Asset asset = asset_of(what, silent());
    run(progress, [&](Monitor& monitor) { io::write(path, asset, options, monitor); });
}

}  // namespace

io::Asset asset_of(const py::object& thing, Monitor& monitor) {
    io::Asset asset;
    if (py::isinstance<model::Character>(thing)) {
        asset.character = thing.cast<const model::Character&>();
    } else if (py::isinstance<model::Trial>(thing)) {
        asset.trial = thing.cast<const model::Trial&>();
    } else if (py::isinstance<model::MeshSequence>(thing)) {
        asset.sequence = thing.cast<const model::MeshSequence&>();
    } else if (py::isinstance<geometry::Mesh>(thing)) {
        asset.character.mesh = thing.cast<const geometry::Mesh&>();
        asset.character.name = asset.character.mesh.name;
    } else {
        const auto path = thing.cast<std::filesystem::path>();
        asset = io::read(path, {}, monitor);
        if (asset.character.name.empty()) asset.character.name = path.stem().string();
    }
    return asset;
}

py::object from_asset(io::Asset asset) {
    if (!asset.sequence.empty())
        return py::cast(std::make_shared<model::MeshSequence>(std::move(asset.sequence)));
    const bool character = asset.character.has_mesh() || asset.character.has_skeleton();
    if (!character && !asset.trial.empty())
        return py::cast(std::make_shared<model::Trial>(std::move(asset.trial)));
    return py::cast(std::make_shared<model::Character>(std::move(asset.character)));
}

void add_files(py::module_& module) {
    module.def("read", &read, py::arg("path"), py::kw_only(), py::arg("units") = "", py::arg("up") = "",
               py::arg("rate") = 0.0, py::arg("strict") = false, py::arg("progress") = py::none(),
               R"(Read a file: a Character (any part of one), a MeshSequence or a Trial.

    The suffix determines the format: glb, gltf, vrm, fbx, bvh, asf, amc, obj, ply, stl, c3d, trc, pc2, ...
    `units` ("m", "cm", "mm", "in", "ft") and `up` ("x", "y", "z") override what the file says, or does not say.
    `progress` is called with (fraction, text).

    >>> sinew.write("man.glb", sinew.sample("man"))
    >>> sinew.read("man.glb").skeleton
    <sinew.Skeleton of 42 joints>
    >>> sinew.read("missing.glb")
    Traceback (most recent call last):
    sinew.Error: missing.glb: cannot open: No such file or directory
    )");
    module.def("write", &write, py::arg("path"), py::arg("what"), py::kw_only(), py::arg("rate") = 0.0,
               py::arg("units") = "", py::arg("progress") = py::none(),
               R"(Write a Character, Mesh, MeshSequence or Trial; the suffix determines the format.

    >>> man = sinew.sample("man")
    >>> sinew.write("walk.bvh", man)
    >>> sinew.write("man.obj", man.mesh)
    )");
    module.def(
        "sample",
        [](const std::string& name) { return std::make_shared<model::Character>(sample::make(name)); },
        py::arg("name"),
        R"(A character that is built in: "man", "horse", "cat", "hand", "tube", ...

    >>> sinew.sample("horse").has_skin
    True
    )");
}

}  // namespace sinew::python
