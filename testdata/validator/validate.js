// Validates glTF files with the Khronos validator: node validate.js FILE|FOLDER...
// Prints one line a file, and each error and warning below it. Exits 1 when there is any error or warning.
'use strict';
const fs = require('fs');
const path = require('path');
const validator = require('gltf-validator');

function collect(name, list) {
  const stat = fs.statSync(name);
  if (!stat.isDirectory()) {
    list.push(name);
    return list;
  }
  for (const entry of fs.readdirSync(name).sort()) {
    const full = path.join(name, entry);
    if (fs.statSync(full).isDirectory() || /\.(glb|gltf)$/i.test(entry)) collect(full, list);
  }
  return list;
}

async function validate(name) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(name)), {
    uri: path.basename(name),
    maxIssues: 100,
    externalResourceFunction: (uri) =>
      fs.promises.readFile(path.join(path.dirname(name), decodeURIComponent(uri))).then((b) => new Uint8Array(b)),
  });
  const issues = report.issues;
  const bad = issues.messages.filter((m) => m.severity < 2);
  console.log(`${bad.length ? 'FAIL' : 'ok  '} ${name}: ${issues.numErrors} errors, ${issues.numWarnings} warnings, ${issues.numInfos} infos`);
  for (const m of bad) console.log(`     ${m.severity === 0 ? 'error' : 'warning'} ${m.code} ${m.pointer || m.offset || ''}: ${m.message}`);
  if (process.env.VERBOSE) for (const m of issues.messages) if (m.severity >= 2) console.log(`     info ${m.code} ${m.pointer || ''}: ${m.message}`);
  return issues.numErrors + issues.numWarnings;
}

(async () => {
  const files = process.argv.slice(2).flatMap((a) => collect(a, []));
  if (files.length === 0) {
    console.error('no .glb or .gltf files');
    process.exit(2);
  }
  let failed = 0;
  for (const name of files) {
    try {
      if ((await validate(name)) > 0) failed++;
    } catch (err) {
      failed++;
      console.log(`FAIL ${name}: ${err}`);
    }
  }
  console.log(`${files.length} files, ${failed} with errors or warnings`);
  process.exit(failed ? 1 : 0);
})();
