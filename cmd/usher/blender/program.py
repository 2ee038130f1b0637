"""Runs usher, and says what it said. Nothing here knows Blender's interface."""

import filecmp
import hashlib
import json
import os
import re
import shutil
import subprocess


class Failure(Exception):
    """What usher or the add-on could not do, in one line."""


def find(preferred=""):
    """The program: what the preferences name, the environment, what lies beside the add-on, or the path."""
    name = "usher.exe" if os.name == "nt" else "usher"
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    for path in (preferred, os.environ.get("USHER", ""), beside, shutil.which("usher") or ""):
        if path and os.path.isfile(path):
            return checked(path)
    if preferred:
        raise Failure("there is no program %s: mend it in the preferences of the add-on" % preferred)
    raise Failure("the program usher was not found: name it in the preferences of the add-on, or put it on the PATH")


KNOWN = set()  # programs that said that they are usher


def checked(path):
    """The path of a program, which must be usher: people may name any in the preferences."""
    if path not in KNOWN:
        status, out, _ = call(path, "version", "--json")
        try:
            good = status == 0 and "version" in json.loads(out.splitlines()[0])
        except (ValueError, IndexError, TypeError):
            good = False
        if not good:
            raise Failure("%s is not usher: mend it in the preferences of the add-on" % path)
        KNOWN.add(path)
    return path


def call(program, *args):
    """Runs usher and returns its status, output and errors."""
    options = {}
    if os.name == "nt":
        options["creationflags"] = subprocess.CREATE_NO_WINDOW
    try:
        done = subprocess.run([program, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    except OSError as error:
        raise Failure("%s: %s" % (program, error))
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def lines(program, *args):
    """Runs a verb with --json and returns its objects. A failure that it tells of is raised."""
    status, out, err = call(program, *args, "--json")
    found = []
    for line in out.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            raise Failure("usher said what is no JSON: " + line[:200])
    failed = [o for o in found if "message" in o and o.get("status") in ("failed", "refused", "differs")]
    if failed:
        source = failed[0].get("source", "")
        raise Failure((source + ": " if source else "") + failed[0]["message"])
    if status != 0:
        raise Failure(err.strip().splitlines()[-1] if err.strip() else "usher ended with status %d" % status)
    return found


def said(objects):
    """The diagnostics of results, as (severity, text)."""
    list_ = []
    for o in objects:
        for d in o.get("diagnostics", []):
            where = d.get("path", "")
            list_.append((d["severity"], (where + ": " if where else "") + d["message"]))
    return list_


def libraries(objects, code):
    """The files of several models that a code tells of, each with what it says of what lies there."""
    of = {}
    for o in objects:
        for d in o.get("diagnostics", []):
            if d["code"] == code and d.get("about"):
                of.setdefault(d["about"], []).append("%s: %s" % (d.get("path", ""), d["message"]))
    return of


def surroundings(source):
    """The flags with which usher finds what lies around a file, the nearest first: its folder, and of a game those above it up to DATA."""
    folders = [os.path.dirname(source)]
    while folders[-1] != os.path.dirname(folders[-1]) and os.path.basename(folders[-1]).lower() != "data":
        folders.append(os.path.dirname(folders[-1]))
    if os.path.basename(folders[-1]).lower() != "data":
        folders = folders[:1]
    return [x for folder in folders if folder for x in ("--with", folder)]


def names(text, name):
    """Whether a message names a thing, in whole words."""
    return re.search(r"(?<!\w)%s(?!\w)" % re.escape(name), text) is not None


def version(program):
    return lines(program, "version")[0]["version"]


def knows(program, verb, flag):
    """Whether this usher has a flag: older ones may lack it."""
    return ("--" + flag + " ") in call(program, "help", verb)[1]


def extensions(program):
    """The extensions of models and archives."""
    found = []
    for f in lines(program, "formats"):
        if f["family"] != "interchange" and f.get("kind") in ("model", "animation", "archive"):
            found += [e for e in f["extensions"] or [] if e != ".*" and e.startswith(".")]
    return sorted(set(found))


def is_archive(program, path):
    """Whether a file holds several models rather than being one."""
    return lines(program, "info", path)[0].get("kind") == "archive"


def is_animation(program, path):
    """Whether a file or an entry holds motions of a model rather than one."""
    return lines(program, "info", path)[0].get("kind") == "animation"


def models(program, archive):
    """The entries of an archive that are models or their animations, as (path, title)."""
    return [(e["path"], e.get("title", "")) for e in lines(program, "ls", archive, "--kind", "model,animation")]


def operand(path, entry):
    return path + ":" + entry if entry else path


MAP = ("fixed", "nonfixed", "terrain")  # what the files of a map of Ultima IX are called, before their common extension


def map_files(path, games):
    """The files of the map that a file belongs to, by their formats: beside it, and in the folders of its game or of some."""
    home, number = os.path.split(path)
    number = os.path.splitext(number)[1].lower()
    places = [home] + [os.path.join(game, kind) for game in [home, os.path.dirname(home), *games] for kind in ("static", "runtime")] + list(games)
    found = {}
    for folder in places:
        names = {name.lower(): name for name in os.listdir(folder)} if os.path.isdir(folder) else {}
        for kind in MAP:
            if kind + number in names:
                found.setdefault("u9-" + kind, os.path.join(folder, names[kind + number]))
    return found


def same(a, b):
    """Whether two names are of one file."""
    return os.path.normcase(os.path.abspath(a)) == os.path.normcase(os.path.abspath(b))


def stamp(path):
    """The sum of what a file holds, which says if it is the one that it was."""
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


BACKUP = ".bak"


def original(path, folder):
    """The file as it was before anything was put in its place, under its own name: usher knows some files by that."""
    if not os.path.isfile(path + BACKUP) or os.path.isfile(path) and filecmp.cmp(path, path + BACKUP, shallow=False):
        return path
    os.makedirs(os.path.join(folder, "original"), exist_ok=True)
    return shutil.copyfile(path + BACKUP, os.path.join(folder, "original", os.path.basename(path)))


def check_place(target):
    """Refuses a place where no file can be put, before anything is made."""
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise Failure("there is no folder " + folder)
    if os.path.isdir(target):
        raise Failure(target + " is a folder: give the file a name")
    if not os.path.splitext(target)[1]:
        raise Failure(target + " has no extension, which says what to make: .cmp, .u3d, .mesh …")
    if not os.access(folder, os.W_OK) or os.path.exists(target) and not os.access(target, os.W_OK):
        raise Failure("you may not write to %s: choose another folder" % (folder if not os.access(folder, os.W_OK) else target))


def keep_first(target):
    """Keeps what a file was before the first export, for good, and says whether that was kept already."""
    there = os.path.exists(target + BACKUP)
    if os.path.exists(target) and not there:
        shutil.copy2(target, target + BACKUP)
    return there


def replace(source, target):
    """Puts a file in the place of another. The first that ever stood there stays as .bak, the last as .last.bak."""
    if keep_first(target) and os.path.exists(target):
        shutil.copy2(target, target + ".last" + BACKUP)
    waiting = target + ".usher-new"
    shutil.copyfile(source, waiting)
    os.replace(waiting, target)
