// Command lines as a person would type them: every word quoted so that a POSIX shell with $'...' gives
// Mainstay exactly the text that was meant, and so that what is read is what is run.

/** Words that no shell changes. */
const PLAIN = /^[A-Za-z0-9_/:=.,@%+-]+$/;

/** What must not stand in a line that is copied: controls, and characters that reorder or hide others. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const UNSEEN_EACH = new RegExp(`${UNSEEN.source}|[\\\\']`, "g");

const NAMED = { "\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\", "'": "\\'" };

/** One character inside $'...'; both forms have all their digits, so a digit that follows stays one. */
function escaped(character) {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return NAMED[character] ?? (code < 0x80 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`);
}

/**
 * One word of a command line.
 * @param {string | number} value
 */
export function quote(value) {
  const text = String(value);
  if (PLAIN.test(text)) return text;
  if (UNSEEN.test(text)) return `$'${text.replace(UNSEEN_EACH, escaped)}'`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * A call of mainstay. An option is true for a flag, a text for a value, and null or "" when it is not given.
 * @param {string} command such as "directive add"
 * @param {(string | number)[]} words what stands without a name, in order
 * @param {Record<string, string | number | boolean | null | undefined>} options by name, without dashes
 */
export function mainstay(command, words, options = {}) {
  const flags = Object.entries(options)
    .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== "")
    .map(([name, value]) => flag(name, /** @type {string | number | true} */ (value)));
  // A word that begins with @ would be taken for a file of arguments; a second @ says that it is none.
  const plain = words.map((word) => quote(String(word).replace(/^@(?=.)/s, "@@")));
  // A text that begins with a dash would be taken for an option, unless the end of the options is said.
  const parts = words.some((word) => String(word).startsWith("-"))
    ? [...flags, "--", ...plain]
    : [...plain, ...flags];
  return ["mainstay", command, ...parts].join(" ");
}

function flag(name, value) {
  if (value === true) return `--${name}`;
  // Joined by "=", a value that begins with a dash or an @ is taken as it is.
  return /^[-@]/.test(String(value)) ? `--${name}=${quote(value)}` : `--${name} ${quote(value)}`;
}
