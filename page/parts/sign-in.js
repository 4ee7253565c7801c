// Signing in: by the link that `mainstay serve` prints, or with the token typed. The token is sent once and kept
// nowhere; the cookie that comes back cannot be read by any script, and is good only with the key of this page.

import { html, useState, useEffect } from "../lib.js";
import { send } from "../api.js";
import { keepKey, newKey } from "../key.js";
import { Command } from "./command.js";
import { Sentence } from "./problem.js";

const LINK = /^#token=(.+)$/;
/** @type {Error|null} */
let linkProblem = null;
/** @type {Set<() => void>} */
const whenLinkFailed = new Set();

/** Whether the address is a link that signs in. */
export const isLink = () => LINK.test(location.hash);

/** @param {string} token */
async function signIn(token) {
  const key = newKey();
  await send("POST", "/sign-in", { token, key });
  keepKey(key);
}

/**
 * Signs in with the token of the address, and takes it out of there and of the history at once.
 * @param {string} [back] the place to be at in its stead
 * @returns {Promise<Error|null>} why it did not
 */
export async function signInByLink(back = "#/") {
  const found = LINK.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, "", LINK.test(back) ? "#/" : back || "#/");
  try {
    await signIn(decodeURIComponent(found[1]));
    linkProblem = null;
  } catch (refused) {
    linkProblem = /** @type {Error} */ (refused);
    whenLinkFailed.forEach((each) => each());
  }
  return linkProblem;
}

/** @param {{onSignedIn: () => void}} props */
export function SignedOut({ onSignedIn }) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState(linkProblem);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = "Sign in · Mainstay";
    const failed = () => setProblem(linkProblem);
    whenLinkFailed.add(failed);
    return () => void whenLinkFailed.delete(failed);
  }, []);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await signIn(token.trim());
      onSignedIn();
    } catch (refused) {
      setProblem(refused);
      setBusy(false);
    }
  };
  return html`<main class="signed-out">
    <h1><img src="/page/icon.svg" alt="" width="32" height="32" />Mainstay</h1>
    <p>You are not signed in. <code>mainstay serve</code> prints a link that signs you in; open it, or give the token of the project:</p>
    <p><${Command} line="cat .mainstay/token" /></p>
    <form onSubmit=${submit}>
      <label>Token
        <input type="password" name="token" autocomplete="off" spellcheck="false" required value=${token} onInput=${(event) => setToken(event.target.value)} />
      </label>
      <button type="submit" class="primary" disabled=${busy}>Sign in</button>
    </form>
    <${Sentence} problem=${problem} />
  </main>`;
}
