// Which text of a later moment an earlier one became, and which of its words stayed.

const TAG = /^\[([a-z ]+)\] (.*)$/s;
const WORDS_MAX = 300;

/**
 * Texts that went and came, in pairs where one became the other: the same text with another tag before it, or
 * the only text of a field that holds one.
 * @param {string[]} gone
 * @param {string[]} come
 * @param {boolean} single
 */
export function paired(gone, come, single) {
  const left = [...come];
  const changes = gone.map((was) => {
    const place = left.findIndex((is) => untagged(is).text === untagged(was).text);
    if (place < 0) return { was };
    return { was, is: left.splice(place, 1)[0] };
  });
  if (single && gone.length === 1 && come.length === 1) return [{ was: gone[0], is: come[0] }];
  return [...changes, ...left.map((is) => ({ is }))];
}

/** "[done] write tests" is the text "write tests", which is done. */
export function untagged(text) {
  const match = TAG.exec(text);
  return match ? { tag: match[1], text: match[2] } : { tag: null, text };
}

/**
 * Two texts word by word, by their longest common sequence of words.
 * @param {string} was
 * @param {string} is
 * @returns {{kind: "same" | "gone" | "come", text: string}[]}
 */
export function worded(was, is) {
  const a = was.split(/(?<=\s)/);
  const b = is.split(/(?<=\s)/);
  // The table grows with the product of both lengths; long texts are told as a whole.
  if (a.length > WORDS_MAX || b.length > WORDS_MAX) return [{ kind: "gone", text: was }, { kind: "come", text: is }];
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const parts = [];
  const say = (kind, text) => (parts.at(-1)?.kind === kind ? (parts.at(-1).text += text) : parts.push({ kind, text }));
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      say("same", a[i++]);
      j++;
    } else if (i < a.length && (j === b.length || common[i + 1][j] >= common[i][j + 1])) say("gone", a[i++]);
    else say("come", b[j++]);
  }
  return parts;
}
