// Who is signed in, and so what may be done here.

import { useState, useEffect } from "../lib.js";

/** @typedef {{role: "person"|"agent"|"viewer", name: string, project: string}} Caller */

/** @type {Caller|null} */
let caller = null;
/** @type {Set<() => void>} */
const watchers = new Set();

/** @param {Caller|null} found */
export function setCaller(found) {
  caller = found;
  watchers.forEach((each) => each());
}

/** @returns {Caller|null} */
export function useCaller() {
  const [, again] = useState(0);
  useEffect(() => {
    const watcher = () => again((n) => n + 1);
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  }, []);
  return caller;
}

/** Whether actions of persons are offered; the server decides whatever is shown. */
export function useIsPerson() {
  return useCaller()?.role === "person";
}
