// Light or dark: as the system has it, unless the person chose.

const KEY = "mainstay.theme";

/** @typedef {"system"|"light"|"dark"} Theme */

/** @returns {Theme} */
export function theme() {
  const chosen = localStorage.getItem(KEY);
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

/** @param {Theme} chosen */
export function setTheme(chosen) {
  if (chosen === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  apply();
}

function apply() {
  const chosen = theme();
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  changed();
}

/** @type {Set<() => void>} */
const listeners = new Set();
const changed = () => listeners.forEach((each) => each());

/** Calls the listener when colours changed; drawings on a canvas are drawn anew then. @param {() => void} listener */
export function onTheme(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The colour that a property of style.css stands for now, such as "--good", for a canvas. @param {string} name */
export function colour(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
addEventListener("storage", (event) => event.key === KEY && apply()); // another tab chose
apply();
