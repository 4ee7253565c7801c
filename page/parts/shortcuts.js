// Keys for people who do not want to leave the keyboard, and the list of them.

import { html, useState, useEffect, useRef } from "../lib.js";

const CHORD_MS_MAX = 1200;

/** Whether somebody is typing, or a control wants the key itself. @param {any} target */
function isTyping(target) {
  return target.closest?.("input, textarea, select, [contenteditable], dialog, .xterm") !== null;
}

/** @param {{places: {name: string, says: string, key: string}[], go: (hash: string) => void}} props */
export function Shortcuts({ places, go }) {
  const [open, setOpen] = useState(false);
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  useEffect(() => {
    let chordUntil = 0;
    const pressed = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const place = Date.now() < chordUntil && places.find((each) => each.key === event.key);
      chordUntil = event.key === "g" ? Date.now() + CHORD_MS_MAX : 0;
      if (place) go(`#/${place.name}`);
      else if (event.key === "?") setOpen(true);
      else if (event.key === "/") {
        const search = /** @type {HTMLElement|null} */ (document.querySelector("main input[type=search]"));
        if (search) search.focus();
        else go("#/tasks");
      } else return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  useEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  const row = (keys, says) => html`<div key=${says}><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${says}</dd></div>`;
  return html`<button type="button" class="keys quiet small" onClick=${() => setOpen(true)} aria-haspopup="dialog">Keys <kbd>?</kbd></button>
    ${open &&
    html`<dialog ref=${dialog} class="act" aria-label="Keys" onClose=${() => setOpen(false)}>
      <h2>Keys</h2>
      <dl class="shortcuts">
        ${places.map((place) => row(["g", place.key], place.says))} ${row(["/"], "Search")} ${row(["?"], "This list")}
        ${row(["Esc"], "Close what is open")}
      </dl>
      <form method="dialog"><button class="quiet">Close</button></form>
    </dialog>`}`;
}
