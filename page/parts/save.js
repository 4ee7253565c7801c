// Hands something to the person as a file; it never becomes a page of this site.

const KEPT_MS = 10_000;

/** @param {Blob|string} content @param {string} name */
export function save(content, name) {
  const url = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
