# SPDX-License-Identifier: MIT
"""Rig, Bind, Retarget, Fit and Publish: each writes files, runs sinew, and reads the result.

In a window they run beside Blender, with progress and cancel (Esc, or the button of the panel). Without a window, and with
`wait=True`, they return when the work is done.
"""

import glob
import os

import bpy
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import apply, exchange
from .process import Failure, Folder, Job, find_program

running = None  # the operator that works beside Blender, for the panel


def preference(context, name, otherwise):
    """`blender --addons` enables an add-on without preferences."""
    addon = context.preferences.addons.get(__package__)
    return getattr(addon.preferences, name) if addon else otherwise


def selected_meshes(context):
    """The active mesh first, as it gives its name."""
    meshes = [chosen for chosen in context.selected_objects if chosen.type == "MESH"]
    return sorted(meshes, key=lambda mesh: mesh != context.active_object)


def selected_armature(context):
    if context.active_object and context.active_object.type == "ARMATURE":
        return context.active_object
    return next((chosen for chosen in context.selected_objects if chosen.type == "ARMATURE"), None)


def objects_of(names):
    """By name: references become invalid after an undo."""
    found = [bpy.data.objects.get(name) for name in names]
    if None in found:
        raise Failure(f"\"{names[found.index(None)]}\" was deleted: nothing was changed")
    return found


def refuse_generated(meshes):
    """Vertices that a modifier makes have no weights of their own."""
    for mesh in meshes:
        if any(m.type == "MIRROR" and m.show_viewport for m in mesh.modifiers):
            raise Failure(f"\"{mesh.name}\" has a Mirror modifier: apply it first, because Sinew needs the whole body")


class SinewOperator:
    """What the operators have in common. `prepare` gives the arguments for sinew, `finish` reads the result and returns
    the message for the user."""

    bl_options = {"UNDO"}
    wait: bpy.props.BoolProperty(name="Wait", default=False, options={"HIDDEN", "SKIP_SAVE"},
                                 description="Return when the work is done, even if Blender has a window")

    @classmethod
    def poll(cls, context):
        if running:
            cls.poll_message_set("Sinew is running")
            return False
        return cls.usable(context)

    def execute(self, context):
        self.folder = Folder(preference(context, "keep_files", False))
        self.job = None
        try:
            program = find_program(preference(context, "program", ""))
            self.job = Job(program, self.prepare(context), self.folder.path)
        except Failure as failure:
            return self.fail(str(failure))
        if bpy.app.background or self.wait:
            return self.end(context, self.job.wait())
        return self.begin_modal(context)

    def begin_modal(self, context):
        global running
        running = self
        self.cancelled = False
        manager = context.window_manager
        self.timer = manager.event_timer_add(0.1, window=context.window)
        manager.progress_begin(0, 100)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS":
            self.cancelled = True
        if event.type != "TIMER" and not self.cancelled:
            return {"PASS_THROUGH"}
        code = self.job.poll()
        context.window_manager.progress_update(round(100 * self.job.progress))
        context.workspace.status_text_set(f"Sinew: {self.status()}    Esc: Cancel")
        for area in context.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
        if code is None and not self.cancelled:
            return {"PASS_THROUGH"}
        self.end_modal(context)
        if not self.cancelled:
            return self.end(context, code)
        self.close()
        self.report({"INFO"}, "Cancelled: nothing was changed")
        return {"CANCELLED"}

    def end_modal(self, context):
        global running
        running = None
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)

    def cancel(self, context):
        """Blender closes."""
        if running is self:
            self.end_modal(context)
        self.close()

    def status(self):
        return f"{self.job.stage or self.bl_label} {100 * self.job.progress:.0f} %"

    def end(self, context, code):
        for warning in self.job.warnings:
            self.report({"WARNING"}, warning)
        if code != 0:
            return self.fail("; ".join(self.job.errors) or f"sinew ended with code {code}")
        try:
            said = self.finish(context)
        except Failure as failure:
            return self.fail(str(failure))
        self.close()
        self.report({"INFO"}, said)
        return {"FINISHED"}

    def fail(self, reason):
        self.close()
        self.report({"ERROR"}, reason)
        return {"CANCELLED"}

    def close(self):
        if self.job:
            self.job.close()
        self.folder.close()


