// The frame around all pages: who is signed in, where one is, whether what is shown is live.

import { html, render, useState, useEffect, useRef } from "./lib.js";
import { get, send } from "./api.js";
import { connect, disconnect, heard, tellTabs, useConnection } from "./live.js";
import { forgetKey } from "./key.js";
import { SignedOut, isLink, signInByLink } from "./parts/sign-in.js";
import { Shortcuts } from "./parts/shortcuts.js";
import { Toasts, toast } from "./parts/toast.js";
import { Sentence } from "./parts/problem.js";
import { ownSheet } from "./parts/sheet.js";
import { clock, full } from "./parts/time.js";
import { setTheme, theme } from "./parts/theme.js";
import { setCaller, useCaller } from "./parts/caller.js";
import { setTitle } from "./parts/title.js";
import { Word } from "./parts/word.js";

/** What the navigation shows: the page's name in the address, its name for people, and its key after g. */
const PLACES = [
  { name: "", says: "Now", key: "n" },
  { name: "tasks", says: "Tasks", key: "t" },
  { name: "workflows", says: "Workflows", key: "w" },
  { name: "terminals", says: "Terminals", key: "e" },
  { name: "journal", says: "Journal", key: "j" },
  { name: "charts", says: "Charts", key: "c" },
];

/** @type {Record<string, (rest: string[]) => Promise<any>>} */
const PAGES = {
  "": () => import("./pages/now.js"),
  tasks: (rest) => (rest.length > 0 ? styled("task", import("./pages/task.js")) : import("./pages/tasks.js")),
  workflows: () => import("./pages/workflows.js"),
  executions: () => import("./pages/workflows.js"),
  terminals: () => styled("terminal", import("./pages/terminals.js")),
  journal: () => import("./pages/journal.js"),
  charts: () => styled("charts", import("./pages/charts.js")),
};

/** A page with a style sheet of its own, which is there when it is shown. @param {string} name @param {Promise<any>} page */
async function styled(name, page) {
  await ownSheet(`/page/${name}.css`);
  return page;
}

/** Goes to a place in the page. @param {string} hash such as "#/tasks" */
function go(hash) {
  location.hash = hash;
}

/** Where the address says we are. */
function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [first, ...rest] = path.split("/").map(decoded);
  return { name: first, params: rest.filter((part) => part !== ""), query: new URLSearchParams(query ?? "") };
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // an address that somebody typed
  }
}

