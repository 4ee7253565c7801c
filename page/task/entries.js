// The entries of one task's journal, fetched in pages only where somebody looks, and kept.
import { useEffect, useMemo, useState } from "../lib.js";
import { get } from "../api.js";
import { of } from "./pieces.js";

export const PAGE_ENTRIES = 100;

/** Pages of entries by their first number; a page that was not full is asked for again when there is more. */
export class Entries {
  /** @param {string} id the task */
  constructor(id) {
    this.id = id;
    this.pages = new Map();
    this.asked = new Map();
  }

  static first(number) {
    return number - ((number - 1) % PAGE_ENTRIES);
  }

  /** The entry if it is here, and undefined if it must be fetched. */
  at(number) {
    const first = Entries.first(number);
    return this.pages.get(first)?.[number - first];
  }

  /** Fetches the page with this entry, once, whoever asks for it how often. */
  async fetch(number) {
    if (this.at(number)) return;
    const first = Entries.first(number);
    if (!this.asked.has(first)) {
      const answer = get(of(this.id, "/journal"), { from: first, limit: PAGE_ENTRIES })
        .then((page) => this.pages.set(first, page.items))
        .finally(() => this.asked.delete(first));
      this.asked.set(first, answer);
    }
    await this.asked.get(first);
  }
}

/**
 * The entries around a number, as far as they are here; the rest is fetched once the number stays for a moment.
 * @param {string} id
 * @param {number} number
 * @param {number} last the highest number there is
 * @param {number} around so many before and after
 */
export function useEntries(id, number, last, around) {
  const entries = useMemo(() => new Entries(id), [id]);
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [, fetched] = useState(0);
  const from = Math.max(1, Math.min(number - around, last - 2 * around));
  const to = Math.min(last, from + 2 * around);
  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      try {
        await Promise.all([entries.fetch(from), entries.fetch(to)]);
        if (!current) return;
        setProblem(null);
        fetched((times) => times + 1);
      } catch (fault) {
        if (current) setProblem(fault);
      }
    }, FETCH_AFTER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [entries, from, to]);
  const shown = [];
  for (let each = from; each <= to; each++) shown.push({ number: each, entry: entries.at(each) });
  return { shown, entry: entries.at(number), problem };
}

/** A hand that drags the slider passes hundreds of entries; those it does not stay at are not fetched. */
const FETCH_AFTER_MS = 80;
