// What an execution has left on its diagram: where its tokens are, what went wrong, how long each node took.

import { span } from "../parts/time.js";

/** @param {any[]} list @param {(each: any) => string} keyOf @returns {Map<string, any[]>} */
function grouped(list, keyOf) {
  const groups = new Map();
  for (const each of list) {
    const key = keyOf(each);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return groups;
}

const counted = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

/** @param {any} execution @param {any[]} edges @param {number} now @returns {import("./diagram.js").Badge[]} */
export function badgesOf(execution, edges, now) {
  return [...tokens(execution, edges), ...incidents(execution), ...times(execution, now)];
}

/** A token that is done with its node waits at the join that it went on to. */
function tokens(execution, edges) {
  const targets = new Map(edges.map((edge) => [edge.id, edge.target]));
  const placeOf = (token) => (token.status === "COMPLETED" ? (targets.get(token.edge) ?? token.position) : token.position);
  const here = execution.execution_data.tokens.filter((token) => token.status !== "INCIDENT");
  return [...grouped(here, placeOf)].map(([node, all]) => ({
    node,
    corner: /** @type {const} */ ("left"),
    text: `● ${all.length}`,
    family: all.some((token) => token.status === "IN_PROGRESS") ? "busy" : "warn",
    title: `${counted(all.length, "token")} here${all.some((token) => token.status === "COMPLETED") ? ", waiting for others" : ""}`,
  }));
}

function incidents(execution) {
  const wrong = execution.waits_for.filter((wait) => wait.what === "INCIDENT");
  return [...grouped(wrong, (wait) => wait.node)].map(([node, all]) => ({
    node,
    corner: /** @type {const} */ ("right"),
    text: `✕ ${all.length}`,
    family: "bad",
    title: all[0].about,
  }));
}

/** How long tokens stayed, up to now where one is still there; a node passed in no time shows none. */
function times(execution, now) {
  const lasted = (visit) => visit.took_ms ?? Math.max(0, now - Date.parse(visit.entered_at));
  return [...grouped(execution.visits, (visit) => visit.node)]
    .map(([node, all]) => ({ node, all, ms: all.reduce((sum, visit) => sum + lasted(visit), 0) }))
    .filter(({ ms, all }) => ms > 0 || all.length > 1)
    .map(({ node, all, ms }) => ({
      node,
      corner: /** @type {const} */ ("below"),
      text: all.length > 1 ? `${rounded(ms)} · ${all.length}×` : rounded(ms),
      family: "idle",
      title: `${counted(all.length, "stay")}, ${span(ms)} in all`,
    }));
}

/** Seconds matter only in the first minute. */
function rounded(ms) {
  return span(ms < 60000 ? ms : Math.floor(ms / 60000) * 60000);
}

/** @param {any} execution @returns {Record<string, string>} */
export function marksOf(execution) {
  /** @type {Record<string, string>} */
  const marks = {};
  for (const visit of execution.visits) if (visit.left_at) marks[visit.node] = "passed";
  for (const token of execution.execution_data.tokens) {
    if (token.status !== "COMPLETED") marks[token.position] = token.status === "INCIDENT" ? "incident" : "now";
  }
  return marks;
}
