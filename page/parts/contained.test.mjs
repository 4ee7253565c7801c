import assert from "node:assert/strict";
import { test } from "node:test";
import { contained } from "./contained.js";

test("what has no isolates stays as it is", () => {
  assert.equal(contained("a \u202eb \u0645"), "a \u202eb \u0645");
  assert.equal(contained("\u2066a\u2069 b"), "\u2066a\u2069 b");
});

test("what is begun is ended", () => {
  assert.equal(contained("\u2066a \u2067b"), "\u2066a \u2067b\u2069\u2069");
  assert.equal(contained("\u2068a\u2069 \u2066b"), "\u2068a\u2069 \u2066b\u2069");
});

test("what was not begun is not ended", () => {
  assert.equal(contained("\u2069\u2069a\u2066b\u2069\u2069"), "a\u2066b\u2069");
});

test("each line ends what it began, and no line ends what another began", () => {
  for (const end of ["\n", "\r", "\u0085", "\u2029"]) {
    assert.equal(contained(`\u2067a${end}b`), `\u2067a\u2069${end}b`);
    assert.equal(contained(`\u2067a${end}b\u2069 c`), `\u2067a\u2069${end}b c`);
    assert.equal(contained(`\u2066a \u2067b${end}\u2068c`), `\u2066a \u2067b\u2069\u2069${end}\u2068c\u2069`);
  }
});

test("a break within a line ends nothing", () => {
  assert.equal(contained("\u2067a\u2028b\tc\u2069 d"), "\u2067a\u2028b\tc\u2069 d");
});
