# Makes ship.glb of this folder:  blender -b --factory-startup --python make.py -- FOLDER
# A ship as somebody would build it: objects side by side and below each other, one of them scaled, two materials with
# pictures, empties for hardpoints, and a turret that turns further than half a turn.
import bpy, os, sys
import numpy
for name, value in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, value)  # Blender 3.4 with a newer numpy

target = sys.argv[sys.argv.index("--") + 1]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene


def material(name, size, colour, clear=False):
    image = bpy.data.images.new(name, size, size, alpha=True)
    image.pixels = [c for y in range(size) for x in range(size) for c in colour(x / size, y / size)]
    image.file_format = "PNG"
    image.pack()
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    m.use_backface_culling = True
    nodes, links = m.node_tree.nodes, m.node_tree.links
    t = nodes.new("ShaderNodeTexImage")
    t.image = image
    links.new(t.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    if clear:
        links.new(t.outputs["Alpha"], nodes["Principled BSDF"].inputs["Alpha"])
        m.blend_method = "BLEND"
    return m


def put(name, parent, *materials):
    o = bpy.context.object
    o.name, o.parent = name, parent
    for m in materials:
        o.data.materials.append(m)
    return o


def empty(name, parent, location, rotation=(0, 0, 0)):
    bpy.ops.object.empty_add(location=location, rotation=rotation)
    put(name, parent)


paint = material("hull paint", 64, lambda u, v: (u, v, 0.3, 1))
glass = material("glass", 32, lambda u, v: (0.2, 0.4 + 0.5 * v, 0.9, 0.25 + 0.5 * u), clear=True)

bpy.ops.mesh.primitive_cube_add(size=2, scale=(1, 3, 0.5))
bpy.ops.object.transform_apply(scale=True)
hull = put("hull", None, paint, glass)
hull.data.polygons[0].material_index = 1
bpy.ops.mesh.primitive_uv_sphere_add(segments=16, ring_count=8, radius=0.6, location=(0, 0.5, 0.7))
put("dome", hull, glass)
bpy.ops.mesh.primitive_cube_add(size=1, location=(2, 0, 0), rotation=(0, 0.2, 0), scale=(2, 1, 0.1))
wing = put("wing", hull, paint)
bpy.ops.mesh.primitive_cylinder_add(vertices=12, radius=0.4, depth=0.5, location=(0, -1.5, 0.75))
turret = put("turret", hull, paint)
bpy.ops.mesh.primitive_cube_add(size=0.3, location=(0, -0.8, 0.1), scale=(0.5, 3, 0.5))
bpy.ops.object.transform_apply(scale=True)
gun = put("gun", turret, paint)

empty("HpWeapon01", gun, (0, -1, 0))
empty("HpWeapon02", wing, (0.3, 0.5, 0), (0, 0, 0.5))
empty("HpEngine01", hull, (0, 3, 0))

for frame, angle in ((0, 0), (12, 1.2), (24, 2.4), (36, 3.6), (48, 0)):
    turret.rotation_euler = (0, 0, angle)
    turret.keyframe_insert("rotation_euler", frame=frame)
for curve in turret.animation_data.action.fcurves:
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"
scene.frame_start, scene.frame_end = 0, 48
bpy.ops.export_scene.gltf(filepath=os.path.join(target, "ship.glb"), export_format="GLB")
