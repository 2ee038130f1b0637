"""Import and export of the models of Freelancer, Ultimate 3D, Unreal and Ultima IX, by the program usher."""

import json
import os
import shutil
import tempfile

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import program, scenes

bl_info = {  # for Blender before 4.2; blender_manifest.toml is for later ones
    "name": "usher: models of old games",
    "author": "usher",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export",
    "description": "Models of Freelancer, Ultimate 3D, Unreal and Ultima IX",
    "category": "Import-Export",
}

TITLE = "Game model, usher (.cmp .3db .dfm .u3d .mesh …)"


class UsherPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: StringProperty(name="Program", subtype="FILE_PATH", description="usher or usher.exe; empty looks for it on the PATH")
    install: StringProperty(name="Game", subtype="DIR_PATH", description="The folder of the game, where textures and meshes are looked for; several with %s between" % os.pathsep)

    def draw(self, _context):
        self.layout.prop(self, "program")
        self.layout.prop(self, "install")
        try:
            self.layout.label(text="usher " + program.version(found()))
        except program.Failure as failure:
            self.layout.label(text=str(failure), icon="ERROR")


def preferences():
    addon = bpy.context.preferences.addons.get(__package__)
    return addon.preferences if addon else None


def found():
    own = preferences()
    return program.find(bpy.path.abspath(own.program) if own and own.program else "")


def install_folders():
    own = preferences()
    folders = [bpy.path.abspath(f) for f in (own.install if own else "").split(os.pathsep) if f]
    return [f for f in folders if os.path.isdir(f)]


def install_flags():
    return [x for f in install_folders() for x in ("--install", f)]


def beside(files):
    """The flags by which usher finds the files of a map in the folders of one another."""
    return [x for folder in sorted({os.path.dirname(path) for path, _ in files.values()}) for x in ("--install", folder)]


def tell(operator, objects):
    """Reports what usher said: losses and warnings as warnings, notes as information, everything in the text block "usher"."""
    block = bpy.data.texts.get("usher") or bpy.data.texts.new("usher")
    for severity, text in program.said(objects):
        block.write("%s: %s\n" % (severity, text))
        operator.report({"INFO"} if severity == "note" else {"WARNING"}, "%s: %s" % (severity, text))


PREVIEW = "usher: what will arrive"


def preview(operator, context, objects):
    """Lists for each object what usher said of it."""
    said = program.said(objects)
    block = bpy.data.texts.get(PREVIEW) or bpy.data.texts.new(PREVIEW)
    block.clear()
    of = {ob.name: [] for ob in context.scene.objects}
    rest = []
    for severity, text in said:
        named = [name for name in of if program.names(text, name)]
        for name in named:
            of[name].append((severity, text))
        if not named:
            rest.append((severity, text))
    for name, list_ in sorted(of.items()):
        state = "lost" if any(s == "loss" for s, _ in list_) else "said" if any(s != "note" for s, _ in list_) else "taken"
        block.write("%-6s %s\n" % (state, name))
        for severity, text in list_:
            block.write("         %s: %s\n" % (severity, text))
    for severity, text in rest:
        block.write("%s: %s\n" % (severity, text))
    lost = sum(1 for severity, _ in said if severity == "loss")
    operator.report({"WARNING" if lost else "INFO"}, "%d losses, %d objects: see the text \"%s\"; nothing was written" % (lost, len(of), PREVIEW))


def open_model(context):
    """The model that the open scene was imported from."""
    return program.operand(context.scene[scenes.SOURCE], context.scene.get(scenes.ENTRY, ""))


def extension(path):
    return os.path.splitext(path)[1].lower()


class UsherOperator:
    """What import and export share: a temporary folder, and failures as Blender's errors."""

    def execute(self, context):
        folder = tempfile.mkdtemp(prefix="usher-")
        try:
            return self.work(context, found(), folder)
        except program.Failure as failure:
            self.report({"ERROR"}, str(failure))
        except RuntimeError as error:  # of Blender's own importer and exporter
            self.report({"ERROR"}, str(error).strip().splitlines()[-1])
        except OSError as error:  # a disk that is full, a file that another program holds
            self.report({"ERROR"}, "%s: %s" % (error.filename or "usher", error.strerror or error))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return {"CANCELLED"}


