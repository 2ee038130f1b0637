/* Freelancer's own engine as judge of trees and collision files: it loads each file that a line of LIST names.

   usage: judge.exe INI LIST   in the folder of the game's libraries, with a display.
   Prints "begin NAME" before each file, then "ok NAME: what was loaded" or "BAD NAME: why". A file that brings the libraries down
   ends the program: then its line begins with "crash".

   The libraries hand out objects whose functions are called by their place in a table; which place has what is known from what the
   libraries themselves do with it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

typedef unsigned U;
typedef void *Object;
typedef const char *Text;

#define AT(object, n) ((*(void ***)(object))[n])
#define CALL(result, object, n, types, ...) ((result(__stdcall *) types)AT(object, n))(object, ##__VA_ARGS__)
#define EXPORT(library, name) ((void *)GetProcAddress(library, name))
#define OBJECT(name) (*(Object *)GetProcAddress(dalib, name))

enum { QUERY, ADD, RELEASE, CREATE };                                                                        /* any component */
enum { CLOSE = 4, READ, LENGTH = 10, FIRST = 18, NEXT, END, OPEN = 31 };                                     /* a file system */
enum { NEW_ARCHETYPE = 12, FREE_ARCHETYPE = 15, JOINTS = 20, PARTS, NEW_INSTANCE = 23, FREE_INSTANCE };      /* the engine */
enum { LOAD_TEXTURES = 5, FREE_TEXTURES = 7, COUNT_TEXTURES = 40 };                                          /* textures */
enum { LOAD_MATERIALS = 8, FREE_MATERIALS = 10, COUNT_MATERIALS = 21 };                                      /* materials */
enum { LOAD_MESHES = 3, FREE_MESHES, LOAD_ANIMATIONS = 3, FREE_ANIMATIONS, LOAD_NODES = 4, LOAD_EFFECTS = 8 }; /* and others */
enum { START = 3, BUFFERS = 12 };                                                                            /* the screen */
enum { HULLS = 0x48, DEEPEST = 64 }; /* where a ship has its hulls; how deep trees are followed */

struct description { /* of a file system or a file that is to be opened */
	U size;
	Text kind, implementation, name;
	U access, share;
	void *security;
	U how, attributes;
	void *model, *parent, *handle, *found;
};

struct name { /* an archetype has a name and the checksum of it */
	Text text;
	U sum;
};

struct verdict {
	U directories, leaves;
	Text problem; /* what we saw */
	char complaint[400]; /* what the libraries said first */
	char loaded[200];
};

static HMODULE dacom, dalib, common;
static Object data, engine, meshes, materials, textures, animations, effects, nodes;
static struct verdict v; /* of the file at hand */

/* complain gets all that the libraries have to say. Errors and warnings have codes that end in 1 and 2. */
static int __cdecl complain(U code, Text format, ...) {
	char text[sizeof v.complaint];
	if ((code & 0xff) > 2 || *v.complaint) return 0;
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	Text says = strstr(text, " : "); /* before it stands where in their source */
	snprintf(v.complaint, sizeof v.complaint, "%s", says ? says + 3 : text);
	for (char *c = v.complaint; *c; c++)
		if ((unsigned char)*c < ' ') *c = ' ';
	return 0;
}

static LONG WINAPI crash(EXCEPTION_POINTERS *e) {
	printf("crash %08lx at %p %s\n", e->ExceptionRecord->ExceptionCode, e->ExceptionRecord->ExceptionAddress, v.complaint);
	TerminateProcess(GetCurrentProcess(), 3);
	return 0;
}

static void tell(Text word, U n) {
	sprintf(v.loaded + strlen(v.loaded), " %s %u", word, n);
}

static struct description describe(Text name) {
	struct description d = {sizeof d, "FileSystem", NULL, name, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING,
		FILE_ATTRIBUTE_NORMAL | FILE_FLAG_SEQUENTIAL_SCAN, NULL, NULL, NULL, INVALID_HANDLE_VALUE};
	return d;
}

/* tree opens a file, or a directory of one, as a file system of its own. */
static Object tree(Object above, Text name, Text implementation) {
	struct description d = describe(name);
	Object fs = NULL;
	d.implementation = implementation;
	return CALL(int, above, CREATE, (Object, struct description *, Object *), &d, &fs) ? NULL : fs;
}

static HANDLE first(Object fs, Text pattern, WIN32_FIND_DATAA *entry) {
	return CALL(HANDLE, fs, FIRST, (Object, Text, WIN32_FIND_DATAA *), pattern, entry);
}

static int has(Object fs, Text name) {
	WIN32_FIND_DATAA entry;
	HANDLE found = first(fs, name, &entry);
	if (found != INVALID_HANDLE_VALUE) CALL(BOOL, fs, END, (Object, HANDLE), found);
	return found != INVALID_HANDLE_VALUE;
}

