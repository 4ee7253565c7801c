// One stream of events for the tab. It is read with fetch and not with EventSource, which hides whether
// the server refused or is gone, and needs every kind of event named beforehand.

import { useState, useEffect, useMemo, useRef, useCallback } from "./lib.js";
import { onUnauthorized } from "./api.js";
import { currentKey, withKey } from "./key.js";

/** @typedef {{stream: string, number: number, kind: string, actor: string, at: string, payload: any, position: string, seq: number, source: string}} Entry */
/** @typedef {"connecting"|"live"|"lost"|"signed-out"} Connection */

const BATCH_MS = 250;
const FRESH_MS = 1000;
const RETRY_MS = 500;
const RETRY_MS_MAX = 5000;
const SILENCE_MS_MAX = 25000; // the server says every 15 s that it is there
const HIDDEN_MS_MAX = 30000;

/** @type {Connection} */
let connection = "connecting";
let heardAt = Date.now();
/** @type {string|null} */
let last = null;
let failures = 0;
let life = 0; // grows with each new connection to a server: everything shown is asked for again
/** @type {AbortController|null} */
let reading = null;
let retryTimer = 0;
let silenceTimer = 0;
let hiddenTimer = 0;

/** @type {Set<(entries: Entry[]) => void>} */
const listeners = new Set();
/** @type {Set<() => void>} */
const watchers = new Set();
/** @type {Entry[]} */
let batch = [];
let batchTimer = 0;

/** When the server was last heard, in milliseconds; what is shown is true as of then. */
export function heard() {
  return connection === "live" ? Date.now() : heardAt;
}

/** @param {Connection} next */
function become(next) {
  if (connection === next) return;
  connection = next;
  watchers.forEach((each) => each());
}

/** Begins to listen, or begins again at once. */
export function connect() {
  clearTimeout(retryTimer);
  reading?.abort();
  reading = new AbortController();
  if (connection === "signed-out") become("connecting");
  follow(reading.signal);
}

// The cookie and the key are the browser's, so what one tab does counts for all.
const tabs = new BroadcastChannel("mainstay");
tabs.onmessage = ({ data }) => {
  if (data === "signed-out") disconnect();
  else if (data === "signed-in" && connection === "signed-out") connect();
};

/** Tells the other tabs. @param {"signed-in"|"signed-out"} news */
export function tellTabs(news) {
  tabs.postMessage(news);
}

/** Stops listening until somebody signs in. */
export function disconnect() {
  clearTimeout(retryTimer);
  clearTimeout(silenceTimer);
  clearTimeout(hiddenTimer);
  reading?.abort();
  reading = null;
  last = null;
  become("signed-out");
}

/** @param {AbortSignal} signal */
async function follow(signal) {
  try {
    const key = currentKey();
    /** @type {Record<string, string>} */
    const headers = { Accept: "text/event-stream" };
    if (last) headers["Last-Event-ID"] = last;
    const answer = await fetch("/events", { headers: withKey(headers), signal, cache: "no-store" });
    if (answer.status === 401 && currentKey() === key) return disconnect();
    if (answer.status === 409 || answer.status === 400) last = null; // another history: a store that was restored
    if (!answer.ok || !answer.body) throw new Error(String(answer.status));
    failures = 0;
    life++;
    become("live");
    await readFrames(answer.body.getReader(), signal);
    throw new Error("ended");
  } catch {
    if (signal.aborted) return;
    clearTimeout(silenceTimer);
    become("lost");
    const wait = Math.min(RETRY_MS * 2 ** failures++, RETRY_MS_MAX);
    retryTimer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
  }
}

/** @param {ReadableStreamDefaultReader<Uint8Array>} reader @param {AbortSignal} signal */
async function readFrames(reader, signal) {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    listenForSilence();
    const { done, value } = await reader.read();
    if (done || signal.aborted) return;
    heardAt = Date.now();
    text += decoder.decode(value, { stream: true });
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    frames.forEach(take);
  }
}

/** A connection that died without a word is given up. */
function listenForSilence() {
  clearTimeout(silenceTimer);
  silenceTimer = setTimeout(() => {
    become("lost");
    connect();
  }, SILENCE_MS_MAX);
}

