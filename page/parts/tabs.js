// Tabs as ARIA describes them: one stop for the Tab key, arrows between them. The page shows what is chosen
// in an element with role="tabpanel" and id `panel-ID`.

import { html, useRef } from "../lib.js";

/** @param {{tabs: {id: string, name: string, count?: number}[], current: string, to: (id: string) => void, label?: string}} props */
export function Tabs({ tabs, current, to, label = "Views" }) {
  const list = useRef(/** @type {HTMLElement|null} */ (null));
  const move = (event) => {
    const at = tabs.findIndex((tab) => tab.id === current);
    const places = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    if (!(event.key in places)) return;
    event.preventDefault();
    const next = tabs[(places[event.key] + tabs.length) % tabs.length];
    to(next.id);
    /** @type {HTMLElement|null|undefined} */ (list.current?.querySelector(`#tab-${next.id}`))?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${label} ref=${list} onKeyDown=${move}>
    ${tabs.map(
      (tab) => html`<button
        key=${tab.id}
        type="button"
        role="tab"
        id="tab-${tab.id}"
        aria-selected=${String(tab.id === current)}
        aria-controls=${tab.id === current ? `panel-${tab.id}` : undefined}
        tabindex=${tab.id === current ? 0 : -1}
        onClick=${() => to(tab.id)}
      >
        ${tab.name}${tab.count !== undefined && html` <span class="count">${tab.count}</span>`}
      </button>`,
    )}
  </div>`;
}
