// The half of a sign-in that the page keeps. Browsers send a cookie to every port of a host, so also to servers of
// others; what lies in the storage of an origin is sent to nobody, and the cookie is worth nothing without it.

const NAME = "mainstay.key";
const KEY_BYTES = 32;

/** A key for a new sign-in, which nobody guesses. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} key */
export function keepKey(key) {
  localStorage.setItem(NAME, key);
}

export function forgetKey() {
  localStorage.removeItem(NAME);
}

/** The key as it is now; none where the browser keeps nothing. */
export function currentKey() {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** Headers of a request, and the key: asked for each time, for another tab may have signed in anew. @param {Record<string, string>} headers */
export function withKey(headers = {}) {
  const key = currentKey();
  return key ? { ...headers, "Mainstay-Page": key } : headers;
}
