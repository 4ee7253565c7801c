// A style sheet that is fetched when a page first needs it, so that the first page need not wait for those of others.

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/** Of a library: ours come after it and win. @param {string} href */
export const sheet = (href) => fetched(href, (link) => document.head.prepend(link));

/** Of ours. @param {string} href */
export const ownSheet = (href) => fetched(href, (link) => document.head.append(link));

/** @param {string} href @param {(link: HTMLLinkElement) => void} place */
function fetched(href, place) {
  let loading = sheets.get(href);
  if (!loading) {
    loading = new Promise((loaded) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = href;
      link.onload = link.onerror = () => loaded();
      place(link);
    });
    sheets.set(href, loading);
  }
  return loading;
}
