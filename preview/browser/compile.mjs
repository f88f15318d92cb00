// Run by node: starts the Python of the pages, lets it do what a page does first, and has it write what it needed as compiled code.
// node compile.mjs FOLDER: reads FOLDER/*.whl, writes FOLDER/compiled.zip.
import fs from "node:fs";
import { loadPyodide } from "pyodide";

const [folder] = process.argv.slice(2);
try {
  const py = await loadPyodide();
  py.FS.mkdirTree("/site");
  for (const name of fs.readdirSync(folder).filter((one) => one.endsWith(".whl"))) {
    py.unpackArchive(new Uint8Array(fs.readFileSync(`${folder}/${name}`)), "wheel", { extractDir: "/site" });
  }
  py.runPython(fs.readFileSync(new URL("compile_here.py", import.meta.url), "utf8"));
  fs.writeFileSync(`${folder}/compiled.zip`, py.FS.readFile("/compiled.zip"));
} catch (error) {
  // Node would print the line of Pyodide that raised it, which is a megabyte long.
  console.error(error.message);
  process.exit(1);
}