def binding_arguments(settings, option):
    return [option, settings.bind_method, "--softness", f"{settings.softness:.4g}", "--max-influences",
            str(settings.max_influences)]


class SINEW_OT_rig(SinewOperator, bpy.types.Operator):
    """Find a skeleton and skin weights for the selected meshes"""

    bl_idname = "sinew.rig"
    bl_label = "Rig"

    @classmethod
    def usable(cls, context):
        cls.poll_message_set("Select a mesh in Object Mode")
        return context.mode == "OBJECT" and bool(selected_meshes(context))

    def prepare(self, context):
        meshes = selected_meshes(context)
        refuse_generated(meshes)
        self.names = [mesh.name for mesh in meshes]
        exchange.write_rig(self.folder.file("mesh.json"), self.names[0],
                           exchange.mesh_tree([(mesh.data, mesh.matrix_world) for mesh in meshes]))
        settings = context.scene.sinew
        skeleton = [] if settings.skeleton == "auto" else (
            ["--template", settings.skeleton[len("template-"):]] if settings.skeleton.startswith("template-") else
            ["--skeleton-method", settings.skeleton])
        return ["rig", "mesh.json", "-o", "rig.glb", *skeleton, "--joint-frames", "bone", "--fingers",
                "auto" if settings.fingers else "none", *binding_arguments(settings, "--bind-method")]

    def finish(self, context):
        rig = exchange.Rig(self.folder.file("rig.glb"))
        meshes = objects_of(self.names)
        if rig.vertex_count != sum(len(mesh.data.vertices) for mesh in meshes):
            raise Failure("the mesh was changed while Sinew was running: nothing was bound; run it again")
        old = {name for mesh in meshes for name in apply.old_bones(mesh)}
        armature, names = apply.make_armature(context, rig, f"{self.names[0]} Armature", meshes[0].users_collection[0],
                                              meshes[0].matrix_world.to_translation(), max(meshes[0].dimensions) / 20)
        apply.set_weights(meshes, rig, names, old)
        context.view_layer.update()
        for mesh in meshes:
            apply.attach(mesh, armature, context.scene.sinew.preserve_volume)
        return f"\"{armature.name}\": {self.job.said()}"


class SINEW_OT_bind(SinewOperator, bpy.types.Operator):
    """Compute skin weights of the selected meshes for the deforming bones of the selected armature"""

    bl_idname = "sinew.bind"
    bl_label = "Bind"

    @classmethod
    def usable(cls, context):
        cls.poll_message_set("Select meshes and an armature in Object Mode")
        return context.mode == "OBJECT" and bool(selected_meshes(context)) and selected_armature(context) is not None

    def prepare(self, context):
        meshes, armature = selected_meshes(context), selected_armature(context)
        refuse_generated(meshes)
        bones = [bone for bone in armature.data.bones if bone.use_deform]
        if not bones:
            raise Failure(f"\"{armature.name}\" has no deforming bone: enable Deform in the bone properties")
        self.names, self.armature = [mesh.name for mesh in meshes], armature.name
        joints = exchange.joints_tree(armature, bones)
        exchange.write_rig(self.folder.file("mesh.json"), self.names[0],
                           exchange.mesh_tree([(mesh.data, mesh.matrix_world) for mesh in meshes]))
        exchange.write_rig(self.folder.file("skeleton.json"), self.armature, joints=joints)
        return ["bind", "mesh.json", "skeleton.json", "-o", "rig.glb",
                *binding_arguments(context.scene.sinew, "--method")]

    def finish(self, context):
        rig = exchange.Rig(self.folder.file("rig.glb"))
        meshes, (armature,) = objects_of(self.names), objects_of([self.armature])
        names = [joint.name for joint in rig.joints]
        apply.set_weights(meshes, rig, names, {bone.name for bone in armature.data.bones})
        for mesh in meshes:
            apply.attach(mesh, armature, context.scene.sinew.preserve_volume)
        apply.select_only(context, [*meshes, armature], armature)
        return self.job.said()