def entries(self, _context):
    """The models of an archive, for the list to choose from. Blender wants the texts to be kept."""
    if entries.of != self.filepath:
        try:
            list_ = program.models(found(), self.filepath)
        except program.Failure:
            list_ = []
        entries.of, entries.list = self.filepath, [(path, path + ("  " + title if title else ""), "") for path, title in list_]
    return entries.list or [("", "(no models)", "")]


entries.of, entries.list = None, []


class UsherImport(UsherOperator, bpy.types.Operator, ImportHelper):
    """Import a model or an animation of Freelancer, Ultimate 3D, Unreal or Ultima IX, or one out of an archive"""

    bl_idname = "import_scene.usher"
    bl_label = "Import game model"
    bl_options = {"UNDO"}

    filter_glob: StringProperty(default="*", options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    entry: StringProperty(name="Entry", description="The entry of an archive; empty asks for it", options={"SKIP_SAVE"})
    levels: BoolProperty(name="Levels of detail", description="Show the lower levels of detail below their parts; they come back in any case")
    show: EnumProperty(name="Show", options={"ENUM_FLAG"}, default={"hardpoints"}, description="What else is shown; all of it comes back in any case",
                       items=[(x, x.capitalize(), "") for x in ("wires", "hulls", "mounts", "hardpoints")])
    fps: IntProperty(name="Frames a second", min=0, max=1000, description="Of formats that store numbers of frames only; 0 is the format's usual rate")
    box: StringProperty(name="Box of a map", description="Opens what of an Ultima IX map lies in X0,Y0,X1,Y1, in metres from the west and the south: its ground and its objects", options={"SKIP_SAVE"})
    onto: BoolProperty(name="Animations onto the open model", default=True, description="Puts an animation onto the model of this scene, and not into a scene of its own")

    def invoke(self, context, event):
        try:
            self.filter_glob = ";".join("*" + e for e in program.extensions(found()))
        except program.Failure as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        return ImportHelper.invoke(self, context, event)

    def work(self, context, usher, folder):
        paths = [os.path.join(self.directory, f.name) for f in self.files if f.name] if self.directory else []
        for number, path in enumerate(paths or [self.filepath]):
            if not os.path.isfile(path):
                raise program.Failure("there is no file " + path)
            if not self.entry and program.is_archive(usher, path):
                if bpy.app.background:
                    raise program.Failure("%s is an archive: name an entry" % path)
                bpy.ops.usher.import_entry("INVOKE_DEFAULT", filepath=path)
                continue
            self.load(context, usher, os.path.join(folder, str(number) + ".glb"), path, self.entry)
        return {"FINISHED"}

    def load(self, context, usher, glb, path, entry):
        path = os.path.abspath(path)
        flags = install_flags() + ["--show", ",".join(sorted(self.show)) or "none"]
        flags += ["--levels", "all"] if self.levels else []
        flags += ["--fps", str(self.fps)] if self.fps else []
        what = program.operand(path, entry)
        if self.box:
            objects = self.load_box(context, usher, glb, path, flags)
        elif self.onto and scenes.SOURCE in context.scene and program.is_animation(usher, what):
            objects = program.lines(usher, "convert", what, "-o", glb, "--model", open_model(context), *flags)
            if not scenes.load_clip(context, glb, path, entry):
                raise program.Failure("%s moves nothing of what is open" % what)
        else:
            objects = program.lines(usher, "convert", what, "-o", glb, *flags)
            scenes.load(context, glb, path, entry, entry or os.path.basename(path))
        tell(self, objects)

    def load_box(self, context, usher, glb, path, flags):
        """Opens a part of a map, and remembers the files that it is a part of."""
        files = program.map_files(path, install_folders())
        if not any(program.same(path, p) for p in files.values()):
            raise program.Failure("%s is no file of a map: fixed, nonfixed or terrain with the number of one" % path)
        sums = {f: [p, program.stamp(p)] for f, p in files.items()}
        objects = program.lines(usher, "convert", files.get("u9-fixed", files.get("u9-nonfixed", path)), "-o", glb, "--region", "--box", self.box, *flags, *beside(sums))
        scenes.load(context, glb, path, "", os.path.basename(path))
        shown = scenes.map_parts(context)
        unknown = sorted(shown - set(sums))
        if unknown:
            raise program.Failure("%s lies where only usher found it: name the game's folder in the preferences of the add-on" % ", ".join(unknown))
        context.scene[scenes.MAP] = json.dumps({f: sums[f] for f in shown})
        return objects


class UsherImportEntry(bpy.types.Operator):
    """Choose a model of an archive"""

    bl_idname = "usher.import_entry"
    bl_label = "Import a model of an archive"
    bl_property = "entry"

    filepath: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    entry: EnumProperty(name="Model", items=entries)

    def invoke(self, context, _event):
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def execute(self, _context):
        if not self.entry:
            self.report({"ERROR"}, self.filepath + " holds no models")
            return {"CANCELLED"}
        return bpy.ops.import_scene.usher(filepath=self.filepath, entry=self.entry)


class UsherExport(UsherOperator, bpy.types.Operator, ExportHelper):
    """Export the scene to the game's file, by default to the one that it came from; its first original stays as .bak"""

    bl_idname = "export_scene.usher"
    bl_label = "Export game model"

    filename_ext = ""
    check_extension = None
    filter_glob: StringProperty(default="*", options={"HIDDEN"})
    entry: StringProperty(name="Entry", description="The entry of an archive that becomes this model", options={"SKIP_SAVE"})
    selection: BoolProperty(name="Selection only", description="Only what is selected goes into the file", options={"SKIP_SAVE"})
    preview: BoolProperty(name="Only show what will arrive", description="Makes the file aside, and lists for each object what of it is taken, changed or lost, in the text \"usher: what will arrive\"", options={"SKIP_SAVE"})

    watch: BoolProperty(name="Again with each save", description="Exports the scene to the same place whenever Blender saves its file, until it is exported without this", options={"SKIP_SAVE"})
    shared: EnumProperty(name="Worn by other models", description="Where edited materials and textures go that lie in a library of several models", options={"SKIP_SAVE"},
                         items=[("ask", "Ask", "Asks, and without a window makes copies by the same names"), ("there", "There", "Into that library: all models that wear them show the edit"),
                                ("copy", "A copy for this model", "Into this file, by names of their own")])

    def invoke(self, context, event):
        self.watch = scenes.WATCH in context.scene
        self.filepath = context.scene.get(scenes.TARGET, context.scene.get(scenes.SOURCE, self.filepath))
        self.entry = context.scene.get(scenes.TARGET_ENTRY, context.scene.get(scenes.ENTRY, ""))
        return ExportHelper.invoke(self, context, event)

    def check(self, _context):
        return False  # the name stays as it is given

    def work(self, context, usher, folder):
        source, source_entry = context.scene.get(scenes.SOURCE, ""), context.scene.get(scenes.ENTRY, "")
        target = os.path.abspath(self.filepath or source)
        entry = self.entry or (source_entry if target == source else "")
        program.check_place(target)
        glb = os.path.join(folder, "scene.glb")
        clip = self.clip_for(context, target, entry)
        if clip:
            source, source_entry = clip
            entry = entry or (source_entry if target == source else "")
            self.save_clip(context, usher, folder, glb, clip)
        else:
            scenes.save(context, glb, self.selection)
        if scenes.MAP in context.scene and extension(target) == extension(source):
            objects = self.into_map(context, usher, folder, glb, target)
        elif entry:
            objects = self.into_archive(usher, folder, glb, target, entry)
        else:
            base = program.original(source, folder)
            objects = self.into_file(usher, folder, glb, target, program.operand(base, source_entry) if os.path.isfile(base) else "", source)
        if objects is None:
            return {"CANCELLED"}  # it is done when somebody has said where the edits go
        if self.preview:
            preview(self, context, objects)
            return {"FINISHED"}
        tell(self, objects)
        if not clip:
            remember(context.scene, target, entry)
            context.scene.pop(scenes.WATCH, None)
            if self.watch:
                context.scene[scenes.WATCH] = True
        return {"FINISHED"}

    def clip_for(self, context, target, entry):
        """The file that the animation to be exported was imported from; None when the target takes the scene."""
        clips = scenes.clips(context)
        same = [c for c in clips if c[0] == target and (not entry or c[1] == entry)]
        like = [c for c in clips if not c[1] and not entry and extension(c[0]) == extension(target)]
        found = same or like
        if len(found) > 1:
            raise program.Failure("%d animations could become %s: %s; export it over the one that is meant" % (len(found), target, ", ".join(program.operand(*c) for c in found)))
        return found[0] if found else None

    def save_clip(self, context, usher, folder, glb, clip):
        """Exports one animation, on the model that it was imported onto, and nothing else."""
        whole, path, entry = os.path.join(folder, "clip.glb"), *clip
        was = program.original(path, folder)
        program.lines(usher, "convert", program.operand(was, entry), "-o", whole, "--model", open_model(context), *install_flags())
        scenes.save_clip(context, whole, glb, clip)

    def into_file(self, usher, folder, glb, target, base, source):
        """Makes the file, and those that belong to it, aside; then they take their places together. Nothing where it is to be asked
        first where edits go that other models would show as well."""
        made = os.path.join(folder, "made")
        os.mkdir(made)
        around = install_flags() + program.surroundings(source or target)
        flags = around + ["--texture-dir", os.path.dirname(target)]
        if base and program.knows(usher, "convert", "base"):
            flags += ["--base", base]
        if self.shared != "ask":
            flags += ["--shared", self.shared]
        objects = program.lines(usher, "convert", glb, "-o", os.path.join(made, os.path.basename(target)), *flags)
        if self.shared == "ask" and not self.preview and not bpy.app.background:
            others = program.libraries(objects, "shared-library")
            if others:
                self.ask(others)
                return None
        takes = {os.path.join(made, name): os.path.join(os.path.dirname(target), name) for name in os.listdir(made)}
        for number, library in enumerate(sorted(program.libraries(objects, "shared-left"))):
            own = os.path.join(folder, "library%d" % number, os.path.basename(library))
            os.mkdir(os.path.dirname(own))
            program.lines(usher, "convert", glb, "--base", library, "--shared", "there", "-o", own, *around)
            takes[own] = library
        for path in sorted(takes):
            self.put(path, takes[path])
        return objects

    def into_map(self, context, usher, folder, glb, target):
        """Makes the files of a map aside, and puts those that differ into the places where they were; all of them into the
        folder of the target where that is none of them."""
        files = json.loads(context.scene[scenes.MAP])
        inside = any(program.same(target, path) for path, _ in files.values())
        objects, made = [], {}
        for kind, (path, was) in files.items():
            if inside and program.stamp(path) != was:
                raise program.Failure("%s was changed since this scene was opened: open the box again, or export into another folder" % path)
            made[kind] = os.path.join(folder, os.path.basename(path))
            objects += program.lines(usher, "convert", glb, "-o", made[kind], "--to", kind, *install_flags(), *beside(files))
        for kind, (path, was) in files.items():
            place = path if inside else os.path.join(os.path.dirname(target), os.path.basename(path))
            now = program.stamp(made[kind])
            if not inside or now != was:
                self.put(made[kind], place)
            files[kind] = [place, now]
        if not self.preview:
            context.scene[scenes.MAP] = json.dumps(files)
        return objects

    def ask(self, others):
        """Asks where edits go that other models would show as well, and exports with the answer."""
        told = [line for library in sorted(others) for line in others[library]]
        bpy.ops.usher.export_shared("INVOKE_DEFAULT", filepath=self.filepath, entry=self.entry, selection=self.selection, told="\n".join(told))

    def put(self, path, target):
        if not self.preview:
            program.replace(path, target)

    def into_archive(self, usher, folder, glb, target, entry):
        """Puts the model into its archive: one entry unpacked, replaced, packed."""
        if not os.path.isfile(target):
            raise program.Failure("there is no archive " + target)
        tree = os.path.join(folder, "tree")
        made = program.lines(usher, "unpack", program.operand(target, entry), "-o", tree, "--to", "glb")
        files = [o["path"] for line in made for o in line.get("outputs", []) if o["path"].endswith(".glb")]
        if len(files) != 1:
            raise program.Failure("%s is no model" % program.operand(target, entry))
        shutil.copyfile(glb, files[0])
        if self.preview:
            return program.lines(usher, "pack", tree, "-o", target, "--force", "--dry-run", *install_flags())
        program.keep_first(target)  # "usher undo" brings the later ones back
        return program.lines(usher, "pack", tree, "-o", target, "--force", *install_flags())


class UsherExportShared(bpy.types.Operator):
    """Say where edits go that other models would show as well"""

    bl_idname = "usher.export_shared"
    bl_label = "Other models wear it too"

    filepath: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    entry: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    selection: BoolProperty(options={"HIDDEN", "SKIP_SAVE"})
    told: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    shared: EnumProperty(name="The edit goes", items=[("there", "there: all of them show it", ""), ("copy", "into a copy for this model", "")])

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self, width=500)

    def draw(self, _context):
        for line in self.told.splitlines():
            self.layout.label(text=line)
        self.layout.prop(self, "shared", expand=True)

    def execute(self, _context):
        return bpy.ops.export_scene.usher(filepath=self.filepath, entry=self.entry, selection=self.selection, shared=self.shared)


