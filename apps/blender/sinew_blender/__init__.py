# SPDX-License-Identifier: MIT
"""Sinew in Blender: skeletons, weights, motions and pages by the `sinew` command line."""

import bpy

from . import operators

bl_info = {
    "name": "Sinew",
    "author": "The Sinew authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Sinew",
    "description": "Skeletons and skin weights for meshes, motions for armatures, bones for cached animation, pages to share",
    "category": "Rigging",
}


class SinewPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    program: bpy.props.StringProperty(name="Program", subtype="FILE_PATH",
                                      description="Path of sinew; empty takes the one that a shell finds")
    keep_files: bpy.props.BoolProperty(name="Keep Files", default=False,
                                       description="Keep the files between Blender and sinew, and print their folder")

    def draw(self, context):
        self.layout.prop(self, "program")
        try:
            self.layout.label(text=operators.find_program(self.program), icon="CHECKMARK")
        except operators.Failure as failure:
            self.layout.label(text=str(failure), icon="ERROR")
        self.layout.prop(self, "keep_files")


class SinewSettings(bpy.types.PropertyGroup):
    skeleton: bpy.props.EnumProperty(name="Skeleton", default="auto", items=(
        ("auto", "Automatic", "The template of the body, if it is a biped or quadruped; else what is centred and inside"),
        ("template-biped", "Biped", "A human skeleton is placed inside the body"),
        ("template-quadruped", "Quadruped", "The skeleton of an animal on four legs is placed inside the body"),
        ("template-hand", "Hand", "The skeleton of a hand is placed inside the body"),
        ("contraction", "Contraction", "The surface shrinks to a curve; any shape"),
        ("voxel", "Voxels", "Deepest paths through the voxelised interior; any shape"),
        ("silhouette", "Silhouette", "Outline in the best view, its axis, depth by rays")))
    fingers: bpy.props.BoolProperty(name="Fingers", default=True, description="Bones for fingers where the hands show them")
    bind_method: bpy.props.EnumProperty(name="Weights", default="auto", items=(
        ("auto", "Automatic", "Looks at the mesh and says what it took"),
        ("voxel", "Voxels", "Geodesic distance through the voxelised interior; works on open and multi-part meshes"),
        ("heat", "Heat", "Heat diffusion from the nearest visible bone"),
        ("biharmonic", "Biharmonic", "Smoothest bounded weights in the solid"),
        ("regions", "Regions", "Cuts at the thinnest positions, bands across them"),
        ("rigid", "Rigid", "The nearest bone alone")))
    softness: bpy.props.FloatProperty(name="Softness", default=0.5, min=0, max=1, subtype="FACTOR",
                                      description="0 is rigid at the joints, 1 as soft as it gets")
    max_influences: bpy.props.IntProperty(name="Max Influences", default=4, min=0, max=64,
                                          description="Bones a vertex; 0 sets no limit")
    preserve_volume: bpy.props.BoolProperty(name="Preserve Volume", default=False,
                                            description="Deform with dual quaternions")
    in_place: bpy.props.BoolProperty(name="In Place", default=False, description="The character stays in one position")
    foot_contacts: bpy.props.BoolProperty(name="Foot Contacts", default=True,
                                          description="Pin feet that stand on the ground")
    skeleton_file: bpy.props.StringProperty(name="ASF of AMC", subtype="FILE_PATH",
                                            description="Skeleton of an AMC motion; empty takes the only .asf beside it")
    bones: bpy.props.IntProperty(name="Bones", default=20, min=1, max=500, description="Bones that replay the mesh")


class SINEW_PT_panel(bpy.types.Panel):
    bl_label = "Sinew"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Sinew"

    def draw(self, context):
        settings = context.scene.sinew
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        if operators.running:
            layout.label(text=operators.running.status(), icon="SORTTIME")
            layout.operator("sinew.cancel", icon="CANCEL")

        column = layout.column()
        column.prop(settings, "skeleton")
        column.prop(settings, "fingers")
        column.operator("sinew.rig", icon="OUTLINER_OB_ARMATURE")

        column = layout.column()
        column.prop(settings, "bind_method")
        column.prop(settings, "softness")
        column.prop(settings, "max_influences")
        column.prop(settings, "preserve_volume")
        column.operator("sinew.bind", icon="MOD_VERTEX_WEIGHT")

        column = layout.column()
        column.prop(settings, "in_place")
        column.prop(settings, "foot_contacts")
        column.prop(settings, "skeleton_file")
        column.operator("sinew.retarget", icon="ACTION")

        column = layout.column()
        column.prop(settings, "bones")
        column.operator("sinew.fit", icon="BONE_DATA")
        layout.operator("sinew.publish", icon="URL")


classes = (SinewPreferences, SinewSettings, *operators.classes, SINEW_PT_panel)


def register():
    for each in classes:
        bpy.utils.register_class(each)
    bpy.types.Scene.sinew = bpy.props.PointerProperty(type=SinewSettings)


def unregister():
    del bpy.types.Scene.sinew
    for each in reversed(classes):
        bpy.utils.unregister_class(each)
