# Tries the add-on as its user would, without a window:
#   blender --background --factory-startup --python-exit-code 1 --python addon.py -- ZIP FOLDER
# FOLDER holds the files of testdata. A line says of each case what happened.
import json, os, re, shutil, struct, subprocess, sys

import bpy
import numpy

# The glTF add-on of Blender 3.4 uses names that newer versions of numpy lack.
for name, value in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, value)

archive, folder = sys.argv[sys.argv.index("--") + 1:][:2]
failed = 0


def case(name, good, more=""):
    global failed
    failed += not good
    print("case %s: %s %s" % ("ok" if good else "FAILED", name, more))


def path(name):
    return os.path.join(folder, name)


def content(name):
    with open(path(name), "rb") as f:
        return f.read()


def fresh():
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.preferences.addon_enable(module="usher_io")


def load(name, entry=""):
    fresh()
    return bpy.ops.import_scene.usher(filepath=path(name), entry=entry)


def refuses(do, *words):
    try:
        do()
    except RuntimeError as error:
        return all(w in str(error) for w in words), str(error).strip()
    return False, "no error"


def differing(a, b):
    return [i for i in range(min(len(a), len(b))) if a[i] != b[i]]


def gltf(name, entry=""):
    """The JSON of a model, as usher converts it."""
    out = path("seen.glb")
    subprocess.run(["usher", "convert", path(name) + (":" + entry if entry else ""), "-o", out, "--force", "-q"], check=True)
    b = open(out, "rb").read()
    return json.loads(b[20:20 + struct.unpack("<I", b[12:16])[0]])


def usher(*args):
    subprocess.run(["usher", *args, "-q"], check=True)


def place(doc, name):
    return [n.get("translation", [0, 0, 0]) for n in doc["nodes"] if n.get("name") == name][0]


bpy.ops.preferences.addon_install(filepath=archive)
bpy.ops.preferences.addon_enable(module="usher_io")
import usher_io

menu = lambda: [f.__name__ for f in bpy.types.TOPBAR_MT_file_import._dyn_ui_initialize() if "usher" in f.__module__]
case("menu", menu() == ["import_menu"], str(menu()))
case("extensions", {".cmp", ".u3d", ".mesh", ".utx", ".flx"} <= set(usher_io.program.extensions(usher_io.found())))

# Each family: untouched, the bytes come back.
for name, entry in (("ship.cmp", ""), ("windmill.u3d", ""), ("crate.3db", ""), ("made69.u", "Pyramid"), ("room61.unr", "MyLevel"), ("sappear.flx", "3")):
    original = content(name)
    load(name, entry)
    bpy.ops.export_scene.usher(filepath=path(name))
    case("untouched " + name, content(name) == original and content(name + ".bak") == original)

# Custom Properties that somebody cleared away: what they held is taken from the file that the scene came from, and said.
for name in ("ship.cmp", "windmill.u3d", "crate.3db"):
    original = content(name)
    load(name)
    for blocks in (bpy.data.scenes, bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.images, bpy.data.actions, bpy.data.armatures, bpy.data.lights):
        for block in blocks:
            if "usher" in block:
                del block["usher"]
    bpy.ops.export_scene.usher(filepath=path("bare_" + name))
    said = bpy.data.texts["usher"].as_string() if "usher" in bpy.data.texts else ""
    case("without properties " + name, content("bare_" + name) == original and "extras are gone" in said, "%d bytes, %d differ: %s" % (len(content("bare_" + name)), len(differing(content("bare_" + name), original)), said))

# A hardpoint moved: its three floats.
original = content("ship.cmp")
before = place(gltf("ship.cmp"), "HpWeapon01")
load("ship.cmp")
bpy.data.objects["HpWeapon01"].location.x += 0.5
bpy.ops.export_scene.usher(filepath=path("ship.cmp"))
changed = differing(content("ship.cmp"), original)
after = place(gltf("ship.cmp"), "HpWeapon01")
case("hardpoint", len(content("ship.cmp")) == len(original) and 0 < len(changed) <= 12 and abs(after[0] - before[0] - 0.5) < 1e-5, "%d bytes, %s -> %s" % (len(changed), before, after))
case("backup", content("ship.cmp.bak") == original)
second = content("ship.cmp")
load("ship.cmp")
bpy.data.objects["HpWeapon01"].location.x += 0.5
bpy.ops.export_scene.usher(filepath=path("ship.cmp"))
case("backups", content("ship.cmp.bak") == original and content("ship.cmp.last.bak") == second != content("ship.cmp"))

