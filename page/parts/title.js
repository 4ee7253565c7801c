// The title of the tab: how much waits for a person, the page, and the project, so that two tabs differ.

const shown = { waiting: 0, page: "", project: "" };

/** @param {Partial<typeof shown>} changed */
export function setTitle(changed) {
  Object.assign(shown, changed);
  const page = shown.page && `${shown.waiting > 0 ? `(${shown.waiting}) ` : ""}${shown.page}`;
  document.title = [page, shown.project, "Mainstay"].filter(Boolean).join(" · ");
}