class SINEW_OT_retarget(SinewOperator, bpy.types.Operator, ImportHelper):
    """Retarget a motion (BVH, C3D, TRC, AMC, FBX, glTF ...) to the selected armature, as an action"""

    bl_idname = "sinew.retarget"
    bl_label = "Retarget"
    filename_ext = ".bvh"
    filter_glob: bpy.props.StringProperty(default="*.bvh;*.c3d;*.trc;*.amc;*.fbx;*.glb;*.gltf;*.vrm;*.dae;*.x",
                                          options={"HIDDEN"})

    @classmethod
    def usable(cls, context):
        cls.poll_message_set("Select an armature in Object or Pose Mode")
        return context.mode in {"OBJECT", "POSE"} and selected_armature(context) is not None

    def prepare(self, context):
        armature = selected_armature(context)
        self.armature = armature.name
        motion = bpy.path.abspath(self.filepath)
        if not os.path.isfile(motion):
            raise Failure(f"{motion}: there is no such file")
        exchange.write_rig(self.folder.file("rig.json"), self.armature,
                           joints=exchange.joints_tree(armature, list(armature.data.bones), "sinew" in armature.data))
        settings = context.scene.sinew
        arguments = ["retarget", motion, "rig.json", "-o", "motion.glb"]
        if motion.lower().endswith(".amc"):
            arguments += ["--skeleton-file", skeleton_of_amc(motion, settings.skeleton_file)]
        if settings.in_place:
            arguments.append("--in-place")
        if not settings.foot_contacts:
            arguments.append("--no-foot-contacts")
        return arguments

    def finish(self, context):
        rig = exchange.Rig(self.folder.file("motion.glb"))
        (armature,) = objects_of([self.armature])
        title = os.path.splitext(os.path.basename(self.filepath))[0]
        action = apply.add_action(context.scene, armature, rig, [joint.name for joint in rig.joints], title)
        return f"action \"{action.name}\", {rig.end:.2f} s; {self.job.said()}"


def skeleton_of_amc(motion, chosen):
    """The chosen .asf, or the only one beside the motion."""
    if chosen:
        return bpy.path.abspath(chosen)
    beside = glob.glob(os.path.join(glob.escape(os.path.dirname(motion)), "*.[aA][sS][fF]"))
    if len(beside) != 1:
        raise Failure(f"{motion} needs its skeleton: {len(beside)} .asf files are in its folder; choose one in the panel")
    return beside[0]


