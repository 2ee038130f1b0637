// Package gltf writes scenes as glTF 2.0 and reads them back, as GLB and as .gltf with its files. Start with [Encode] and
// [Decode].
//
// What glTF has a place for goes there. The rest rides in extras, in one object named "usher":
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
// Blender keeps the custom properties of scenes, nodes, bones, meshes, materials and cameras, and drops those of
// primitives, textures, images, skins and animations. So the extras of the latter are stored with the former: those of
// primitives in their mesh, of textures in the first material that uses them, of skins in the node that has the skin, of
// animations in the scene. They are read from both places.
//
// A file made from another format shows one clean model. Lower levels of detail, and nodes that only a game uses (the kinds
// [asset.Wire], [asset.Hull], [asset.Mount]), are hidden: they are stored with the node that they belong to:
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
// Hidden nodes are stored in the node's space, so they move with it. If the node's mesh was edited, a diagnostic says so.
// [Options.Show] makes them visible: levels then stand below their node, with "lodOf", "lodLevel" and "lodBelow" in their
// record, or beside it if one of the two moves on its own. Files written by earlier versions have them outside the scene,
// with MSFT_lod or "lodOf".
//
// An editor that drops extras drops all of this. [DecodeOnto] puts it back from the original model. Without the original,
// marks in the materials (a metalness that is not visible) show that something was lost: [asset.Scene.Stripped]. Where single
// objects have lost theirs, the scene's list of names shows it ("asset": {"records": {"nodes": "…", "meshes": "…",
// "materials": "…"}}, one name a line), and that the scene has lost its own, the roots ("asset": {"scene": 1}).
//
// In files of other programs, these extensions are read: KHR_mesh_quantization, EXT_ and KHR_meshopt_compression,
// EXT_mesh_gpu_instancing (whose copies become nodes; [Options.Instances] writes it), KHR_materials_pbrSpecularGlossiness
// (translated to core materials) and EXT_texture_webp. KHR_lights_punctual, KHR_node_visibility, KHR_texture_transform,
// KHR_texture_basisu, EXT_texture_avif and KHR_materials_specular, _unlit and _emissive_strength are read and written.
// Other extensions are left out with a diagnostic; a file is refused only if it requires one that changes its shape. A
// fault inside an extension that a file does not require is never an error.
//
// The output passes the Khronos validator without errors and warnings. Invalid data is repaired (a normal that is not of
// unit length, weights that do not add up to 1, values that are not finite), and each repair is a diagnostic.
// Contradictions in the scene itself, such as an index beyond the vertices, are errors.
package gltf
