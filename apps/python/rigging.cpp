// SPDX-License-Identifier: MIT
// rig, skeletonize, bind, segment.

#include "binding.h"
#include "options.h"

#include "sinew/base/text.h"
#include "sinew/rig/edit.h"
#include "sinew/rig/segment.h"

namespace sinew::python {
namespace {

/// A value by its name. \throws Error that lists the names.
template <class Value, class Values>
Value named(const char* option, const std::string& word, const Values& values) {
    std::vector<std::string> names;
    for (const Value value : values) {
        names.emplace_back(rig::name_of(value));
        if (equal_ignoring_case(names.back(), word)) return value;
    }
    fail(option, "\"{}\" is not one of auto, {}", word, fmt::join(names, ", "));
}

}  // namespace

py::object with_report(model::Character character, const Json& report) {
    py::object result = py::cast(std::make_shared<model::Character>(std::move(character)));
    result.attr("report") = to_python(report);
    return result;
}

pipeline::RigOptions rig_options(const py::kwargs& words) {
    using Method = rig::SkeletonMethod;
    pipeline::RigOptions options;
    for (const auto& [key, value] : words) {
        const auto word = key.cast<std::string>();
        if (word == "method") {
            if (const auto text = value.cast<std::string>(); text != "auto")
                options.skeleton.method = named<Method>(
                    "method", text,
                    std::array{Method::silhouette, Method::contraction, Method::voxel, Method::from_template,
                               Method::opening, Method::centroid, Method::principal_axis, Method::parts});
        } else if (word == "template") {
            if (py::isinstance<model::Skeleton>(value))
                options.skeleton.template_skeleton = value.cast<model::Skeleton>();
            else if (!value.is_none())
                options.skeleton.template_skeleton =
                    pipeline::load_template(py::str(value).cast<std::string>());
        } else if (word == "bind_method") {
            if (const auto text = value.cast<std::string>(); text != "auto")
                options.bind.method = named<rig::BindMethod>("bind_method", text, rig::bind_methods());
        } else if (word == "max_influences") {
            options.bind.max_influences = value.cast<int>();
        } else if (word == "softness") {
            options.bind.softness = value.cast<double>();
        } else if (word == "joint_frames") {
            const auto text = value.cast<std::string>();
            if (text != "bone" && text != "world")
                fail("joint_frames", "\"{}\" is not one of bone, world", text);
            options.frames = text == "bone" ? rig::JointFrames::bone : rig::JointFrames::world;
        } else {
            throw py::type_error("unexpected argument '" + word +
                                 "': method, template, bind_method, max_influences, softness, joint_frames, "
                                 "progress");
        }
    }
    return options;
}

/// Removes `progress` from the keyword arguments.
py::object take_progress(py::kwargs& words) {
    if (!words.contains("progress")) return py::none();
    return words.attr("pop")("progress");
}

namespace {

py::object rig(const model::Character& character, py::kwargs words) {
    const py::object progress = take_progress(words);
    const pipeline::RigOptions options = rig_options(words);
    pipeline::RigResult made =
        run(progress, [&](Monitor& monitor) { return pipeline::rig_character(character, options, monitor); });
    return with_report(std::move(made.character), pipeline::report_of(made));
}

py::object skeletonize(const model::Character& character, py::kwargs words) {
    const py::object progress = take_progress(words);
    const pipeline::RigOptions options = rig_options(words);
    model::Character out;
    out.name = character.name;
    out.mesh = pipeline::rest_mesh(character);
    const rig::SkeletonizeResult found =
        run(progress, [&](Monitor& monitor) { return pipeline::find_skeleton(out.mesh, options, monitor); });
    out.skeleton = found.skeleton;
    return with_report(std::move(out), pipeline::report_of(found));
}

py::object bind(const model::Character& character, const py::object& skeleton, py::kwargs words) {
    const py::object progress = take_progress(words);
    if (words.contains("method")) words["bind_method"] = words.attr("pop")("method");
    const pipeline::RigOptions options = rig_options(words);
    model::Character out;
    out.name = character.name;
    out.unit = character.unit;
    out.mesh = pipeline::rest_mesh(character);
    out.skeleton = skeleton.is_none() ? character.skeleton : skeleton.cast<const model::Skeleton&>();
    const pipeline::BoundSkin bound = run(progress, [&](Monitor& monitor) {
        model::Character bones;
        bones.skeleton = out.skeleton;
        model::apply(bones, rig::skeleton_to_mesh(out.mesh, bones.skeleton, monitor));
        out.skeleton = bones.skeleton;
        return pipeline::bind_mesh(out.mesh, out.skeleton, options.bind, monitor);
    });
    out.skin = bound.result.skin;
    return with_report(std::move(out), pipeline::report_of(bound));
}

py::tuple segment(const model::Character& character, const std::string& method, const py::object& progress) {
    rig::SegmentationOptions options;
    options.across_shells = true;
    const bool by_rig = method == "rig" || (method == "auto" && character.has_skin());
    if (!by_rig && method != "auto")
        options.method = named<rig::SegmentMethod>(
            "method", method, std::array{rig::SegmentMethod::skeleton, rig::SegmentMethod::diameter});
    const rig::Segmentation parts = run(progress, [&](Monitor& monitor) {
        if (!by_rig) return rig::segment(pipeline::rest_mesh(character), options, monitor);
        model::Character posed = character;
        posed.mesh = pipeline::rest_mesh(character);
        return rig::segment(posed, options, monitor);
    });
    return py::make_tuple(
        py::array_t<int>(static_cast<py::ssize_t>(parts.part_of.size()), parts.part_of.data()), parts.names);
}

}  // namespace

void add_rigging(py::module_& module) {
    module.def("rig", &rig, py::arg("character"),
               R"(Give a mesh a skeleton and skin weights; the same bytes as `sinew rig` when it is written.

    method          auto, silhouette, contraction, voxel, template, parts, ...
    template        "biped", "quadruped", ..., a file with a skeleton, or a Skeleton to fit
    bind_method     auto, regions, heat, voxel, biharmonic, distance, nearest, rigid
    max_influences  largest number of joints per vertex
    softness        width of the blend at the joints: 0 is rigid, 1 is softest
    joint_frames    "bone" (y along the bone) or "world"
    progress        called with (fraction, text); an exception in it cancels

    >>> man = sinew.Character(mesh=sinew.sample("man").mesh, name="man")
    >>> rigged = sinew.rig(man)
    >>> rigged.has_skin, rigged.report["body"]
    (True, 'biped')
    >>> sinew.write("rig.glb", rigged)
    )");
    module.def("skeletonize", &skeletonize, py::arg("character"),
               R"(Find a skeleton for a mesh; options as those of `rig`.

    >>> man = sinew.Character(mesh=sinew.sample("man").mesh)
    >>> sinew.skeletonize(man, template="biped").skeleton.find("LeftHand") > 0
    True
    )");
    module.def("bind", &bind, py::arg("character"), py::arg("skeleton") = py::none(),
               R"(Bind a mesh to a skeleton: the character's own, or the one given. Options: method,
    max_influences, softness, progress.

    >>> man = sinew.sample("man")
    >>> bare = sinew.Character(man.mesh, man.skeleton)
    >>> sinew.bind(bare, method="rigid", max_influences=1).report["max_influences"]
    1
    )");
    module.def("segment", &segment, py::arg("character"), py::kw_only(), py::arg("method") = "auto",
               py::arg("progress") = py::none(),
               R"(Cut a mesh into parts: (part of each triangle, names of the parts).

    method is auto, rig (by the skin), skeleton or diameter.

    >>> parts, names = sinew.segment(sinew.sample("man"))
    >>> len(parts) == len(sinew.sample("man").mesh.triangles), "LeftHand" in names
    (True, True)
    )");
}

}  // namespace sinew::python
