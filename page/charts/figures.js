// The server's figures as rows for drawings and for tables.

import { span } from "../parts/time.js";

const SECONDS_MS = 1000;

/** @param {string} hour */
export const secondsOf = (hour) => Date.parse(hour) / SECONDS_MS;

/** Every hour of a time, also those in which nothing happened. @param {any[]} rows @param {number} hours */
export function everyHour(rows, hours) {
  const known = new Map(rows.map((row) => [secondsOf(row.hour), row]));
  const last = Math.floor(Date.now() / 3600000) * 3600;
  return Array.from({ length: hours }, (_, at) => last - (hours - 1 - at) * 3600).map((seconds) => ({ seconds, row: known.get(seconds) }));
}

/** Hours in which there is something to tell. @param {any[]} rows @param {...string} fields */
export function eventful(rows, ...fields) {
  return rows.filter((row) => fields.some((field) => row[field] > 0));
}

/** The hour as people here say it. @param {number} seconds */
export function hourName(seconds) {
  const at = new Date(seconds * SECONDS_MS);
  return `${String(at.getMonth() + 1).padStart(2, "0")}-${String(at.getDate()).padStart(2, "0")} ${String(at.getHours()).padStart(2, "0")}:00`;
}

/** What a status took on average, longest first. @param {{status: string, seconds: number, tasks: number}[]} rows */
export function statusTimes(rows) {
  return rows
    .map((row) => ({ ...row, each: row.tasks > 0 ? row.seconds / row.tasks : 0 }))
    .sort((a, b) => b.seconds - a.seconds);
}

/** Tokens by turn: the mean over all tasks of what was sent, and of what a transcript would have been. @param {any[]} prompts */
export function byTurn(prompts) {
  const turns = new Map();
  for (const each of prompts) {
    const row = turns.get(each.turn) ?? { turn: each.turn, count: 0, tokens: 0, known: 0, transcript: 0 };
    row.count++;
    row.tokens += each.tokens;
    if (each.transcript_tokens !== null && each.transcript_tokens !== undefined) {
      row.known++;
      row.transcript += each.transcript_tokens;
    }
    turns.set(each.turn, row);
  }
  return [...turns.values()]
    .sort((a, b) => a.turn - b.turn)
    .map((row) => ({
      turn: row.turn,
      prompts: row.count,
      tokens: Math.round(row.tokens / row.count),
      transcript: row.known > 0 ? Math.round(row.transcript / row.known) : null,
    }));
}

/** @param {number} seconds */
export const lasting = (seconds) => span(seconds * SECONDS_MS);
