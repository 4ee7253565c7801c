// Lets xterm.js draw under a policy that forbids styles in markup. It writes <style> elements and style
// attributes, and its option for another document does not reach all places; so here what it writes into a
// <style> becomes a constructed sheet, and a span's style attribute becomes the same properties.

/** An element in place of a <style>: its sheet is there for as long as it is in use. */
function sheetHolder() {
  const holder = make("span");
  holder.hidden = true;
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  Object.defineProperty(holder, "textContent", { get: () => "", set: (css) => sheet.replaceSync(css) });
  holder.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    Element.prototype.remove.call(holder);
  };
  return holder;
}

const make = document.createElement.bind(document);

document.createElement = /** @type {any} */ (
  (name, options) => (name === "style" ? sheetHolder() : make(name, options))
);

HTMLSpanElement.prototype.setAttribute = function (name, value) {
  if (name === "style") this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
};