# A vertex moved, in a file of its own name, that is not there yet.
original = content("windmill.u3d")
load("windmill.u3d")
case("rate", bpy.context.scene.render.fps == 30, str(bpy.context.scene.render.fps))
bpy.data.objects["tower"].data.vertices[0].co.x += 0.25
bpy.ops.export_scene.usher(filepath=path("Mühle neu.u3d"))
case("vertex", content("windmill.u3d") == original and content("Mühle neu.u3d") != original and not os.path.exists(path("Mühle neu.u3d.bak")))
case("remembered", bpy.context.scene["usher_source"].endswith("Mühle neu.u3d"))

# The first original stays, however often the scene is exported over it, and it is the base.
original = content("crate.3db")
load("crate.3db")
for step in (0.25, 0.5):
    bpy.data.objects[0].location.x += step
    [o for o in bpy.data.objects if o.type == "MESH"][0].data.vertices[0].co.x += step
    bpy.ops.export_scene.usher(filepath=path("crate.3db"))
case("first original", content("crate.3db.bak") == original and content("crate.3db") != original)
for name in ("crate.3db", "ship.cmp", "windmill.u3d"):
    shutil.copy(path(name + ".bak"), path(name)) if os.path.exists(path(name + ".bak")) else None

# What will arrive: a list by object, and nothing is written.
load("ball.u3d")
was = content("crate.3db")
bpy.ops.export_scene.usher(filepath=path("crate.3db"), preview=True)
listed = bpy.data.texts["usher: what will arrive"].as_string()
case("preview", content("crate.3db") == was and all(o.name in listed for o in bpy.context.scene.objects) and ("loss: " in listed or "taken" in listed), listed[:300])
bpy.ops.export_scene.usher(filepath=path("other.3db"))
case("another format is no source", bpy.context.scene["usher_source"].endswith("ball.u3d"), bpy.context.scene["usher_source"])

# A scene that was never imported is not made from the file that it is exported over: the second export is as the first.
fresh()
bpy.ops.mesh.primitive_cube_add(size=2)
shutil.copy(path("crate.3db"), path("game.3db"))
bpy.ops.export_scene.usher(filepath=path("game.3db"))
first = content("game.3db")
bpy.ops.export_scene.usher(filepath=path("game.3db"))
said = bpy.data.texts["usher"].as_string() if "usher" in bpy.data.texts else ""
case("bare over the game", content("game.3db") == first != content("game.3db.bak") and "original" not in said and "usher_source" not in bpy.context.scene, said)

# An animation onto the model that is open, and nothing but the animation back.
for model, entry, clip, clip_entry in (("figure.dfm", "", "walk.anm", ""), ("sappear.flx", "3", "anim.flx", "2")):
    load(model, entry)
    was, before = content(clip), content(model)
    objects = sorted(o.name for o in bpy.data.objects)
    extras = str(bpy.context.scene.get("usher"))
    bpy.ops.import_scene.usher(filepath=path(clip), entry=clip_entry)
    brought = [a for a in bpy.data.actions if "usher_clip" in a]
    case("clip onto " + model, len(brought) > 0 and sorted(o.name for o in bpy.data.objects) == objects and str(bpy.context.scene.get("usher")) == extras, "%d actions, %s" % (len(brought), [o.name for o in bpy.data.objects]))
    bpy.ops.export_scene.usher(filepath=path(clip), entry=clip_entry)
    case("clip untouched " + clip, content(clip) == was and content(model) == before and sorted(o.name for o in bpy.data.objects) == objects, "%d bytes of %d differ" % (len(differing(content(clip), was)), len(was)))
    bpy.ops.export_scene.usher(filepath=path(model), entry=entry)
    case("model beside its clip " + model, content(model) == before, "%d bytes of %d differ" % (len(differing(content(model), before)), len(before)))
    curve = [c for a in brought for c in a.fcurves if "rotation" in c.data_path or "location" in c.data_path][-1]
    for k in curve.keyframe_points:
        k.co.y += 0.25
    curve.update()
    bpy.ops.export_scene.usher(filepath=path(clip), entry=clip_entry)
    case("clip edited " + clip, content(clip) != was and content(model) == before, "%d bytes of %d differ" % (len(differing(content(clip), was)), len(was)))
