// Asks the server and understands its answers; every "no" becomes a Problem with the server's own sentence.

import { currentKey, withKey } from "./key.js";

const REPEATS_MAX = 3;
const REPEAT_MS = 400;

/** What went wrong. The message is the server's sentence; status 0 means that no answer came. */
export class Problem extends Error {
  /** @param {number} status @param {string} title @param {string} sentence */
  constructor(status, title, sentence) {
    super(sentence);
    this.status = status;
    this.title = title;
  }
}

/** @type {Set<() => void>} */
const whenUnauthorized = new Set();

/** Calls the listener whenever the server says that nobody is signed in. @param {() => void} listener */
export function onUnauthorized(listener) {
  whenUnauthorized.add(listener);
  return () => whenUnauthorized.delete(listener);
}

/**
 * A path with a query; what is null, undefined or empty is left out.
 * @param {string} path @param {Record<string, any>} [query]
 */
export function address(path, query = {}) {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

/** Reads JSON. @param {string} path @param {Record<string, any>} [query] @returns {Promise<any>} */
export async function get(path, query = {}) {
  const answer = await ask("GET", address(path, query));
  return answer.json();
}

/** Reads text. @param {string} path @param {Record<string, any>} [query] */
export async function getText(path, query = {}) {
  const answer = await ask("GET", address(path, query));
  return answer.text();
}

/** Reads what is to be saved as a file; a large one the browser keeps on its disk. @param {string} path */
export async function getBlob(path) {
  const answer = await ask("GET", path);
  try {
    return await answer.blob();
  } catch {
    throw new Problem(0, "Cut off", "the server broke off before the end; nothing was saved, try again");
  }
}

/**
 * Changes something, once: a repetition after a lost connection carries the same key, so the server
 * answers it without doing it again. A body that is text is sent as it is, anything else as JSON.
 * @param {string} verb @param {string} path @param {any} [body]
 * @param {{fence?: number|string|null, ifMatch?: string|null, type?: string}} [how]
 * @returns {Promise<any>}
 */
export async function send(verb, path, body, { fence, ifMatch, type } = {}) {
  /** @type {Record<string, string>} */
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  if (fence !== undefined && fence !== null) headers["Mainstay-Fence"] = String(fence);
  if (ifMatch) headers["If-Match"] = ifMatch;
  if (body !== undefined) headers["Content-Type"] = type ?? "application/json";
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  for (let repeat = 0; ; repeat++) {
    try {
      return await read(await ask(verb, path, headers, text));
    } catch (problem) {
      if (problem.status !== 0 || repeat >= REPEATS_MAX) throw problem;
      await new Promise((done) => setTimeout(done, REPEAT_MS * 2 ** repeat));
    }
  }
}

/**
 * Changes something that cannot be known again, such as what is typed: no key goes with it, and it is not repeated.
 * @param {string} verb @param {string} path @param {any} body @returns {Promise<any>}
 */
export async function sendOnce(verb, path, body) {
  return read(await ask(verb, path, { "Content-Type": "application/json" }, JSON.stringify(body)));
}

/** @param {Response} answer */
async function read(answer) {
  if (answer.status === 204) return null;
  const type = answer.headers.get("Content-Type") ?? "";
  return type.includes("json") ? answer.json() : answer.text();
}

/** @param {string} verb @param {string} url @param {Record<string, string>} [headers] @param {string} [body] */
async function ask(verb, url, headers = {}, body) {
  const key = currentKey();
  let answer;
  try {
    answer = await fetch(url, { method: verb, headers: withKey(headers), body, cache: "no-store" });
  } catch {
    throw new Problem(0, "No answer", "the server does not answer; is 'mainstay serve' running?");
  }
  if (answer.ok) return answer;
  const problem = await problemOf(answer);
  // A token that is not taken ends no sign-in that there is.
  const asksToSignIn = verb === "POST" && url === "/sign-in";
  if (problem.status === 401 && !asksToSignIn) {
    // Somebody signed in anew meanwhile, here or in another tab: it was asked with half of the old and half of the new.
    if (currentKey() && currentKey() !== key) return ask(verb, url, headers, body);
    whenUnauthorized.forEach((each) => each());
  }
  throw problem;
}

/** @param {Response} answer */
export async function problemOf(answer) {
  try {
    const told = await answer.json();
    return new Problem(answer.status, told.title ?? "Refused", told.detail ?? answer.statusText);
  } catch {
    return new Problem(answer.status, "Refused", `the server answered ${answer.status}`);
  }
}