def remember(scene, target, entry):
    """Keeps where a scene was exported to. That is its original from now on where it is of the same format: what became of a
    scene in another one, or of a scene that was never imported, is not what it was made from."""
    scene[scenes.TARGET], scene[scenes.TARGET_ENTRY] = target, entry
    source = scene.get(scenes.SOURCE, "")
    if source and extension(source) == extension(target):
        scene[scenes.SOURCE], scene[scenes.ENTRY] = target, entry


@bpy.app.handlers.persistent
def with_save(*_):
    """Exports the scene again when Blender saves its file, where that was asked for."""
    scene = bpy.context.scene
    if scenes.WATCH not in scene:
        return
    try:
        bpy.ops.export_scene.usher(filepath=scene[scenes.TARGET], entry=scene[scenes.TARGET_ENTRY], watch=True)
    except RuntimeError as error:  # the report of a failure; the file itself is saved
        print(error)


def import_menu(self, _context):
    self.layout.operator(UsherImport.bl_idname, text=TITLE)


def export_menu(self, _context):
    self.layout.operator(UsherExport.bl_idname, text=TITLE)


CLASSES = (UsherPreferences, UsherImport, UsherImportEntry, UsherExport, UsherExportShared)


def drop_class():
    """What lets files be dropped onto Blender's window, which 4.1 and later can; None before, and without the program."""
    if not hasattr(bpy.types, "FileHandler"):
        return None
    try:
        known = program.extensions(found())
    except program.Failure:
        return None
    return type("IO_FH_usher", (bpy.types.FileHandler,), {
        "bl_idname": "IO_FH_usher", "bl_label": "Game model", "bl_import_operator": UsherImport.bl_idname, "bl_file_extensions": ";".join(known),
        "poll_drop": classmethod(lambda cls, context: context.area is not None and context.area.type == "VIEW_3D")})


DROPS = []


def register():
    for c in CLASSES:
        bpy.utils.register_class(c)
    drop = drop_class()
    if drop:
        bpy.utils.register_class(drop)
        DROPS.append(drop)
    bpy.app.handlers.save_pre.append(with_save)
    bpy.types.TOPBAR_MT_file_import.append(import_menu)
    bpy.types.TOPBAR_MT_file_export.append(export_menu)


def unregister():
    bpy.app.handlers.save_pre.remove(with_save)
    bpy.types.TOPBAR_MT_file_export.remove(export_menu)
    bpy.types.TOPBAR_MT_file_import.remove(import_menu)
    while DROPS:
        bpy.utils.unregister_class(DROPS.pop())
    for c in reversed(CLASSES):
        bpy.utils.unregister_class(c)