load("crate.3db")
good, said = refuses(lambda: bpy.ops.import_scene.usher(filepath=path("walk.anm")), "walk.anm")
case("clip of another model", good, said)

# Options of the import.
fresh()
bpy.ops.import_scene.usher(filepath=path("ball.u3d"), levels=True, show={"wires", "hulls"})
case("levels", len([o for o in bpy.data.objects if o.type == "MESH"]) > 1)
bpy.ops.object.select_all(action="DESELECT")
[o for o in bpy.data.objects if o.type == "MESH"][0].select_set(True)
bpy.ops.export_scene.usher(filepath=path("part.u3d"), selection=True)
case("selection", os.path.exists(path("part.u3d")))

# Entries of archives: only the one that was edited changes.
for name, entry in (("made69.u", "Pyramid"), ("sappear.flx", "3")):
    shutil.copy(path(name), path("was_" + name))
    load(name, entry)
    ob = [o for o in bpy.data.objects if o.type == "MESH" and not o.hide_get()][0]
    keys = ob.data.shape_keys.key_blocks if ob.data.shape_keys else []
    for points in [ob.data.vertices] + [k.data for k in keys]:
        for p in points:
            p.co *= 1.5
    bpy.ops.export_scene.usher(filepath=path(name))
    diff = subprocess.run(["usher", "diff", path("was_" + name), path(name), "--json"], stdout=subprocess.PIPE).stdout.decode()
    entries = [json.loads(l) for l in diff.splitlines()]
    touched = [e["path"] for e in entries if e["status"] != "same" and not e.get("whole")]
    case("edited " + name, touched == [entry], str(touched))

# A box of a map: its ground and its objects. What is edited arrives in the file that has it, and nothing else.
def table(name, to):
    """What usher shows of a file as JSON."""
    subprocess.run(["usher", "convert", path(name), "-o", path("seen.json"), "--to", to, "--force", "-q"], check=True)
    return json.load(open(path("seen.json")))


def points():
    """The points of the terrain by tile and place in it, and all else that it says."""
    value = table("terrain.9", "json")["value"]
    tiles, chunks = value.pop("Tiles"), value.pop("Chunks")
    return {(tile, k): word for tile, n in enumerate(tiles) for k, word in enumerate(chunks[n])}, value


parts = ("fixed.9", "nonfixed.9", "terrain.9")
originals = {name: content(name) for name in parts}
ground, rest = points()
X = 0x28 + 0xA0 + 4  # of the object at 0xa0 of the heap, which lies at 3000


def open_box():
    fresh()
    bpy.ops.import_scene.usher(filepath=path("fixed.9"), box="50,0,130,60")


def edit_box(by):
    next(o for o in bpy.data.objects if o.name.endswith("_nonfixed_a0")).location.x += by
    for v in bpy.data.objects["ground"].data.vertices:
        if abs(v.co.x - 2560) < 1 and abs(v.co.z - 640) < 1:
            v.co.y -= 4 * by


def box_arrived(by):
    """Whether one object lies further east, one point higher, and all else is as it was."""
    now = content("nonfixed.9")
    moved = struct.unpack_from("<H", now, X)[0], differing(now, originals["nonfixed.9"])
    grid, other = points()
    raised = [(ground[k], word) for k, word in grid.items() if word != ground[k]]
    height = lambda word: int((re.search(r"height=(\d+)", word) or [0, 0])[1])
    good = moved[0] == 3000 + by and set(moved[1]) <= {X, X + 1} and [height(now) - height(was) for was, now in raised] == [by] and other == rest
    return good and content("fixed.9") == originals["fixed.9"], "%s %s" % (moved, raised)


