// What people read about a difference. Run with: node --test page
import assert from "node:assert/strict";
import { test } from "node:test";
import { paired, worded } from "./sameness.js";

test("a step that moved is one change", () => {
  assert.deepEqual(paired(["[todo] test"], ["[done] test", "[todo] ship"], false), [
    { was: "[todo] test", is: "[done] test" }, { is: "[todo] ship" }]);
});

test("the only text of a field that holds one became the other", () => {
  assert.deepEqual(paired(["half"], ["all of it"], true), [{ was: "half", is: "all of it" }]);
  assert.deepEqual(paired(["half"], ["all of it"], false), [{ was: "half" }, { is: "all of it" }]);
});

test("two texts are told word by word, and nothing of them is lost", () => {
  const parts = worded("test 4 of 9 is written", "test 5 of 9 is green");
  assert.deepEqual(parts.filter((part) => part.kind === "same").map((part) => part.text), ["test ", "of 9 is "]);
  const told = (kind) => parts.filter((part) => part.kind !== kind).map((part) => part.text).join("");
  assert.equal(told("come"), "test 4 of 9 is written");
  assert.equal(told("gone"), "test 5 of 9 is green");
});
