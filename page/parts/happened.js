// What a journal entry says, in one plain sentence that goes on after the name of who did it.

/** The most that a sentence takes of a text; the whole is in the entry. */
const TEXT_CHARS_MAX = 140;

const cut = (text) => {
  const all = String(text ?? "");
  return all.length > TEXT_CHARS_MAX ? `${all.slice(0, TEXT_CHARS_MAX)}…` : all;
};
const said = (text) => `“${cut(text)}”`;
const because = (text) => (text ? `: ${cut(text)}` : "");
const many = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** The texts of a delta of the notebook or the run, which has lists and single texts. */
function noted(payload) {
  return Object.entries(payload)
    .map(([section, texts]) => {
      const all = Array.isArray(texts) ? texts : [texts];
      const name = section.replaceAll("_", " ");
      return all.length === 1 && typeof all[0] === "string"
        ? `${name} ${said(all[0])}`
        : `${many(all.length, "item")} under ${name}`;
    })
    .join(", ");
}

const SENTENCES = {
  "task.created": (p) => `made the task ${said(p.title)}`,
  "task.updated": (p) => `changed ${Object.keys(p).join(", ").replaceAll("_", " ")}`,
  "task.dependency_added": (p) => `let it wait for ${p.on}`,
  "task.dependency_removed": (p) => `let it no longer wait for ${p.on}`,
  "task.terms_set": () => "set its terms",
  "task.held": (p) => `gave it to ${cut(p.holder)}${p.resumed ? ", who goes on" : ""} (fence ${p.fence})`,
  "task.accepted": () => "accepted it",
  "task.started": () => "began to work on it",
  "task.released": (p) => `gave it back${because(p.reason)}`,
  "task.helper_added": (p) => `named ${cut(p.worker)} as a helper`,
  "task.helper_removed": (p) => `took ${cut(p.worker)} off the helpers`,
  "task.lease_expired": (p) => `took it back${because(p.reason?.split(", which ended")[0])}`,
  "task.retried": (p) => `failed, and it is tried again${because(p.error)}`,
  "task.spent": (p) =>
    `spent ${Object.entries(p.amounts ?? p).map(([unit, amount]) => `${amount} ${unit}`).join(", ")}`,
  "task.failed": (p) => `failed${because(p.error)}`,
  "task.completed": () => "completed it",
  "task.cancelled": (p) => `cancelled it${because(p.reason)}`,
  "task.reopened": (p) => `opened it again${because(p.reason)}`,
  "state.started": (p) => `started the run: ${cut(p.goal)}`,
  "state.updated": (p) => `wrote down ${noted(p)}`,
  "state.plan_set": (p) => `set a plan of ${many(p.steps?.length ?? 0, "step")}`,
  "state.step_moved": (p) => `moved step ${p.step + 1} to ${p.to}${because(p.note)}`,
  "state.directive_recorded": (p) => `gave the ${p.binding ? "binding " : ""}directive ${said(p.text)}`,
  "state.directive_lifted": (p) => `lifted the directive ${said(p.text)}`,
  "state.actions_noted": (p) => `did: ${cut(p.summary)}`,
  "state.compressed": (p) => `compressed the context from ${p.tokens_before} to ${p.tokens_after} tokens`,
  "state.criterion_added": (p) => `added the criterion ${said(p.text)}`,
  "state.criterion_met": (p) => `said that criterion ${p.place + 1} is met${because(p.note)}`,
  "state.criterion_reopened": (p) => `took back that criterion ${p.place + 1} is met`,
  "state.renewed": (p) => `began a new context${because(p.reason)}`,
  "state.suspended": (p) => `let the run wait for a ${p.on}: ${cut(p.what)}`,
  "state.resumed": (p) => `let the run go on${because(p.answer)}`,
  "state.ended": (p) => `ended the run as ${String(p.how).toLowerCase().replaceAll("_", " ")}${because(p.reason)}`,
  "notebook.merged": (p) => `noted ${noted(p)}`,
  "notebook.saved": (p) => `wrote the notebook anew: ${noted(p)}`,
  "notebook.resolved": (p) => `${p.how} ${said(p.text)}`,
  "observed.evidence": (p) => `saw ${said(p.command)} end with ${p.exit_code}`,
  "observed.conflict": (p) => `saw that ${p.other} changed ${cut(p.path)}, too`,
  "observed.settled": (p) => `settled the conflict about ${cut(p.path)}`,
  "checkpoint.saved": (p) => `named this moment ${said(p.name)}`,
  "dossier.restored": (p) => `went back to ${cut(p.place)} (entry ${p.number})`,
  "dossier.forked": (p) => `went on from ${p.from} at entry ${p.number}`,
  "evidence.waived": (p) => `did without evidence${because(p.reason)}`,
  "artifact.added": (p) => `handed over a ${p.artifact_type} of ${many(p.size_bytes, "byte")}`,
  "file.written": (p) => `wrote ${cut(p.path)}`,
  "exec.begun": () => "began to carry the plan out",
  "exec.status_changed": (p) => `set the execution to ${String(p.status ?? p.to ?? "another status").toLowerCase()}`,
  "exec.step_started": (p) => `started step ${(p.step ?? p.number ?? 0) + 1}`,
  "exec.setting_changed": (p) => `set ${p.setting} to ${cut(JSON.stringify(p.value))}`,
  "exec.adapted": (p) => `adapted ${p.setting} to ${cut(JSON.stringify(p.value))}`,
  "exec.proposed": (p) => `proposed ${said(p.what)} (proposal ${p.number})`,
  "exec.proposal_settled": (p) => `${p.accepted ? "accepted" : "declined"} proposal ${p.number}`,
  "exec.feedback_given": () => "gave feedback",
  "exec.step_recorded": () => "recorded how a step went",
  "exec.variables_set": (p) => `set ${many(Object.keys(p.variables ?? {}).length, "variable")}`,
  "terminal.registered": (p) => `made it known${p.agent_profile ? ` as ${cut(p.agent_profile)}` : ""}`,
  "terminal.launched": (p) => `started it${p.tmux_session ? ` in the session ${cut(p.tmux_session)}` : ""}`,
  "terminal.typed": (p) => `typed ${said(p.text)}`,
  "terminal.over": (p) => `ended${because(p.reason)}`,
  "inbox.sent": (p) => `sent the message ${said(p.message)}`,
  "inbox.delivered": (p) => `delivered message ${p.message_id}`,
  "workflow.imported": (p) => `imported ${said(p.title ?? p.name)}`,
  "workflow.started": (p) => `started it, of ${p.workflow_id}`,
  "access.issued": (p) => `gave a token to the ${p.role} ${cut(p.name)}`,
  "access.revoked": (p) => `took back the token ${p.id}`,
  "store.sealed": () => "sealed the journal",
};

/**
 * @param {{kind: string, payload: object}} entry
 * @returns {string} such as: moved step 2 to done
 */
export function happened(entry) {
  const sentence = SENTENCES[entry.kind];
  // A kind that came later is still told, by its own name.
  return sentence ? sentence(entry.payload ?? {}) : entry.kind.replaceAll(/[._]/g, " ");
}

/** Whether the sentence says what the entry is about, so that nobody must read its payload. */
export const isTold = (entry) => entry.kind in SENTENCES;

/** The first word of a kind, which gives an entry its colour. */
export const family = (entry) => entry.kind.split(".")[0];
