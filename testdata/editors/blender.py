# Opens GLB files in Blender, edits them as a person does, and saves them:
#   blender --background --factory-startup --python blender.py -- JOBS
# JOBS is a JSON file with a list of [edit, source, target]. A line says of each what happened.
import json, sys
import bpy
import numpy
from mathutils import Quaternion, Vector

# The add-on of Blender 3.4 uses names that newer versions of numpy lack.
for name, value in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, value)


class Nothing(Exception):
    """There is nothing to edit."""


def asset(ob):
    own = ob.get("usher")
    own = own.get("asset") if hasattr(own, "get") else None
    return own if hasattr(own, "get") else {}


def is_level(ob):
    return "lodOf" in asset(ob) or "$lod" in ob.name


def seen():
    """The objects that a person takes for the model."""
    found = [o for o in bpy.data.objects if o.type == "MESH" and not is_level(o) and len(o.data.polygons) > 0
             and "$" not in o.name and "_mount" not in o.name and not any(m.type == "ARMATURE" for m in o.modifiers)]
    return sorted(found, key=lambda o: o.name)


def part():
    found = [o for o in seen() if o.parent] or seen()
    if not found:
        raise Nothing
    return found[0]


def levels():
    found = [o for o in bpy.data.objects if is_level(o)]
    if not found:
        raise Nothing
    return found


def roots():
    return [o for o in bpy.data.objects if o.parent is None and not is_level(o)]


def root():
    return max(roots(), key=lambda o: len(o.children_recursive) * 2 + (o.type != "EMPTY"))


def size():
    corners = [o.matrix_world @ Vector(c) for o in bpy.data.objects if o.type == "MESH" and not is_level(o) for c in o.bound_box]
    corners = corners or [o.matrix_world.translation for o in bpy.data.objects]  # of an animation
    return max(max(c[k] for c in corners) - min(c[k] for c in corners) for k in range(3)) or 1


def shift(ob, share):
    scale = ob.parent.matrix_world.median_scale if ob.parent else 1
    ob.location += Vector((1, 0.5, -0.7)) * (share * size() / scale)


def turn(ob):
    ob.rotation_mode = "QUATERNION"
    ob.rotation_quaternion = ob.rotation_quaternion @ Quaternion((0, 0, 1), 1.5707963)


def scale(ob, x, y, z):
    ob.scale = (ob.scale[0] * x, ob.scale[1] * y, ob.scale[2] * z)


def only(*list):
    bpy.ops.object.select_all(action="DESELECT")
    for o in list:
        o.select_set(True)
    bpy.context.view_layer.objects.active = list[0]


def empty_above():
    above = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(above)
    for o in [o for o in bpy.data.objects if o.parent is None and o is not above]:
        o.parent = above
    above.scale = (2, 2, 2)


def scale_and_apply():
    o = part()
    o.data = o.data.copy()
    only(o)
    scale(o, 1.5, 1.5, 1.5)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)


def move_vertex():
    found = seen() or [o for o in bpy.data.objects if o.type == "MESH" and not is_level(o)]
    if not found:
        raise Nothing
    o = found[0]
    at = o.data.vertices[0].co.copy()
    by = Vector((1, 0.5, -0.7)) * (0.05 * size() / (o.matrix_world.median_scale or 1))  # an animation hides by a scale of 0
    same = [i for i, v in enumerate(o.data.vertices) if (v.co - at).length < 1e-6]
    keys = o.data.shape_keys.key_blocks if o.data.shape_keys else []
    for i in same:
        o.data.vertices[i].co += by
        for k in keys:
            k.data[i].co += by


def join():
    found = seen()
    if len(found) < 2:
        raise Nothing
    only(found[0], found[1])
    bpy.ops.object.join()


def separate():
    o = part()
    if len(o.data.polygons) < 4:
        raise Nothing
    only(o)
    for i, p in enumerate(o.data.polygons):
        p.select = i < len(o.data.polygons) // 2
    for e in o.data.edges:
        e.select = False
    for v in o.data.vertices:
        v.select = False
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_mode(type="FACE")
    bpy.ops.object.mode_set(mode="OBJECT")
    for i, p in enumerate(o.data.polygons):
        p.select = i < len(o.data.polygons) // 2
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.separate(type="SELECTED")
    bpy.ops.object.mode_set(mode="OBJECT")


def copy():
    o = part()
    twin = o.copy()
    bpy.context.scene.collection.objects.link(twin)
    shift(twin, 0.2)


def instance():
    o = part()
    group = bpy.data.collections.new("Group")
    group.objects.link(o)
    e = bpy.data.objects.new("Instance", None)
    e.instance_type, e.instance_collection = "COLLECTION", group
    bpy.context.scene.collection.objects.link(e)
    e.location = Vector((1, 0.5, -0.7)) * (0.2 * size())


def delete_levels():
    for o in levels():
        bpy.data.objects.remove(o)


def rename_material():
    found = [m for o in seen() for m in o.data.materials if m]
    if not found:
        raise Nothing
    found[0].name = "Repainted"


def bezier():
    for action in bpy.data.actions:
        for curve in action.fcurves:
            if curve.data_path.endswith(("rotation_quaternion", "location")) and len(curve.keyframe_points) > 2:
                for k in curve.keyframe_points:
                    k.interpolation = "BEZIER"
                    k.handle_left_type = k.handle_right_type = "AUTO"
                curve.update()
                return
    raise Nothing


def select_seen():
    only(*[o for o in bpy.data.objects if not is_level(o) and "$" not in o.name])


EDITS = {
    "save": (lambda: None, {}),
    "save without sampling": (lambda: None, {"export_force_sampling": False}),
    "save without Custom Properties": (lambda: None, {"export_extras": False}),
    "save the selection": (select_seen, {"use_selection": True}),
    "save with Z up": (lambda: None, {"export_yup": False}),
    "root moved": (lambda: shift(root(), 0.1), {}),
    "root turned": (lambda: turn(root()), {}),
    "root scaled": (lambda: scale(root(), 2, 2, 2), {}),
    "all below an Empty x2": (empty_above, {}),
    "part moved": (lambda: shift(part(), 0.1), {}),
    "part turned": (lambda: turn(part()), {}),
    "part scaled": (lambda: scale(part(), 1.5, 1.5, 1.5), {}),
    "part mirrored": (lambda: scale(part(), -1, 1, 1), {}),
    "part scaled and applied": (scale_and_apply, {}),
    "vertex moved": (move_vertex, {}),
    "two parts joined": (join, {}),
    "half separated": (separate, {}),
    "linked copy": (copy, {}),
    "collection instance": (instance, {}),
    "levels deleted": (delete_levels, {}),
    "level moved": (lambda: shift(levels()[0], 0.1), {}),
    "part renamed": (lambda: setattr(part(), "name", "Renamed"), {}),
    "material renamed": (rename_material, {}),
    "Bezier keys, sampled": (bezier, {}),
    "Bezier keys, not sampled": (bezier, {"export_force_sampling": False}),
}

for edit, source, target in json.load(open(sys.argv[sys.argv.index("--") + 1])):
    try:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=source)
        change, options = EDITS[edit]
        bpy.context.view_layer.update()
        change()
        bpy.ops.export_scene.gltf(**{"filepath": target, "export_format": "GLB", "export_extras": True, "export_cameras": True, **options})
        print("JOB ok", edit, source)
    except Nothing:
        print("JOB nothing", edit, source)
    except Exception as e:  # the program's own failure
        print("JOB FAIL", edit, source, str(e).strip().replace("\n", " "))
