// A button for an action that changes something. It first shows the command it equals and asks for what
// it needs; a refusal is shown in place, so that nothing typed is lost.

import { html, useState, useRef, useEffect, useLayoutEffect, useId } from "../lib.js";
import { Command } from "./command.js";
import { Sentence } from "./problem.js";
import { toast } from "./toast.js";

/**
 * @param {{label: string, command: string, run: () => Promise<any>, danger?: boolean, disabled?: boolean,
 *   onDone?: (answer: any) => void, done?: string, quiet?: boolean, why?: string, children?: any}} props
 * command may change with the fields; done is the toast; why says what will happen.
 */
export function Act({ label, command, run, danger, disabled, onDone, done, quiet, why, children }) {
  const [open, setOpen] = useState(false);
  const kind = danger ? "danger" : quiet ? "quiet" : "";
  const button = useRef(/** @type {HTMLButtonElement|null} */ (null));
  useLayoutEffect(() => () => passFocusOn(button.current), []);
  return html`<button ref=${button} type="button" class=${kind} disabled=${disabled} aria-haspopup="dialog" onClick=${() => setOpen(true)}>
      ${label}
    </button>
    ${open &&
    html`<${ActPanel}
      ...${{ label, command, run, danger, why, onDone, done, children }}
      close=${() => setOpen(false)}
    />`}`;
}

/** An action that is done often takes its button away; who goes by keys must not begin at the top again. */
function passFocusOn(button) {
  if (button && document.activeElement === button) document.getElementById("main")?.focus({ preventScroll: true });
}

/** What a button opens; each opening is a panel of its own. */
function ActPanel({ label, command, run, danger, why, onDone, done, children, close }) {
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const heading = useId();
  // The browser tells that a panel closed when it comes to it, perhaps once the next one is open, which must stay.
  const left = useRef(false);
  const leave = () => {
    if (left.current) return;
    left.current = true;
    close();
  };
  useEffect(() => {
    const panel = dialog.current;
    panel?.showModal();
    /** @type {HTMLElement|null|undefined} */ (panel?.querySelector("input, textarea, select"))?.focus();
    return () => panel?.close();
  }, []);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const answer = await run();
      toast(done ?? `${label}: done.`);
      dialog.current?.close(); // gives the focus back to the button
      leave();
      onDone?.(answer);
    } catch (refused) {
      setProblem(refused);
      setBusy(false);
    }
  };
  return html`<dialog ref=${dialog} class="act" aria-labelledby=${heading} onClose=${leave}>
    <form onSubmit=${submit}>
      <h2 id=${heading}>${label}</h2>
      ${why && html`<p class="soft">${why}</p>`} ${children}
      <p class="same">The same on the command line:</p>
      <${Command} line=${command} />
      <${Sentence} problem=${problem} />
      <p class="buttons">
        <button type="submit" class=${danger ? "danger" : "primary"} disabled=${busy}>${busy ? "Working" : "Do it"}</button>
        <button type="button" class="quiet" onClick=${() => dialog.current?.close()}>Cancel</button>
      </p>
    </form>
  </dialog>`;
}
