// The standing orders of a task, with who gave them.
import { html, useState } from "../lib.js";
import { get, send } from "../api.js";
import { Act } from "../parts/act.js";
import { Block, By, Long, Mark, Named, None, Said, of } from "./pieces.js";
import { mainstay } from "../parts/shell.js";

/** @param {{id: string, state: any, live: boolean, onDone?: () => void}} props */
export function Directives({ id, state, live, onDone }) {
  const orders = state.directives ?? [];
  const dropped = state.directives_dropped ?? 0;
  return html`
    <${Block} name="Directives" count=${orders.length || undefined}
      side=${live && html`<${AddDirective} id=${id} onDone=${onDone} quiet />`}>
      ${orders.length === 0 && html`<${None}>No standing orders.<//>`}
      <ol class="t-list">
        ${orders.map((order, place) => html`
          <li class=${`t-item${order.binding ? " t-binding" : ""}`} key=${order.text}>
            <div class="t-body">
              ${order.binding && html`<${Mark} kind="lock">binding<//> `}<${Long} text=${order.text} />
              <p class="t-how"><${By} who=${order.author} at=${order.at} source=${order.source} />${
                order.steps_left ? ` · for ${order.steps_left} more steps` : ""}</p>
            </div>
            ${live && html`<${Lift} id=${id} number=${place + 1} text=${order.text} onDone=${onDone} />`}
          </li>`)}
      </ol>
      ${dropped > 0 && html`<${None}>${dropped} older ones were pushed out. They are in the journal.<//>`}
    <//>`;
}

/** Gives an order; also used at the top of the page. */
export function AddDirective({ id, onDone, label = "Add directive", quiet }) {
  const [text, setText] = useState("");
  const [binding, setBinding] = useState(false);
  const run = async () => {
    if (!text.trim()) throw new Error("Write the order first.");
    await send("POST", of(id, "/directives"), { text, binding });
    setText("");
    setBinding(false);
  };
  return html`
    <${Act} label=${label} quiet=${quiet} done="The directive stands." run=${run} onDone=${onDone}
      command=${mainstay("directive add", [id, text], { binding })}>
      <label class="t-field">The order, in your words
        <textarea rows="3" value=${text} onInput=${(event) => setText(event.target.value)}></textarea>
      </label>
      <label class="t-check">
        <input type="checkbox" checked=${binding} onChange=${(event) => setBinding(event.target.checked)} />
        Binding: nothing pushes it out
      </label>
    <//>`;
}

function Lift({ id, number, text, onDone }) {
  // Orders are lifted by their place, and places move: the place is asked for again just before.
  const run = async () => {
    const { directives } = await get(of(id, "/directives"));
    const place = directives.findIndex((order) => order.text === text);
    if (place < 0) throw new Error("This directive no longer stands.");
    await send("DELETE", of(id, `/directives/${place + 1}`));
  };
  return html`
    <${Act} quiet label=${html`<${Named} name="Lift" of=${`directive ${number}`} />`}
      done="The directive no longer stands." command=${mainstay("directive lift", [id, number])} run=${run} onDone=${onDone}>
      <p>It no longer stands then: <${Said} text=${text} /></p>
    <//>`;
}