class SINEW_OT_fit(SinewOperator, bpy.types.Operator):
    """Convert the mesh animation of the active object (cache, cloth, shape keys, any modifier) to bones"""

    bl_idname = "sinew.fit"
    bl_label = "Fit"

    @classmethod
    def usable(cls, context):
        cls.poll_message_set("Select an animated mesh in Object Mode")
        return context.mode == "OBJECT" and context.active_object is not None and context.active_object.type == "MESH"

    def prepare(self, context):
        scene, mesh, settings = context.scene, context.active_object, context.scene.sinew
        self.source = mesh.name
        count = scene.frame_end - scene.frame_start + 1
        if count < 2:
            raise Failure("the frame range of the scene has one frame: there is no motion to fit")
        shown = scene.frame_current
        try:
            self.write_frames(context, mesh, count)
        finally:
            scene.frame_set(shown)
        return ["fit", "frames.pc2", "--rest", "rest.json", "-o", "fit.glb", "--rigid", "--bones", str(settings.bones),
                "--influences", str(min(8, settings.max_influences or 8)), "--fps",
                f"{scene.render.fps / scene.render.fps_base:.9g}"]

    def write_frames(self, context, mesh, count):
        scene, cache = context.scene, None
        for frame in range(count):
            scene.frame_set(scene.frame_start + frame)
            seen = mesh.evaluated_get(context.evaluated_depsgraph_get())
            now = seen.to_mesh()
            if frame == 0:
                self.vertex_count = len(now.vertices)
                exchange.write_rig(self.folder.file("rest.json"), mesh.name,
                                   exchange.mesh_tree([(now, seen.matrix_world)]))
                cache = exchange.PointCache(self.folder.file("frames.pc2"), self.vertex_count, count)
            if len(now.vertices) != self.vertex_count:
                raise Failure(f"frame {scene.frame_current} has {len(now.vertices)} vertices, the first has "
                              f"{self.vertex_count}: only a mesh that keeps its vertices becomes bones")
            cache.add(exchange.world_points(now, seen.matrix_world))
            seen.to_mesh_clear()
        cache.close()

    def finish(self, context):
        rig = exchange.Rig(self.folder.file("fit.glb"))
        (source,) = objects_of([self.source])
        scene = context.scene
        shown = scene.frame_current
        scene.frame_set(scene.frame_start)
        seen = source.evaluated_get(context.evaluated_depsgraph_get())
        data = bpy.data.meshes.new_from_object(seen)
        world = seen.matrix_world.copy()
        data.transform(world)
        scene.frame_set(shown)
        data.name = f"{source.name} Fit"
        mesh = bpy.data.objects.new(data.name, data)
        collection = source.users_collection[0]
        collection.objects.link(mesh)
        armature, names = apply.make_armature(context, rig, f"{mesh.name} Armature", collection, (0, 0, 0),
                                              max(source.dimensions) / 20)
        apply.set_weights([mesh], rig, names)
        context.view_layer.update()
        apply.attach(mesh, armature, False)
        end = scene.frame_end
        apply.add_action(scene, armature, rig, names, f"{source.name} Fit")
        scene.frame_end = end
        source.hide_set(True)
        source.hide_render = True
        return f"{len(names)} bones replay \"{source.name}\": {self.job.said()}"


class SINEW_OT_publish(SinewOperator, bpy.types.Operator, ExportHelper):
    """Write one HTML page that plays the selected objects in any browser"""

    bl_idname = "sinew.publish"
    bl_label = "Publish Page"
    filename_ext = ".html"
    filter_glob: bpy.props.StringProperty(default="*.html", options={"HIDDEN"})
    open_page: bpy.props.BoolProperty(name="Open in Browser", default=True)

    @classmethod
    def usable(cls, context):
        cls.poll_message_set("Select the objects for the page in Object Mode")
        return context.mode == "OBJECT" and bool(context.selected_objects)

    def prepare(self, context):
        model = self.folder.file("model.glb")
        chosen, active = list(context.selected_objects), context.active_object
        try:
            for mesh in [o for o in chosen if o.type == "ARMATURE"]:  # an armature comes with its meshes
                for child in mesh.children_recursive:
                    if child.type == "MESH" and child.visible_get():
                        child.select_set(True)
            for mesh in [o for o in chosen if o.type == "MESH"]:  # and a mesh with its armature
                if mesh.find_armature():
                    mesh.find_armature().select_set(True)
            bpy.ops.export_scene.gltf(filepath=model, export_format="GLB", use_selection=True)
        finally:
            apply.select_only(context, chosen, active)
        if not os.path.isfile(model):
            raise Failure("Blender wrote no glTF file of the selection: select a mesh or an armature")
        self.page = bpy.path.abspath(self.filepath)
        title = os.path.splitext(os.path.basename(self.page))[0]
        return ["publish", "model.glb", "-o", self.page, "--title", title, "--method",
                "dqs" if context.scene.sinew.preserve_volume else "lbs"]

    def finish(self, context):
        if self.open_page and not bpy.app.background:
            bpy.ops.wm.url_open(url="file://" + self.page)
        return f"wrote {self.page}"


class SINEW_OT_cancel(bpy.types.Operator):
    """Cancel the running task; nothing is changed"""

    bl_idname = "sinew.cancel"
    bl_label = "Cancel"
    bl_options = {"INTERNAL"}

    def execute(self, context):
        if running:
            running.cancelled = True
        return {"FINISHED"}


classes = (SINEW_OT_rig, SINEW_OT_bind, SINEW_OT_retarget, SINEW_OT_fit, SINEW_OT_publish, SINEW_OT_cancel)
