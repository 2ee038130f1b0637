"""What is done to Blender's scenes between usher's GLB and the game's file."""

import json
import struct

import bpy

SOURCE, ENTRY = "usher_source", "usher_entry"

# How a GLB is written so that everything comes back; those are passed that this Blender has.
EXPORT = {
    "export_format": "GLB",
    "export_extras": True,
    "export_attributes": True,
    "use_mesh_edges": True,
    "export_cameras": True,
    "export_lights": True,
    "export_yup": True,
    "export_animations": True,
    "export_force_sampling": True,
    "export_optimize_animation_size": False,
    "export_skins": True,
    "export_morph": True,
    "use_selection": False,
    "use_visible": False,
    "use_renderable": False,
    "use_active_collection": False,
    "use_active_scene": True,
}


def plain(value):
    """A custom property as Python's own."""
    return value.to_dict() if hasattr(value, "to_dict") else value


def own(holder):
    value = plain(holder.get("usher"))
    return value if isinstance(value, dict) else {}


def rate(glb):
    """The frames a second of the model in a GLB, where it says so."""
    with open(glb, "rb") as f:
        head = f.read(20)
        doc = json.loads(f.read(struct.unpack("<I", head[12:16])[0]))
    for scene in doc.get("scenes", []):
        extras = scene.get("extras", {}).get("usher", {})
        fps = extras.get("readonly", extras).get("fps")
        if isinstance(fps, (int, float)) and fps >= 1 and fps == int(fps):
            return int(fps)
    return 0


def for_import(context, name):
    """The scene to import into: a new one where another model is already, so that each goes back by itself."""
    if SOURCE not in context.scene:
        return
    if context.window is None:
        return
    context.window.scene = bpy.data.scenes.new(name)


def load(context, glb, source, entry, name):
    """Imports a GLB, and remembers where it came from."""
    for_import(context, name)
    before = set(bpy.data.objects)
    scene = context.scene
    fps = rate(glb)
    if fps:  # before the import, which counts in frames
        scene.render.fps, scene.render.fps_base = fps, 1.0
    bpy.ops.import_scene.gltf(filepath=glb)
    scene[SOURCE], scene[ENTRY] = source, entry
    scene["glTF2ExportSettings"] = {"export_extras": True}  # for those who use Blender's own dialogue
    for ob in set(bpy.data.objects) - before:
        kept = own(ob).get("asset")
        if (isinstance(kept, dict) and "lodOf" in kept or ob.name.split(".")[0].endswith("$wire")) and ob.name in context.view_layer.objects:
            ob.hide_set(True)


def save(context, glb, selection=False):
    """Exports the scene, or what is selected of it, without what only this add-on wants to know."""
    scene = context.scene
    mine = {key: plain(scene[key]) for key in (SOURCE, ENTRY, "glTF2ExportSettings") if key in scene}
    known = set(bpy.ops.export_scene.gltf.get_rna_type().properties.keys())
    try:
        for key in mine:
            del scene[key]
        bpy.ops.export_scene.gltf(filepath=glb, **{k: v for k, v in dict(EXPORT, use_selection=selection).items() if k in known})
    finally:
        for key, value in mine.items():
            scene[key] = value