function usePlace() {
  const [at, setAt] = useState(place);
  useEffect(() => {
    const moved = () => setAt(place());
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return at;
}

function App() {
  const connection = useConnection();
  const at = usePlace();
  if (connection === "signed-out") return html`<${SignedOut} onSignedIn=${signedIn} />`;
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <${Navigation} current=${at.name === "executions" ? "workflows" : at.name} />
    <div class="middle">
      <${Banner} connection=${connection} />
      <main id="main" tabindex="-1" class=${connection === "lost" ? "stale" : ""}>
        <${Shown} at=${at} ready=${useBegun(connection)} />
      </main>
    </div>
    <${Shortcuts} places=${PLACES} go=${go} />
    <${Toasts} />`;
}

/** A page asks for nothing before the stream has begun, so that nothing is missed in between. */
function useBegun(connection) {
  const begun = useRef(false);
  if (connection !== "connecting") begun.current = true;
  return begun.current;
}

/** The hash is the address of a page here, so the link moves the focus by hand. */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Navigation({ current }) {
  const caller = useCaller();
  const [chosen, setChosen] = useState(theme());
  const choose = (event) => {
    setTheme(event.target.value);
    setChosen(event.target.value);
  };
  const leave = async () => {
    try {
      await send("DELETE", "/sign-in");
    } catch (refused) {
      return toast(`You are still signed in: ${refused.message}`);
    }
    forgetKey();
    disconnect();
    tellTabs("signed-out");
  };
  const nav = useRef(/** @type {HTMLElement|null} */ (null));
  // Where the window is narrow there is not room for all of them at once.
  useEffect(() => {
    const show = () => nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    const watch = new ResizeObserver(show); // a page that is long takes some room for its scroll bar
    if (nav.current) watch.observe(nav.current);
    return () => watch.disconnect();
  }, [current]);
  return html`<header class="side">
    <a class="brand" href="#/"><img src="/page/icon.svg" alt="" width="24" height="24" /><span>Mainstay${caller?.project && html`<span class="project soft" title="The project ${caller.project}"><${Word} text=${caller.project} max=${60} /></span>`}</span></a>
    <nav ref=${nav} aria-label="Pages">
      ${PLACES.map(
        (each) => html`<a key=${each.name} href="#/${each.name}" aria-current=${each.name === current ? "page" : undefined}>${each.says}</a>`,
      )}
    </nav>
    <div class="own">
      <label class="theme"><span>Theme</span>
        <select value=${chosen} onChange=${choose}>
          <option value="system">System</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </label>
      ${caller && html`<p class="who" title="Signed in as ${caller.role} ${caller.name}"><bdi>${caller.name}</bdi> <span class="soft">${caller.role}</span></p>`}
      <button type="button" class="quiet small" onClick=${leave}>Sign out</button>
    </div>
  </header>`;
}

/** While the connection is lost, nothing may look live: the banner says since when. */
function Banner({ connection }) {
  const lost = connection === "lost";
  const since = heard();
  return html`<div role="status" aria-live="assertive">
    ${lost &&
    html`<p class="banner">
      <span><strong>The connection is lost.</strong> What you see is as of <time title=${full(since)}>${clock(since)}</time>. Trying again.</span>
      <button type="button" class="small" onClick=${connect}>Try now</button>
    </p>`}
  </div>`;
}

function Shown({ at, ready }) {
  const [shown, setShown] = useState(/** @type {any} */ (null));
  const first = useRef(true);
  useEffect(() => {
    let current = true;
    const load = PAGES[at.name];
    if (!load) return setShown({ name: at.name, missing: true });
    load(at.params).then(
      (page) => current && setShown({ name: at.name, deep: at.params.length > 0, page }),
      () => current && setShown({ name: at.name, problem: new Error("this page could not be loaded; reload it") }),
    );
    return () => void (current = false);
  }, [at.name, at.params.length > 0]);
  const path = [at.name, ...at.params].join("/");
  useEffect(() => {
    setTitle({ page: shown?.page?.title ? (at.params[0] ?? shown.page.title) : "" });
    if (!first.current) document.getElementById("main")?.focus({ preventScroll: true });
    if (shown) first.current = false;
    scrollTo(0, 0);
  }, [shown, path]);
  if (!shown || !ready || shown.name !== at.name) return html`<p class="soft loading">Loading</p>`;
  if (shown.missing) return html`<h1>Nothing is here</h1><p>There is no page at <code>#/${path}</code>. <a class="inline" href="#/">Go to what happens now</a>.</p>`;
  if (shown.problem) return html`<${Sentence} problem=${shown.problem} />`;
  if (shown.deep !== undefined && shown.deep !== at.params.length > 0) return html`<p class="soft loading">Loading</p>`;
  return html`<${shown.page.default} key=${path} params=${at.params} query=${at.query} go=${go} />`;
}

function signedIn() {
  begin();
  tellTabs("signed-in");
}

/** A link that is opened in a tab which shows something already: nobody shows it or keeps it. */
async function takeLink(event) {
  if (!isLink()) return;
  event.stopImmediatePropagation();
  const refused = await signInByLink(new URL(event.oldURL).hash);
  if (refused) sayRefused(refused);
  else signedIn();
}

/** @param {import("./parts/caller.js").Caller} caller */
function known(caller) {
  setCaller(caller);
  setTitle({ project: caller.project });
}

/** Listens, and learns who is signed in. */
function begin() {
  connect();
  get("/sign-in").then(known, () => null); // the connection reports a refusal
}

const app = /** @type {HTMLElement} */ (document.getElementById("app"));
app.replaceChildren();
addEventListener("hashchange", takeLink); // before those who show what the address says
const linked = isLink();
const signingIn = signInByLink(); // the token is out of the address before anything is drawn
render(html`<${App} />`, app);
settle(await signingIn);

/** @param {Error|null} refused */
function settle(refused) {
  if (linked && !refused) return signedIn();
  begin(); // whoever was signed in before still is
  if (refused) sayRefused(refused);
}

/** @param {Error} refused */
function sayRefused(refused) {
  toast(`The link did not sign you in: ${refused.message}`);
}
