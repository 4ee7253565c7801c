// All screens of the tab over one connection: a browser has six to one server, for all its tabs together.
// A tab that is not seen gives its connection back.

import { useState, useEffect, useMemo } from "../lib.js";
import { address, problemOf } from "../api.js";
import { withKey } from "../key.js";
import { takeSlot } from "./slots.js";

/** @typedef {"connecting"|"live"|"lost"|"hidden"|"crowded"} Standing */
/** What a screen hears. @typedef {(event: string, data: any) => void} Listener */

export const SCREENS_MAX = 12; // of one answer of the server
const RETRY_MS = 500;
const RETRY_MS_MAX = 5000;
const SILENCE_MS_MAX = 25000; // the server says at least every 15 s that it is there
const CROWDED_MS = 2000;
const ENDED = new Set(["ended", "refused"]);

/** Follows terminals until it is closed. */
export class Wall {
  /** @param {string[]} ids @param {(standing: Standing, why: string) => void} told */
  constructor(ids, told) {
    this.ids = ids;
    this.told = told;
    /** @type {Map<string, Set<Listener>>} */
    this.listeners = new Map();
    /** @type {Set<string>} */
    this.over = new Set();
    /** @type {AbortController|null} */
    this.reading = null;
    this.failures = 0;
    this.timer = 0;
    this.silence = 0;
    this.seen = () => this.begin();
    document.addEventListener("visibilitychange", this.seen);
    this.begin();
  }

  /** @param {string} id @param {Listener} listener */
  listen(id, listener) {
    const all = this.listeners.get(id) ?? new Set();
    this.listeners.set(id, all.add(listener));
    return () => void all.delete(listener);
  }

  begin() {
    this.stop();
    const wanted = this.ids.filter((id) => !this.over.has(id));
    if (wanted.length === 0) return;
    if (document.hidden) return this.told("hidden", "");
    this.reading = new AbortController();
    this.follow(wanted, this.reading.signal);
  }

  /** A connection that died without a word: what is shown is old until another one answers. */
  giveUp() {
    this.told("lost", "the server says nothing");
    this.begin();
  }

  stop() {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.reading?.abort();
    this.reading = null;
  }

  close() {
    this.stop();
    document.removeEventListener("visibilitychange", this.seen);
  }

  /** @param {string[]} wanted @param {AbortSignal} signal */
  async follow(wanted, signal) {
    const letGo = await takeSlot();
    if (!letGo || signal.aborted) {
      letGo?.();
      if (signal.aborted) return;
      this.told("crowded", "");
      this.timer = setTimeout(() => this.begin(), CROWDED_MS);
      return;
    }
    const why = await this.hear(wanted, signal);
    letGo();
    if (signal.aborted || this.ids.every((id) => this.over.has(id))) return;
    this.told("lost", why);
    const wait = Math.min(RETRY_MS * 2 ** this.failures++, RETRY_MS_MAX);
    this.timer = setTimeout(() => this.begin(), wait);
  }

  /** Reads until it ends, and says why it did. @param {string[]} wanted @param {AbortSignal} signal */
  async hear(wanted, signal) {
    try {
      const url = address("/screens", { terminals: wanted.join(","), escapes: "true" });
      const answer = await fetch(url, { signal, cache: "no-store", headers: withKey({ Accept: "text/event-stream" }) });
      if (!answer.ok || !answer.body) throw await problemOf(answer);
      this.failures = 0;
      this.told("live", "");
      await this.read(answer.body.getReader(), signal);
      return "the server ended it";
    } catch (failed) {
      const problem = /** @type {any} */ (failed);
      return problem.status ? problem.message : "the server does not answer";
    }
  }

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader @param {AbortSignal} signal */
  async read(reader, signal) {
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      clearTimeout(this.silence);
      this.silence = setTimeout(() => this.giveUp(), SILENCE_MS_MAX);
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      text += decoder.decode(value, { stream: true });
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      frames.forEach((frame) => this.take(frame));
    }
  }

  /** @param {string} frame */
  take(frame) {
    const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
    if (!event) return;
    const told = JSON.parse(data);
    if (ENDED.has(event)) this.over.add(told.terminal_id);
    this.listeners.get(told.terminal_id)?.forEach((each) => each(event, told));
  }
}

/** A wall for these terminals, and how its connection stands. @param {string[]} ids */
export function useWall(ids) {
  const key = ids.join(",");
  const [standing, setStanding] = useState({ is: /** @type {Standing} */ ("connecting"), why: "" });
  const [wall, setWall] = useState(/** @type {Wall|null} */ (null));
  useEffect(() => {
    const made = new Wall(ids, (is, why) => setStanding({ is, why }));
    setWall(made);
    return () => made.close();
  }, [key]);
  return useMemo(() => ({ wall, standing }), [wall, standing]);
}