/** @param {string} frame */
function take(frame) {
  let data = "";
  let wentBack = false;
  for (const line of frame.split("\n")) {
    if (line.startsWith("id: ")) last = line.slice(4);
    else if (line === "event: journal.went_back") wentBack = true;
    else if (line.startsWith("data: ")) data += line.slice(6);
  }
  if (wentBack) return askAgain(); // entries that were shown are gone, as after a failover
  if (data === "") return;
  batch.push(JSON.parse(data));
  if (!batchTimer) batchTimer = setTimeout(flush, BATCH_MS);
}

/** Lets everything shown be asked for again. */
function askAgain() {
  life++;
  watchers.forEach((each) => each());
}

function flush() {
  const entries = batch;
  batch = [];
  batchTimer = 0;
  listeners.forEach((each) => each(entries));
}

// A browser opens six connections to a server, for all tabs together: a tab that nobody sees gives its own back.
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiddenTimer);
  if (connection === "signed-out") return;
  if (document.hidden) {
    hiddenTimer = setTimeout(() => {
      clearTimeout(retryTimer);
      clearTimeout(silenceTimer);
      reading?.abort();
      reading = null;
      become("connecting");
    }, HIDDEN_MS_MAX);
  } else if (!reading || connection === "lost") connect();
});
addEventListener("online", () => connection === "lost" && connect());
addEventListener("pagehide", () => reading?.abort());
addEventListener("pageshow", (event) => event.persisted && connection !== "signed-out" && connect());
onUnauthorized(disconnect);

/** How the connection stands. @returns {Connection} */
export function useConnection() {
  const [, again] = useState(0);
  useEffect(() => {
    const watcher = () => again((n) => n + 1);
    watchers.add(watcher);
    watcher();
    return () => void watchers.delete(watcher);
  }, []);
  return connection;
}

/**
 * Calls the listener with what happened, at most four times a second; the function it returns ends that.
 * @param {(entries: Entry[]) => void} listener
 */
export function onEntries(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls the listener after each connection that is made anew. @param {() => void} listener */
export function onConnected(listener) {
  let known = life;
  const watcher = () => {
    if (connection !== "live" || life === known) return;
    known = life;
    listener();
  };
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

const NOTHING_YET = { value: undefined, problem: null, loading: true };

/**
 * What load() gives, kept fresh: asked again, at most once a second, when an entry concerns it, and after
 * each reconnection. When deps change, what was known is forgotten, for it is about something else.
 * @template T
 * @param {() => Promise<T>} load
 * @param {((entry: Entry) => boolean)|null} [concerns] any entry, when left out
 * @param {any[]} [deps]
 * @returns {{value: T|undefined, problem: Error|null, loading: boolean, reload: () => void}}
 */
export function useFresh(load, concerns, deps = []) {
  const about = useMemo(() => ({}), deps);
  const [known, setKnown] = useState({ ...NOTHING_YET, about });
  const latest = useRef({ load, concerns, ask: () => {} });
  latest.current.load = load;
  latest.current.concerns = concerns;

  useEffect(() => {
    const asking = asker(
      () => latest.current.load(),
      (next) => setKnown((before) => ({ ...(before.about === about ? before : NOTHING_YET), ...next, about })),
    );
    latest.current.ask = asking.now;
    asking.now();
    const endEntries = onEntries((entries) => {
      if (!latest.current.concerns || entries.some(latest.current.concerns)) asking.soon();
    });
    const endConnected = onConnected(asking.now);
    return () => {
      endEntries();
      endConnected();
      asking.end();
    };
  }, [about]);

  const reload = useCallback(() => latest.current.ask(), []);
  const shown = known.about === about ? known : NOTHING_YET;
  return { value: shown.value, problem: shown.problem, loading: shown.loading, reload };
}

/**
 * Asks one question at a time, and no oftener than FRESH_MS unless told to; answers after the end are dropped.
 * @param {() => Promise<any>} load @param {(next: any) => void} settle
 */
function asker(load, settle) {
  let over = false;
  let busy = false;
  let again = false;
  let asked = 0;
  let timer = 0;
  const soon = () => {
    if (timer || over) return;
    timer = setTimeout(now, Math.max(0, asked + FRESH_MS - Date.now()));
  };
  const now = async () => {
    clearTimeout(timer);
    timer = 0;
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    asked = Date.now();
    let next;
    try {
      next = { value: await load(), problem: null, loading: false };
    } catch (problem) {
      next = { problem, loading: false };
    }
    busy = false;
    if (over) return;
    settle(next);
    if (again) {
      again = false;
      soon();
    }
  };
  const end = () => {
    over = true;
    clearTimeout(timer);
  };
  return { now, soon, end };
}
