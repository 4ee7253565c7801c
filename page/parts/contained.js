// Keeps a text's own marks of direction within it. An isolate that it opens and does not end takes the end of the
// element around it for its own, and turns around what stands beside it; so does an end without a beginning.

const MARKS = /[\u2066-\u2069]/;
const END = "\u2069";
const BREAK = /[\n\r\u0085\u2029]/; // at which each isolate ends by itself

/** The same text, in which each isolate that is begun is ended, and no other is. @param {string} text */
export function contained(text) {
  if (!MARKS.test(text)) return text;
  let open = 0;
  let kept = "";
  for (const each of text) {
    if (each === END && open === 0) continue;
    if (BREAK.test(each)) {
      kept += END.repeat(open);
      open = 0;
    } else if (each === END) open--;
    else if (MARKS.test(each)) open++;
    kept += each;
  }
  return kept + END.repeat(open);
}
