// Package gltf writes the asset model as glTF 2.0 and reads it back, as GLB and as .gltf with its files.
//
// Everything that glTF has a place for goes there; the rest rides in extras, in one object named "usher":
//
//	"extras": {
//	  "usher": {
//	    "format": "sappear",       // Native.Format; absent when there is no Native
//	    "scale": 2, "flags": 17,   // Native.Values that any editor keeps
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
// Files of other programs are read with the extensions that they use: KHR_mesh_quantization, EXT_ and
// KHR_meshopt_compression, EXT_mesh_gpu_instancing (whose copies become nodes), KHR_materials_pbrSpecularGlossiness (which
// becomes what glTF has for it now), EXT_texture_webp. KHR_lights_punctual, KHR_node_visibility, KHR_texture_transform,
// KHR_texture_basisu, EXT_texture_avif and KHR_materials_specular, _unlit and _emissive_strength are kept and written. The
// rest is left out and named; only a file that requires what changes its shape is refused. What is wrong within an
// extension that a file does not require never refuses it.
//
// What is written passes the Khronos validator without errors and warnings. Data that would not is mended (a normal
// that is not of unit length, weights that do not add up to 1, values that are not finite), and each repair is a
// diagnostic. Contradictions in the asset itself, such as an index beyond the vertices, are errors.
package gltf
