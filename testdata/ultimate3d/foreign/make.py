# Makes the GLB files of this folder:  blender -b --factory-startup --python make.py -- FOLDER
import bpy, math, os, sys
import numpy
for name, value in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, value)  # Blender 3.4 with a newer numpy

target = sys.argv[sys.argv.index("--") + 1]


def start():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30


def save(name):
    bpy.ops.export_scene.gltf(filepath=os.path.join(target, name), export_format="GLB")


def material(name, *colour):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    m.use_backface_culling = True
    m.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = colour
    return m


def picture(name, colour):
    image = bpy.data.images.new(name, 8, 8)
    image.pixels = [c for i in range(64) for c in (colour if (i + i // 8) % 2 else (1, 1, 1, 1))]
    image.pack()
    return image


def linear(o):
    for curve in o.animation_data.action.fcurves:
        for k in curve.keyframe_points:
            k.interpolation = "LINEAR"


# A box with two materials, moved and turned.
start()
bpy.ops.mesh.primitive_cube_add(size=2, location=(1, 2, 3), rotation=(0.3, 0.2, 0.1))
box = bpy.context.object
box.data.materials.append(material("red", 0.8, 0.1, 0.1, 1))
box.data.materials.append(material("grey", 0.2, 0.2, 0.2, 1))
for p in box.data.polygons[:3]:
    p.material_index = 1
save("box.glb")

# A cube whose shape moves.
start()
bpy.ops.mesh.primitive_cube_add(size=2)
cube = bpy.context.object
cube.shape_key_add(name="Basis")
for name, which, by in (("up", 2, 1.5), ("wide", 0, 0.5)):
    key = cube.shape_key_add(name=name)
    for v in key.data:
        if v.co[2] > 0:
            v.co[which] *= 1 + by
    for frame, value in ((0, 0), (10, 1), (20, 0.25)):
        key.value = value if name == "up" else 1 - value
        key.keyframe_insert("value", frame=frame)
linear(cube.data.shape_keys)
bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, 20
save("morph.glb")

# A figure that bends, with a hat on its head.
start()
bpy.ops.mesh.primitive_cylinder_add(vertices=10, radius=0.4, depth=4, location=(0, 0, 2))
body = bpy.context.object
bpy.ops.object.mode_set(mode="EDIT")
bpy.ops.mesh.subdivide(number_cuts=3)
bpy.ops.object.mode_set(mode="OBJECT")
bpy.ops.object.armature_add(location=(0, 0, 0))
rig = bpy.context.object
bpy.ops.object.mode_set(mode="EDIT")
bones = rig.data.edit_bones
bones[0].name = "hip"
bones[0].tail = (0, 0, 1.3)
previous = bones[0]
for name, top in (("chest", 2.6), ("head", 4)):
    b = bones.new(name)
    b.head, b.tail, b.parent = previous.tail, (0, 0.1, top), previous
    previous = b
bpy.ops.object.mode_set(mode="OBJECT")
for i, name in enumerate(("hip", "chest", "head")):
    group = body.vertex_groups.new(name=name)
    for v in body.data.vertices:
        w = 1 - abs((v.co.z + 2) / 1.33 - 0.5 - i)
        if w > 0:
            group.add([v.index], w, "REPLACE")
body.parent = rig
body.modifiers.new("rig", "ARMATURE").object = rig
bpy.ops.mesh.primitive_cone_add(vertices=8, radius1=0.7, depth=0.6, location=(0, 0, 0.3))
hat = bpy.context.object
hat.parent, hat.parent_type, hat.parent_bone = rig, "BONE", "head"
bpy.context.view_layer.objects.active = rig
bpy.ops.object.mode_set(mode="POSE")
for name in ("chest", "head"):
    b = rig.pose.bones[name]
    b.rotation_mode = "QUATERNION"
    for frame, angle in ((0, 0), (10, 0.6), (20, -0.4)):
        b.rotation_quaternion = (math.cos(angle / 2), math.sin(angle / 2), 0, 0)
        b.keyframe_insert("rotation_quaternion", frame=frame)
linear(rig)
bpy.ops.object.mode_set(mode="OBJECT")
bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, 20
save("skinned.glb")

# A plane with two sets of texture coordinates and a picture on the second.
start()
bpy.ops.mesh.primitive_grid_add(x_subdivisions=3, y_subdivisions=3, size=2)
plane = bpy.context.object
second = plane.data.uv_layers.new(name="second")
for i, u in enumerate(second.data):
    u.uv = (plane.data.uv_layers[0].data[i].uv[1] * 2, plane.data.uv_layers[0].data[i].uv[0] + 0.25)
m = material("checked", 1, 1, 1, 1)
nodes, links = m.node_tree.nodes, m.node_tree.links
image, uv = nodes.new("ShaderNodeTexImage"), nodes.new("ShaderNodeUVMap")
image.image, uv.uv_map = picture("Checks", (0.1, 0.3, 0.8, 1)), "second"
links.new(uv.outputs["UV"], image.inputs["Vector"])
links.new(image.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
plane.data.materials.append(m)
save("two_uv.glb")
