// A page that was opened as a file cannot load modules, so this says why its cells have no buttons. A classic script, for that reason.
if (location.protocol === "file:") {
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = JSON.parse(document.getElementById("live").textContent).words.no_file;
  document.querySelector("[data-live]").before(note);
}
