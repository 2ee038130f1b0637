// Package gltf writes the asset model as glTF 2.0 and reads it back, as GLB and as .gltf with its files.
//
// Everything that glTF has a place for goes there; the rest rides in extras, in one object named "usher":
//
//	"extras": {
//	  "usher": {
//	    "format": "sappear",       // Native.Format; absent when there is no Native
//	    "scale": 2, "flags": 17,   // Native.Values that any editor keeps
//	    "readonly": {"limb": 3},   // those that are for reading only
//	    "check": "…",              // tells when somebody edited what is for reading only
//	    "json": "{…}",             // Native.Values that editors break: booleans, null, lists of texts, large integers
//	    "payload": "…",            // Native.Payload: base64 of a raw deflate stream
//	    "asset": {…}               // what the asset model knows and glTF does not: the kind of a node, …
//	  }
//	}
//
// Numbers of Native.Values come back as float64, as from any JSON. Custom attributes come back sorted by name.
//
// Blender's importer and exporter keep the custom properties of scenes, nodes, bones, meshes, materials and cameras,
// and drop those of primitives, textures, images, skins and animations. The objects of the latter therefore ride with
// the former: primitives in their mesh, textures in the first material that uses them, skins in the node that has the
// skin, animations in the scene. They are looked for in both places.
//
// A file that is made of another format shows one clean model. Lower levels of detail, and what only a game looks at
// (nodes of the kinds [asset.Wire], [asset.Hull], [asset.Mount]), ride with the node that they belong to:
//
//	"asset": {
//	  "kept": {
//	    "payload": "…",            // a GLB of the hidden nodes, with the materials and textures that nothing else has
//	    "places": [-1, -2, 0],     // for each of its roots: −1 − k for level k + 1, else the place among the children
//	    "was": […], "shape": […],  // the node's matrix and what tells its mesh from an edited one
//	    "skins": [-2, -1],         // for each of its nodes: a skin of the file, −1 for none, −2 for that of the node
//	    "materials": [0, -4],      // for each of its materials: the one in the file that it stands for, or −1 − its own number
//	    "meshes": [1, 2], "animations": [0]
//	  }
//	}
//
// They are in the node's space, and so go where it goes; an edit of the node's shape is told. [Options.Show] brings them
// out: levels then stand below their node, with "lodOf", "lodLevel" and "lodBelow" in their record, or beside it where one
// of the two moves on its own. Files that usher wrote formerly have them outside the scene, with MSFT_lod or "lodOf".
//
// An editor that drops extras drops all of this. [DecodeOnto] puts it back from the original. Without that, the marks of
// materials (a metalness that nobody sees) tell that something is lost: [asset.Scene.Stripped].
//
// Files of other programs are read with the extensions that they use: KHR_mesh_quantization, EXT_ and
// KHR_meshopt_compression, EXT_mesh_gpu_instancing (whose copies become nodes; [Options.Instances] writes it),
// KHR_materials_pbrSpecularGlossiness (which becomes what glTF has for it now), EXT_texture_webp. KHR_lights_punctual,
// KHR_node_visibility, KHR_texture_transform, KHR_texture_basisu, EXT_texture_avif and KHR_materials_specular, _unlit and
// _emissive_strength are kept and written. The rest is left out and named; only a file that requires what changes its shape
// is refused. What is wrong within an extension that a file does not require never refuses it.
//
// What is written passes the Khronos validator without errors and warnings. Data that would not is mended (a normal
// that is not of unit length, weights that do not add up to 1, values that are not finite), and each repair is a
// diagnostic. Contradictions in the asset itself, such as an index beyond the vertices, are errors.
package gltf
