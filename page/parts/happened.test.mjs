// The sentences of the journal, with payloads as the server writes them. Run with: node --test page
import assert from "node:assert/strict";
import { test } from "node:test";
import { happened } from "./happened.js";

const told = (kind, payload) => happened({ kind, payload });

test("a compression names both sizes, and what is none does not", () => {
  const sizes = { summary: "the first hour", before: 90000, after: 12000 };
  assert.equal(told("state.compressed", { action: "summarise", ...sizes }), "compressed the context from 90,000 to 12,000 tokens: the first hour");
  assert.equal(told("state.compressed", { action: "state given back", summary: "", before: 0, after: 812 }), "got its state back, 812 tokens");
  assert.equal(told("state.compressed", { action: "compaction begins", summary: "", before: 90000, after: 90000 }), "began to compact its context of 90,000 tokens");
});

test("a workflow that moved names its nodes and its end", () => {
  const traces = [{ what: "LEFT", node: "build" }, { what: "ENTERED", node: "approve" }];
  assert.equal(told("workflow.moved", { numbered: 2, because: { what: "done" }, traces }), "moved on: left build, entered approve");
  assert.equal(told("workflow.moved", { numbered: 2, traces: [{ what: "LEFT", node: "end" }], ending: {} }), "moved on: left end, reached its end");
  assert.equal(
    told("workflow.moved", { numbered: 2, because: { what: "failed", error: "no network" }, traces: [{ what: "FAILED", node: "build" }] }),
    "moved on: failed at build (no network)");
});

test("flows and refusals are told in sentences", () => {
  const flow = { name: "nightly", schedule: "0 9 * * *", zone: "UTC", agent_profile: "reviewer" };
  assert.equal(told("flow.added", flow), "added the flow nightly for reviewer, scheduled “0 9 * * *” in UTC");
  assert.equal(told("flow.run_failed", { flow_name: "nightly", reason: "tmux is missing" }), "failed to run the flow: tmux is missing");
  assert.equal(told("flow.run_missed", { due_at: "2026-01-31T12:00:01.000000Z" }), "missed the run that was due at 2026-01-31 12:00");
  assert.equal(told("agent.refused", { sentence: "only a person issues tokens" }), "was refused: only a person issues tokens");
});
