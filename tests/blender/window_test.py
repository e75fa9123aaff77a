# SPDX-License-Identifier: MIT
# Inside Blender with a window: work beside Blender with progress, cancel, undo and redo. See check.
import os
import sys
import traceback

import bpy

sys.path.insert(0, os.path.dirname(__file__))
from scene import add_mesh, choose, install, read_obj, work  # noqa: E402


def override():
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    return bpy.context.temp_override(window=window, area=area, region=region)


def script():
    """Yields whenever Blender shall go on by itself."""
    import sinew_blender.operators as operators
    folder = sorted(path.parent for path in work.glob("*/mesh.obj"))[-1]
    for old in list(bpy.data.objects):
        bpy.data.objects.remove(old)
    body = add_mesh("body", *read_obj(folder / "mesh.obj"), bpy.context.scene.collection)
    choose(body)
    with override():
        bpy.context.space_data.show_region_ui = True
        bpy.ops.view3d.view_selected()
        bpy.ops.ed.undo_push(message="a mesh")
        assert bpy.ops.sinew.rig("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    assert operators.running and not bpy.ops.sinew.rig.poll()
    bpy.ops.sinew.cancel()
    while operators.running:
        yield
    assert [o.name for o in bpy.data.objects] == ["body"] and not bpy.data.objects["body"].vertex_groups

    with override():
        assert bpy.ops.sinew.rig("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    seen = set()
    while operators.running:
        seen.add(round(operators.running.job.progress, 2))
        yield
    assert len(seen) > 1, seen
    assert bpy.data.objects["body"].parent.name == "body Armature"
    groups = len(bpy.data.objects["body"].vertex_groups)
    assert groups > 10
    with override():
        bpy.ops.ed.undo()
    yield
    assert [o.name for o in bpy.data.objects] == ["body"] and not bpy.data.objects["body"].vertex_groups
    assert not bpy.data.objects["body"].modifiers and not bpy.data.armatures
    with override():
        bpy.ops.ed.redo()
    yield
    assert bpy.data.objects["body"].parent and len(bpy.data.objects["body"].vertex_groups) == groups
    print(f"addon: window: cancelled, rigged with {len(seen)} steps of progress, undone and redone")


def step(run=script()):
    try:
        next(run)
        return 0.1
    except StopIteration:
        code = 0
    except Exception:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


bpy.context.preferences.view.show_splash = False
install()
bpy.app.timers.register(step, first_interval=1)