/* leaf reads a leaf whole. */
static Text leaf(Object fs, Text name) {
	struct description d = describe(name);
	HANDLE h = CALL(HANDLE, fs, OPEN, (Object, struct description *), &d);
	if (h == INVALID_HANDLE_VALUE) return "a leaf that it lists does not open";
	U size = CALL(U, fs, LENGTH, (Object, HANDLE, U *), h, NULL), got = 0;
	void *b = malloc(size + 1);
	BOOL read = b && size && CALL(BOOL, fs, READ, (Object, HANDLE, void *, U, U *, void *), h, b, size, &got, NULL);
	free(b);
	CALL(BOOL, fs, CLOSE, (Object, HANDLE), h);
	return !size || read && got == size ? NULL : "a leaf that it lists does not read";
}

/* walk opens all that a tree lists. */
static void walk(Object fs, int depth) {
	WIN32_FIND_DATAA entry;
	HANDLE found = first(fs, "*", &entry);
	if (found == INVALID_HANDLE_VALUE) return;
	do {
		if (!strcmp(entry.cFileName, ".") || !strcmp(entry.cFileName, "..")) continue;
		if (!(entry.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)) {
			Text problem = leaf(fs, entry.cFileName);
			v.leaves++;
			if (problem) v.problem = problem;
			continue;
		}
		Object directory = depth < DEEPEST ? tree(fs, entry.cFileName, NULL) : NULL;
		v.directories++;
		if (!directory) {
			v.problem = "a directory that it lists does not open";
			continue;
		}
		walk(directory, depth + 1);
		CALL(U, directory, RELEASE, (Object));
	} while (CALL(BOOL, fs, NEXT, (Object, HANDLE, WIN32_FIND_DATAA *), found, &entry));
	CALL(BOOL, fs, END, (Object, HANDLE), found);
}

/* collection loads the textures or the materials of a tree, counts them, and lets them go. */
static void collection(Text word, Object library, Object fs, int load, int count, int end) {
	U id = -1, n = 0;
	if (CALL(int, library, load, (Object, Object, U *), fs, &id) || CALL(int, library, count, (Object, U, U *), id, &n)) {
		v.problem = word;
		return;
	}
	tell(word, n);
	CALL(int, library, end, (Object, U), id);
}

static char __cdecl counted(void *parent, void *child, void *joint, void *n) {
	++*(U *)n;
	return 1;
}

/* model makes an archetype of a tree, and one instance of that. */
static void model(Object fs, Text path) {
	U(__cdecl *sum)(Text) = EXPORT(dacom, "?GetCRC32@DACOM_CRC@@YAKPBD@Z");
	struct name n = {path, sum(path)};
	U parts = 0, joints = 0;
	int archetype = CALL(int, engine, NEW_ARCHETYPE, (Object, struct name *, Object), &n, fs);
	if (archetype == -1) {
		v.problem = "no archetype";
		return;
	}
	int instance = CALL(int, engine, NEW_INSTANCE, (Object, int, void *), archetype, NULL);
	if (instance == -1) v.problem = "no instance";
	else CALL(void, engine, FREE_INSTANCE, (Object, int), instance);
	CALL(int, engine, PARTS, (Object, int, void *, void *), archetype, counted, &parts);
	CALL(int, engine, JOINTS, (Object, int, void *, void *), archetype, counted, &joints);
	if (parts) tell("parts", parts), tell("joints", joints);
	CALL(void, engine, FREE_ARCHETYPE, (Object, int), archetype);
}

/* effect loads the nodes of effects, then the effects that join them. */
static void effect(Object fs) {
	if (CALL(int, nodes, LOAD_NODES, (Object, Object), fs)) v.problem = "its nodes do not load";
	else if (CALL(int, effects, LOAD_EFFECTS, (Object, Object), fs)) v.problem = "its effects do not load";
}

static void motions(Object fs) {
	int set = CALL(int, animations, LOAD_ANIMATIONS, (Object, Object), fs);
	if (set == -1) v.problem = "its animations do not load";
}

/* contents hands each part of the engine what a tree has for it. The meshes stay until the model that refers to them is made. */
static void contents(Object fs, Text path) {
	U *list = NULL;
	if (has(fs, "Texture library")) collection("textures", textures, fs, LOAD_TEXTURES, COUNT_TEXTURES, FREE_TEXTURES);
	if (has(fs, "Material library")) collection("materials", materials, fs, LOAD_MATERIALS, COUNT_MATERIALS, FREE_MATERIALS);
	if (has(fs, "VMeshLibrary")) {
		list = ((U * (__thiscall *)(Object, Object, int)) AT(meshes, LOAD_MESHES))(meshes, fs, -1);
		if (list) tell("meshes", list[2]);
		else v.problem = "its meshes do not load";
	}
	if (has(fs, "Animation")) motions(fs);
	if (has(fs, "AlchemyNodeLibrary")) effect(fs);
	if (has(fs, "Cmpnd") || has(fs, "VMeshPart") || has(fs, "MultiLevel") || has(fs, "Sphere")) model(fs, path);
	if (list) ((void(__thiscall *)(Object, U *))AT(meshes, FREE_MESHES))(meshes, list);
}