open_box()
shown = sorted(o.name for o in bpy.data.objects if "fixed_" in o.name)
case("box of a map", len(shown) == 3 and "ground" in bpy.data.objects, str(shown))
bpy.ops.export_scene.usher(filepath=path("fixed.9"))
case("box untouched", all(content(name) == originals[name] and not os.path.exists(path(name + ".bak")) for name in parts))
edit_box(7)
bpy.ops.export_scene.usher(filepath=path("fixed.9"))
good, said = box_arrived(7)
case("box edited", good and content("terrain.9.bak") == originals["terrain.9"], said)
edit_box(2)
bpy.ops.export_scene.usher(filepath=path("fixed.9"), watch=True)
edit_box(3)
bpy.ops.wm.save_as_mainfile(filepath=path("box.blend"))
good, said = box_arrived(12)
case("box with each save", good, said)
bpy.ops.wm.open_mainfile(filepath=path("box.blend"))
edit_box(1)
bpy.ops.export_scene.usher(filepath=path("fixed.9"))
good, said = box_arrived(13)
case("box opened again from Blender's file", good, said)
with open(path("terrain.9"), "wb") as f:
    f.write(originals["terrain.9"])
edit_box(1)
good, said = refuses(lambda: bpy.ops.export_scene.usher(filepath=path("fixed.9")), "terrain.9 was changed since")
case("box of a map that somebody changed", good and content("terrain.9") == originals["terrain.9"], said)
os.mkdir(path("mod"))
bpy.ops.export_scene.usher(filepath=path("mod/fixed.9"))
case("box into another folder", content("mod/fixed.9") == originals["fixed.9"] and content("mod/terrain.9") != originals["terrain.9"] and content("terrain.9") == originals["terrain.9"])
for name, part in (("static/fixed.9", "fixed.9"), ("static/terrain.9", "terrain.9"), ("runtime/nonfixed.9", "nonfixed.9")):
    os.makedirs(os.path.dirname(path("game/" + name)), exist_ok=True)
    with open(path("game/" + name), "wb") as f:
        f.write(originals[part])
fresh()
bpy.ops.import_scene.usher(filepath=path("game/static/terrain.9"), box="50,0,130,60")
next(o for o in bpy.data.objects if o.name.endswith("_nonfixed_a0")).location.x += 1
bpy.ops.export_scene.usher(filepath=path("game/static/terrain.9"))
case("box in a game's folders", differing(content("game/runtime/nonfixed.9"), originals["nonfixed.9"]) == [X] and content("game/static/terrain.9") == originals["terrain.9"], str(sorted(os.listdir(path("game/static")))))
load("crate.3db")
good, said = refuses(lambda: bpy.ops.import_scene.usher(filepath=path("ship.cmp"), box="0,0,1,1"), "no file of a map")
case("box of what is no map", good, said)

# A lamp put into a level is an actor of it.
load("room61.unr", "MyLevel")
lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
bpy.context.collection.objects.link(lamp)
bpy.ops.export_scene.usher(filepath=path("room61.unr"))
case("lamp", any(n["name"] == "Lamp_light" or "KHR_lights_punctual" in n.get("extensions", {}) for n in gltf("room61.unr", "MyLevel")["nodes"]))

# A material renamed comes back, or is named.
load("crate.3db")
bpy.data.materials[0].name = "painted"
bpy.ops.export_scene.usher(filepath=path("renamed.3db"))
case("material", any(m.get("name") == "painted" for m in gltf("renamed.3db")["materials"]))

# Another family's file, with what cannot be carried over as warnings in the text block.
load("windmill.u3d")
bpy.ops.export_scene.usher(filepath=path("mill.3db"))
case("messages", "loss: " in bpy.data.texts["usher"].as_string() and os.path.exists(path("mill.3db")))

# A texture that lies in a library of two ships: the edit goes there, or into a copy for this ship, or is warned of.
SHIPS = path("DATA/SHIPS")
for part in ("A", "B"):
    os.makedirs(os.path.join(SHIPS, part))
