"""What is done to Blender's scenes between usher's GLB and the game's file."""

import contextlib
import json
import re
import struct

import bpy
import mathutils

SOURCE, ENTRY = "usher_source", "usher_entry"  # what a scene was imported from
TARGET, TARGET_ENTRY = "usher_target", "usher_target_entry"  # where it was exported to last
CLIP, CLIP_ENTRY = "usher_clip", "usher_clip_entry"  # what an action was imported from
MAP = "usher_map"  # the files of the map that a scene shows a box of, and their sums
WATCH = "usher_watch"  # whether a scene is exported again with each save
REST = "usher_rest"  # where an object stood before an animation moved it
OURS = (SOURCE, ENTRY, TARGET, TARGET_ENTRY, CLIP, CLIP_ENTRY, MAP, WATCH, REST, "glTF2ExportSettings")

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
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return value.to_list() if hasattr(value, "to_list") else value


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


def map_parts(context):
    """The formats of the files of a map that the open scene shows."""
    return {"u9-" + plain_name(ob)[3:] for ob in context.scene.objects if not ob.parent and plain_name(ob) in ("u9_fixed", "u9_nonfixed", "u9_terrain")}


def save(context, glb, selection=False):
    """Exports the scene, or what is selected of it, without what only this add-on wants to know."""
    with without_clips(context) as clips:
        write(context, glb, use_selection=selection, **(NO_OTHER_ACTIONS if clips else {}))


# Blender's exporter adds all actions of the file that fit an armature.
NO_OTHER_ACTIONS = {"export_anim_single_armature": False}


def write(context, glb, **settings):
    with without_ours([context.scene, *context.scene.objects, *bpy.data.actions]):
        known = set(bpy.ops.export_scene.gltf.get_rna_type().properties.keys())
        bpy.ops.export_scene.gltf(filepath=glb, **{k: v for k, v in dict(EXPORT, **settings).items() if k in known})


@contextlib.contextmanager
def without_clips(context):
    """Takes animations of files of their own away for a while: they are no part of the model. Says whether there are any."""
    taken = []
    try:
        for ob in context.scene.objects:
            tracks, action = motions(ob)
            mine = [t for t in tracks if any(CLIP in a for _, a in t[1])]
            playing = action if action and CLIP in action else None
            if mine or playing:
                taken.append((ob, mine, playing))
                drop(ob, mine, playing)
                if REST in ob:
                    rest = list(ob[REST])
                    ob.matrix_basis = mathutils.Matrix([rest[i:i + 4] for i in range(0, 16, 4)])
        yield bool(taken)
    finally:
        for ob, tracks, action in taken:
            play(ob, tracks, action)


def drop(ob, tracks, action):
    """Takes tracks, and what it plays, from an object."""
    data, names = ob.animation_data, [name for name, _ in tracks]
    if action:
        data.action = None
    for track in list(data.nla_tracks):
        if track.name in names and any(CLIP in s.action for s in track.strips if s.action):
            data.nla_tracks.remove(track)


@contextlib.contextmanager
def without_ours(holders):
    """Takes the add-on's own properties away for a while."""
    mine = [(holder, key, plain(holder[key])) for holder in holders for key in OURS if key in holder]
    try:
        for holder, key, _ in mine:
            del holder[key]
        yield
    finally:
        for holder, key, value in mine:
            holder[key] = value


# What an import makes; objects come first, since they use the rest.
MADE = ("objects", "meshes", "armatures", "actions", "materials", "images", "cameras", "lights", "collections")


