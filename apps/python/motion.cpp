// SPDX-License-Identifier: MIT
// animate, retarget, solve, gait.

#include "options.h"

#include "sinew/gait/report.h"
#include "sinew/pipeline/publish.h"

namespace sinew::python {
namespace {

/// The motion of a path, a Character with clips or a Trial: taken with the GIL, read without.
struct MotionSource {
    std::optional<std::filesystem::path> path;
    io::Asset asset;
    std::string name;

    explicit MotionSource(const py::object& motion) {
        if (py::isinstance<model::Character>(motion) || py::isinstance<model::Trial>(motion)) {
            asset = asset_of(motion, silent());
            name = asset.character.name.empty() ? asset.trial.name : asset.character.name;
        } else {
            path = motion.cast<std::filesystem::path>();
        }
    }
    pipeline::Motion load(Monitor& monitor) {
        return path ? pipeline::load_motion(*path, {}, monitor)
                    : pipeline::load_motion(std::move(asset), name, {}, monitor);
    }
};

py::object animate(const model::Character& character, const py::object& motion, const std::string& clip,
                   bool force, std::optional<double> arm_space, py::kwargs words) {
    const py::object progress = take_progress(words);
    pipeline::AnimateOptions options;
    options.clip = clip;
    options.force = force;
    if (arm_space) options.arm_space = math::radians(*arm_space);
    options.rig = rig_options(words);
    MotionSource source(motion);
    pipeline::AnimateResult made = run(progress, [&](Monitor& monitor) {
        return pipeline::animate(character, source.load(monitor), options, monitor);
    });
    Json report = made.rig ? pipeline::report_of(*made.rig) : Json::object();
    report.update(pipeline::report_of(made.retarget));
    report["unmeasured"] = made.unmeasured;
    report["space"] = pipeline::report_of(made.space);
    return with_report(std::move(made.character), report);
}

py::object retarget(const py::object& motion, const model::Character& target, const std::string& clip,
                    const py::object& progress) {
    MotionSource source(motion);
    motion::RetargetResult moved = run(progress, [&](Monitor& monitor) {
        return pipeline::retarget(source.load(monitor), clip, target.skeleton, {}, monitor);
    });
    const Json report = pipeline::report_of(moved);
    model::Character result = target;
    result.clips = {std::move(moved.clip)};
    return with_report(std::move(result), report);
}

py::object solve(const py::object& trial, const py::object& skeleton, bool clean,
                 const py::object& progress) {
    pipeline::MotionOptions options;
    options.solve.clean = clean;
    if (!skeleton.is_none()) options.solve.skeleton = skeleton.cast<const model::Skeleton&>();
    io::Asset asset = asset_of(trial, silent());
    const std::string name = asset.trial.name.empty() ? asset.character.name : asset.trial.name;
    pipeline::Motion motion = run(progress, [&](Monitor& monitor) {
        if (asset.trial.markers.empty()) fail(name, "holds no markers to solve");
        return pipeline::load_motion(std::move(asset), name, options, monitor);
    });
    return with_report(std::move(motion.character),
                       motion.fit ? pipeline::report_of(motion.fit->result) : Json());
}

py::object gait(const py::object& trial, const py::object& page,
                const std::map<std::string, py::object>& measures, bool keep_names,
                const py::object& progress) {
    io::Asset asset = asset_of(trial, silent());
    const std::string name = asset.trial.name.empty() ? asset.character.name : asset.trial.name;
    pipeline::GaitReportOptions options;
    options.anonymous = !keep_names;
    for (const auto& [key, value] : measures)
        gait::set_measure(options.gait.measures, key + "=" + py::str(value).cast<std::string>());
    const pipeline::GaitReport report = run(progress, [&](Monitor& monitor) {
        return pipeline::gait_report(std::move(asset), name, options, monitor);
    });
    if (!page.is_none()) {
        gait::GaitPage head;
        if (keep_names) head.title = "Gait report: " + name;
        head.anonymous = !keep_names;
        head.fit = report.fit();
        head.normal = gait::published_normal(report.analysis.measures);
        write_file(page.cast<std::filesystem::path>(), gait::gait_page(head, report.analysis));
    }
    Json json = gait::to_json(report.analysis);
    if (const Json fit = report.fit(); !fit.is_null()) json["solve"] = fit;
    return to_python(json);
}

}  // namespace

void add_motion(py::module_& module) {
    module.def("animate", &animate, py::arg("character"), py::arg("motion"), py::arg("clip") = "",
               py::arg("force") = false, py::arg("arm_space") = py::none(),
               R"(Put a motion on a rigged character, or on a mesh, which is rigged first.

    motion is a file (BVH, C3D, AMC, GLB, ...), a Character with clips or a Trial, whose markers are solved.
    arm_space is how many degrees the arms are held off the body; by default as many as keep them out of it.
    Further options are those of `rig`. The same bytes as `sinew animate` when it is written.

    >>> man = sinew.sample("man")
    >>> sinew.write("walk.bvh", man)
    >>> walking = sinew.animate(sinew.Character(man.mesh, name="man"), "walk.bvh")
    >>> walking.clips
    [<sinew.Clip "walk": 331 frames at 60 fps>]
    >>> sinew.write("walking.glb", walking)
    )");
    module.def("retarget", &retarget, py::arg("motion"), py::arg("target"), py::arg("clip") = "",
               py::kw_only(), py::arg("progress") = py::none(),
               R"(Move a clip onto the skeleton of another character; returns the target with this clip.

    >>> moved = sinew.retarget(sinew.sample("man"), sinew.sample("man"), clip="walk-in-place")
    >>> moved.clips[0].name
    'walk-in-place'
    )");
    module.def("solve", &solve, py::arg("trial"), py::kw_only(), py::arg("skeleton") = py::none(),
               py::arg("clean") = true, py::arg("progress") = py::none(),
               R"(Fit a moving skeleton to the markers of a Trial or of a file (c3d, trc).

    The markers are cleaned first; `report` says how well they fit.

    >>> sinew.solve(sinew.sample("man"))
    Traceback (most recent call last):
    sinew.Error: man: holds no markers to solve
    )");
    module.def(
        "gait", &gait, py::arg("trial"), py::arg("page") = py::none(), py::kw_only(),
        py::arg("measures") = std::map<std::string, py::object>(), py::arg("keep_names") = false,
        py::arg("progress") = py::none(),
        R"(Analyse a walk: events, cycles, joint angles, times, as a dictionary; `page` is an HTML report
    to write, without pictures. `measures` are those of `sinew gait --measure`, such as {"Age": 40}.

    >>> report = sinew.gait(sinew.sample("man"))
    >>> len(report["cycles"]) > 4
    True
    )");
}

}  // namespace sinew::python