usher("convert", path("ship.cmp"), "-o", path("parted.glb"))
usher("convert", path("parted.glb"), "--mat", "-o", os.path.join(SHIPS, "A", "ship.cmp"))
os.replace(os.path.join(SHIPS, "A", "ship.mat"), os.path.join(SHIPS, "ships.mat"))
shutil.copyfile(os.path.join(SHIPS, "A", "ship.cmp"), os.path.join(SHIPS, "B", "other.cmp"))
ships = ("DATA/SHIPS/A/ship.cmp", "DATA/SHIPS/ships.mat", "DATA/SHIPS/B/other.cmp")
before = [content(name) for name in ships]
for answer, edited in (("ask", [True, False, False]), ("there", [False, True, False]), ("copy", [True, False, False])):
    for name, b in zip(ships, before):
        with open(path(name), "wb") as f:
            f.write(b)
        for backup in (path(name) + ".bak", path(name) + ".last.bak"):
            if os.path.exists(backup):
                os.remove(backup)
    load(ships[0])
    image = next(i for i in bpy.data.images if "steel" in i.name)
    image.pixels[:] = [1.0, 0.0, 0.0, 1.0] * (image.size[0] * image.size[1])
    image.update()
    if answer == "ask":
        bpy.ops.export_scene.usher(filepath=path(ships[0]))
    else:  # as the question does it
        bpy.ops.usher.export_shared(filepath=path(ships[0]), shared=answer)
    got = [content(name) != b for name, b in zip(ships, before)]
    told = bpy.data.texts["usher"].as_string()
    kept = os.path.exists(path(ships[1]) + ".bak") and content(ships[1] + ".bak") == before[1]
    names = [m["name"] for m in gltf(ships[0])["materials"]]
    good = got == edited and kept == edited[1] and (answer == "copy") == ("ship_steel" in names)
    good = good and (answer == "there") == ("is left to" in told) and (answer == "ask") == ("of the same name" in told)
    case("shared, " + answer, good, "%s %s %s" % (got, kept, names))

# Two models: each has a scene of its own, and goes back by itself. What is not in a window cannot change scenes.
load("crate.3db")
bpy.ops.import_scene.usher(filepath=path("reed.u3d"))
case("two models", len([s for s in bpy.data.scenes if "usher_source" in s]) == (2 if bpy.context.window else 1))

# What does not work is said, and leaves everything as it was.
fresh()
original = content("sounds.uax")
good, said = refuses(lambda: bpy.ops.import_scene.usher(filepath=path("sounds.uax")), "is an archive")
case("archive without entry", good, said)
good, said = refuses(lambda: bpy.ops.import_scene.usher(filepath=path("nothing.cmp")), "there is no file")
case("missing", good, said)
good, said = refuses(lambda: bpy.ops.import_scene.usher(filepath=path("bell.snd")), "bell.snd")
case("no model", good, said)
load("crate.3db")
good, said = refuses(lambda: bpy.ops.export_scene.usher(filepath=path("crate.nosuch")), "nosuch")
case("unknown extension", good and not os.path.exists(path("crate.nosuch")), said)
good, said = refuses(lambda: bpy.ops.export_scene.usher(filepath=path("sounds.uax"), entry="Beep"), "is no model")
case("no model in the archive", good and content("sounds.uax") == original, said)

good, said = refuses(lambda: bpy.ops.export_scene.usher(filepath=path("nowhere/crate.3db")), "there is no folder")
case("missing folder", good and "Traceback" not in said and len(said.splitlines()) <= 2, said)
good, said = refuses(lambda: bpy.ops.export_scene.usher(filepath=path("crate")), "has no extension")
case("no extension", good and "Traceback" not in said, said)
shut = path("shut")
os.mkdir(shut)
os.chmod(shut, 0o500)
if not os.access(shut, os.W_OK):  # root may write anywhere
    good, said = refuses(lambda: bpy.ops.export_scene.usher(filepath=path("shut/crate.3db")), "you may not write")
    case("no rights", good and "Traceback" not in said, said)
usher_io.preferences().program = "/bin/ls" if os.path.isfile("/bin/ls") else bpy.app.binary_path
good, said = refuses(lambda: bpy.ops.import_scene.usher(filepath=path("crate.3db")), "is not usher")
case("wrong program", good and "Traceback" not in said, said)
usher_io.preferences().program = ""

# Without the program.
paths, os.environ["PATH"] = os.environ["PATH"], ""
good, said = refuses(lambda: bpy.ops.import_scene.usher(filepath=path("crate.3db")), "was not found")
case("no program", good, said)
os.environ["USHER"] = shutil.which("usher", path=paths)
case("USHER", bpy.ops.import_scene.usher(filepath=path("crate.3db")) == {"FINISHED"})
os.environ["PATH"] = paths

bpy.ops.preferences.addon_disable(module="usher_io")
case("disabled", menu() == [] and not hasattr(bpy.types, "IMPORT_SCENE_OT_usher"))
sys.exit(1 if failed else 0)