@contextlib.contextmanager
def beside(context, glb):
    """Imports a GLB beside what is open, and takes its objects away in the end."""
    scene = context.scene
    usher, times = plain(scene.get("usher")), (scene.frame_start, scene.frame_end, scene.frame_current)
    chosen, active = list(context.selected_objects), context.view_layer.objects.active
    before = {kind: set(getattr(bpy.data, kind)) for kind in MADE}
    try:
        with without_ours([scene]):
            bpy.ops.import_scene.gltf(filepath=glb)
        yield [ob for ob in bpy.data.objects if ob not in before["objects"]]
    finally:
        for kind in MADE:
            blocks = getattr(bpy.data, kind)
            for block in set(blocks) - before[kind]:
                if kind == "objects" or not block.users:
                    blocks.remove(block)
        scene.frame_start, scene.frame_end, scene.frame_current = times
        if usher is not None:
            scene["usher"] = usher
        elif "usher" in scene:
            del scene["usher"]
        for ob in context.selected_objects:
            ob.select_set(False)
        for ob in chosen:
            ob.select_set(True)
        context.view_layer.objects.active = active


def plain_name(ob):
    """The name of an object without the number that Blender puts behind one that is taken."""
    return re.sub(r"\.\d{3}$", "", ob.name)


def twin(context, ob):
    """The object of the open scene that another one of the same model stands for; None when there is none."""
    others = [o for o in context.scene.objects if o.type == ob.type and o != ob]
    if ob.type == "ARMATURE":
        bones = set(ob.data.bones.keys())
        active = context.view_layer.objects.active
        for o in sorted(others, key=lambda o: (o != active, plain_name(o) != plain_name(ob))):
            if bones <= set(o.data.bones.keys()):
                return o
        return None
    return next((o for o in others if plain_name(o) == plain_name(ob)), None)


def motions(ob):
    """The tracks of an object, as (name, [(start, action)]), and the action that it plays."""
    data = ob.animation_data
    if not data:
        return [], None
    return [(t.name, [(int(s.frame_start), s.action) for s in t.strips if s.action]) for t in data.nla_tracks], data.action


def play(ob, tracks, action):
    """Gives an object tracks beside its own, all silent, and an action to play."""
    data = ob.animation_data_create()
    for name, strips in tracks:
        track = data.nla_tracks.new()
        track.name, track.mute = name, True
        for start, one in strips:
            track.strips.new(one.name, start, one)
    if action:
        data.action = action


def load_clip(context, glb, source, entry):
    """Puts the motions in a GLB onto the objects that are open, and returns how many objects they move."""
    moved = 0
    with beside(context, glb) as made:
        pairs = [(ob, twin(context, ob)) for ob in made if ob.animation_data]
        for ob, open_one in pairs:
            tracks, action = motions(ob)
            used = [a for _, strips in tracks for _, a in strips] + [action]
            if open_one in made or not open_one or not any(used):
                continue
            for one in filter(None, used):
                one[CLIP], one[CLIP_ENTRY] = source, entry
            if REST not in open_one:
                open_one[REST] = [x for row in open_one.matrix_basis for x in row]
            play(open_one, tracks, action)
            moved += 1
    return moved


def clips(context):
    """The files, as (path, entry), that actions of the open scene were imported from."""
    found = []
    for ob in context.scene.objects:
        tracks, action = motions(ob)
        for one in [a for _, strips in tracks for _, a in strips] + [action]:
            if one and CLIP in one and (one[CLIP], one[CLIP_ENTRY]) not in found:
                found.append((one[CLIP], one[CLIP_ENTRY]))
    return found


def save_clip(context, glb, out, clip):
    """Exports a GLB again, whose motions are those that the open objects have of its file now."""
    of_clip = lambda action: action and (action.get(CLIP), action.get(CLIP_ENTRY)) == clip
    with beside(context, glb) as made:
        for ob in made:
            open_one = twin(context, ob)
            if not open_one or open_one in made:
                continue
            tracks, action = motions(open_one)
            if ob.animation_data:
                ob.animation_data_clear()
            tracks = [(name, strips) for name, strips in tracks if any(of_clip(a) for _, a in strips)]
            if tracks or of_clip(action):
                play(ob, tracks, action if of_clip(action) else None)
        for ob in context.selected_objects:
            ob.select_set(False)
        for ob in made:
            if ob.name in context.view_layer.objects:
                ob.select_set(True)
        write(context, out, use_selection=True, **NO_OTHER_ACTIONS)
