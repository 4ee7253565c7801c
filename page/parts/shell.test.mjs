// The words of a command line come out of a real shell as they went in. Run with: node --test page
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { mainstay, quote } from "./shell.js";

const TEXTS = [
  "", "plain", "two words", "it's", "'''", "\"$HOME\" `id` $(id) \\ !! *", "a\nb\tc\rd", "\\n", "\u001b[201~ls\r",
  "\u202egnp.exe", "\u200b1", "\u00071", "\u0085f", "~", "#", "-x", "--", "a;b|c&d>e<f", "{a,b}", "ümläut 🚢", "'\u202e\\'",
];

/** What a shell makes of a line: each word as the program would get it. */
function words(line) {
  const out = execFileSync("bash", ["--norc", "-c", `printf '%s\\0' ${line}`], { encoding: "utf8", env: { LC_ALL: "C.UTF-8", PATH: process.env.PATH } });
  return out.split("\0").slice(0, -1);
}

test("every text comes out as it went in", () => {
  for (const text of TEXTS) assert.deepEqual(words(quote(text)), [text]);
});

test("a line has nothing in it that cannot be seen", () => {
  for (const text of TEXTS) assert.match(quote(text), /^[^\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]*$/);
});

test("options stand after the words, and before them when a word begins with a dash", () => {
  assert.equal(
    mainstay("directive add", ["T-001", "ask first"], { binding: true }),
    "mainstay directive add T-001 'ask first' --binding");
  assert.equal(
    mainstay("directive add", ["T-001", "-f is forbidden"], { binding: true }),
    "mainstay directive add --binding -- T-001 '-f is forbidden'");
});

test("an option that is not given is not there, and a value with a dash is joined", () => {
  assert.equal(mainstay("task retry", ["T-001"], { reason: "", note: null, all: false }), "mainstay task retry T-001");
  assert.equal(mainstay("task retry", ["T-001"], { reason: "-1 came" }), "mainstay task retry T-001 --reason='-1 came'");
});

test("a text that begins with @ is not a file of arguments", () => {
  assert.equal(mainstay("directive add", ["T-001", "@ada decides"]), "mainstay directive add T-001 '@@ada decides'");
  assert.equal(mainstay("task retry", ["T-001"], { reason: "@ada" }), "mainstay task retry T-001 --reason=@ada");
});