/* part counts the parts of a collision file, which are the nodes of a binary tree: below the last ones lies the node none. */
static U part(U **node, U **none) {
	return node == none ? 0 : 1 + part((U **)node[0], none) + part((U **)node[2], none);
}

/* hulls loads a collision file into a ship of its own. */
static void hulls(Text path) {
	U *ship = calloc(1, 4096);
	((void(__thiscall *)(void *, void *))EXPORT(common, "??0Root@Archetype@@QAE@PAUICliObj@1@@Z"))(ship, NULL);
	U **map = (U **)(ship + HULLS / sizeof *ship);
	char(__cdecl *load)(Text, void *) = EXPORT(common, "?LoadSurfaces@PhyArch@@YA_NPBDAAV?$map@IUPart@PhyArch@@U?$less@I@std@@V?$allocator@UPart@PhyArch@@@4@@std@@@Z");
	if (load(path, map)) tell("parts", part(((U ***)map[1])[1], (U **)map[2]));
	else v.problem = "its hulls do not load";
}

static void judge(Text path) {
	Text end = strrchr(path, '.');
	if (end && !stricmp(end, ".sur")) {
		hulls(path);
		return;
	}
	Object fs = tree(data, path, "UTF");
	if (!fs) {
		v.problem = "no tree";
		return;
	}
	walk(fs, 0);
	if (!v.directories && !v.leaves) v.problem = "no tree";
	tell("directories", v.directories + 1);
	tell("leaves", v.leaves);
	if (!v.problem) contents(fs, path);
	CALL(U, fs, RELEASE, (Object));
}

/* start wakes the engine, and gives it a screen: textures want one. */
static Text start(Text ini) {
	HWND w = CreateWindowA("STATIC", "judge", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 0, 0, 320, 240, NULL, NULL, NULL, NULL);
	U wanted[10] = {0, 0, 320, 240, -1, -1, 0, 0, 2}, got[10];
	dacom = LoadLibraryA("dacom.dll"), dalib = LoadLibraryA("dalib.dll"), common = LoadLibraryA("common.dll");
	if (!dacom || !dalib || !common) return "a library is missing";
	*(void **)EXPORT(dacom, "FDUMP") = complain;
	if (!((char(__cdecl *)(HWND, Text))EXPORT(dalib, "?Startup@DALib@@YA_NPAUHWND__@@PBD@Z"))(w, ini)) return "the engine does not start";
	((void(__cdecl *)(Text))EXPORT(dalib, "?OpenData@DALib@@YAXPBD@Z"))(".\\");
	data = OBJECT("?Data@DALib@@3PAUIFileSystem@@A");
	engine = OBJECT("?Engine@DALib@@3PAUIEngine@@A");
	meshes = OBJECT("?VMeshLibrary@DALib@@3PAUIVMeshLibrary@@A");
	materials = OBJECT("?MaterialLib@DALib@@3PAUIMaterialLibrary@@A");
	textures = OBJECT("?TextureLib@DALib@@3PAUITextureLibrary2@@A");
	animations = OBJECT("?Anim@DALib@@3PAUIAnimation2@@A");
	effects = OBJECT("?FxEffectLibrary@DALib@@3PAUIFxEffectLibrary@@A");
	Object screen = OBJECT("?Pipeline@DALib@@3PAUIRenderPipeline@@A"), alchemy = OBJECT("?Alchemy@DALib@@3PAUIAlchemy@@A");
	if (!data || !engine || !meshes || !materials || !textures || !animations || !effects || !screen || !alchemy) return "a part of the engine is missing";
	if (CALL(int, alchemy, QUERY, (Object, Text, Object *), "1.11_IFxNodeLibrary", &nodes)) return "the library of effects is missing";
	if (CALL(int, screen, START, (Object, Text), NULL) || CALL(int, screen, BUFFERS, (Object, HWND, U *, U *), w, wanted, got)) return "no screen";
	return NULL;
}

int main(int argc, char **argv) {
	char line[MAX_PATH];
	setvbuf(stdout, NULL, _IONBF, 0);
	SetUnhandledExceptionFilter(crash);
	Text problem = argc == 3 ? start(argv[1]) : "usage: judge.exe INI LIST";
	FILE *list = problem ? NULL : fopen(argv[2], "r");
	if (!list) return printf("%s %s\n", problem ? problem : "no list", v.complaint), 2;
	while (fgets(line, sizeof line, list)) {
		line[strcspn(line, "\r\n")] = 0;
		printf("begin %s\n", line);
		memset(&v, 0, sizeof v);
		judge(line);
		if (v.problem || *v.complaint) printf("BAD %s: %s %s (%s )\n", line, v.problem ? v.problem : "", v.complaint, v.loaded);
		else printf("ok %s:%s\n", line, v.loaded);
	}
	return 0;
}
