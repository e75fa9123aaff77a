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
                                      description="Path of the program sinew; if empty, it is searched in PATH")
    keep_files: bpy.props.BoolProperty(name="Keep Files", default=False,
                                       description="Keep the temporary files that Blender and sinew exchange, and print their folder")

    def draw(self, context):
        self.layout.prop(self, "program")
        try:
            self.layout.label(text=operators.find_program(self.program), icon="CHECKMARK")
        except operators.Failure as failure:
            self.layout.label(text=str(failure), icon="ERROR")
        self.layout.prop(self, "keep_files")


class SinewSettings(bpy.types.PropertyGroup):
    skeleton: bpy.props.EnumProperty(name="Skeleton", default="auto", items=(
        ("auto", "Automatic", "Fits a template to bipeds and quadrupeds; else tries the methods and keeps the best skeleton"),
        ("template-biped", "Biped", "Fits a human skeleton into the body"),
        ("template-quadruped", "Quadruped", "Fits the skeleton of a four-legged animal into the body"),
        ("template-hand", "Hand", "Fits the skeleton of a hand into the body"),
        ("contraction", "Contraction", "Mesh contraction to a curve; any shape"),
        ("voxel", "Voxels", "Deepest paths through the voxelised interior; any shape"),
        ("silhouette", "Silhouette", "Medial axis of the outline in the best view, depth by rays")))
    fingers: bpy.props.BoolProperty(name="Fingers", default=True, description="Add finger bones if the hands have fingers")
    bind_method: bpy.props.EnumProperty(name="Weights", default="auto", items=(
        ("auto", "Automatic", "Chooses by the mesh, and reports the choice"),
        ("voxel", "Voxels", "Geodesic distance through the voxelised interior; works on open and multi-part meshes"),
        ("heat", "Heat", "Heat diffusion from the nearest visible bone"),
        ("biharmonic", "Biharmonic", "Bounded biharmonic weights in the voxelised interior"),
        ("regions", "Regions", "Segments the mesh at its thinnest cross-sections and blends across them"),
        ("rigid", "Rigid", "The nearest bone only")))
    softness: bpy.props.FloatProperty(name="Softness", default=0.5, min=0, max=1, subtype="FACTOR",
                                      description="Width of the blend at the joints: 0 is rigid, 1 is softest")
    max_influences: bpy.props.IntProperty(name="Max Influences", default=4, min=0, max=64,
                                          description="Largest number of bones per vertex; 0 sets no limit")
    preserve_volume: bpy.props.BoolProperty(name="Preserve Volume", default=False,
                                            description="Deform with dual quaternion skinning")
    in_place: bpy.props.BoolProperty(name="In Place", default=False, description="Remove the travel of the character")
    foot_contacts: bpy.props.BoolProperty(name="Foot Contacts", default=True,
                                          description="Keep feet from sliding while they are on the ground")
    skeleton_file: bpy.props.StringProperty(name="ASF Skeleton", subtype="FILE_PATH",
                                            description="Skeleton of an AMC motion; if empty, the only .asf file in its folder is used")
    bones: bpy.props.IntProperty(name="Bones", default=20, min=1, max=500, description="Number of bones that replay the mesh animation")


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
