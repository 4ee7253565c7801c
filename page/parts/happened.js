// What a journal entry says, in one plain sentence that goes on after the name of who did it.

/** The most that a sentence takes of a text; the whole is in the entry. */
const TEXT_CHARS_MAX = 140;

const cut = (text) => {
  const all = String(text ?? "");
  return all.length > TEXT_CHARS_MAX ? `${all.slice(0, TEXT_CHARS_MAX)}…` : all;
};
const said = (text) => `“${cut(text)}”`;
const because = (text) => (text ? `: ${cut(text)}` : "");
const many = (count, one, several = `${one}s`) => `${count} ${count === 1 ? one : several}`;
const names = (payload) => Object.keys(payload).join(", ").replaceAll("_", " ");
const moment = (at) => String(at).replace(/(:\d\d):\d\d.*$/, "$1").replace("T", " ");
const keyed = ({ correlation }) => (correlation ? ` ${said(correlation)}` : "");
const flow = (p) => `${cut(p.name)} for ${cut(p.agent_profile)}, scheduled ${said(p.schedule)}${p.zone ? ` in ${p.zone}` : ""}`;

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

const number = (count) => Number(count ?? 0).toLocaleString("en");
const tokens = (count) => `${number(count)} tokens`;

/** Also noted without a compression: when a host gets the state back, and when it is about to compress. */
function compressed({ action, before, after, summary }) {
  if (action === "state given back") return `got its state back, ${tokens(after)}`;
  if (action === "compaction begins") return before > 0 ? `began to compact its context of ${tokens(before)}` : "began to compact its context";
  return `compressed the context from ${number(before)} to ${tokens(after)}${because(summary)}`;
}

const MOVES = { ENTERED: "entered", LEFT: "left", WITHDRAWN: "withdrew", FAILED: "failed at", RETRIED: "retried", SKIPPED: "skipped" };
const MOVES_SHOWN_MAX = 4;

/** Which nodes an execution left and entered, and how it ended if it did. */
function moved({ because: cause, traces = [], variables, ending }) {
  const moves = traces.slice(0, MOVES_SHOWN_MAX).map((trace) => `${MOVES[trace.what] ?? String(trace.what).toLowerCase()} ${cut(trace.node)}`);
  if (traces.length > MOVES_SHOWN_MAX) moves.push(`${traces.length - MOVES_SHOWN_MAX} more`);
  if (moves.length === 0 && variables) moves.push(`set ${many(Object.keys(variables).length, "variable")}`);
  if (ending) moves.push(ending.error ? `ended with the error ${cut(ending.error)}` : "reached its end");
  return `moved on: ${moves.join(", ") || "nothing else changed"}${cause?.error ? ` (${cut(cause.error)})` : ""}`;
}

const SENTENCES = {
  "task.created": (p) => `made the task ${said(p.title)}`,
  "task.updated": (p) => `changed ${names(p)}`,
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
  "state.compressed": compressed,
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
  "exec.behaviours_set": (p) => `set ${many(p.behaviours?.length ?? 0, "behaviour")}`,
  "exec.context_set": (p) => `set the context to ${many(p.passages?.length ?? 0, "passage")}`,
  "exec.layout_set": (p) => `set the layout of the page ${String(p.page).toLowerCase().replaceAll("_", " ")}`,
  "exec.history_edited": (p) => `edited ${many(p.entries?.length ?? 0, "entry", "entries")} of the history`,
  "exec.rules_set": () => "set the rules by which settings are adapted",
  "exec.rules_standing": () => "noted which rules apply",
  "exec.tools_seen": (p) => (p.tools ? `used ${cut(p.tools)}` : "reported what was spent"),
  "workspace.story_begun": () => "began a new history of this folder",
  "terminal.registered": (p) => `made it known${p.agent_profile ? ` as ${cut(p.agent_profile)}` : ""}`,
  "terminal.launched": (p) => `started it${p.tmux_session ? ` in the session ${cut(p.tmux_session)}` : ""}`,
  "terminal.typed": (p) => `typed ${said(p.text)}`,
  "terminal.state_changed": (p) => `changed its ${names(p)}`,
  "terminal.checkpointed": () => "saved its state",
  "terminal.over": (p) => `ended${because(p.reason)}`,
  "inbox.sent": (p) => `sent the message ${said(p.message)}`,
  "inbox.delivered": (p) => `delivered message ${p.message_id}`,
  "inbox.doubtful": (p) => `may have delivered message ${p.message_id} twice${because(p.reason)}`,
  "inbox.failed": (p) => `could not deliver message ${p.message_id}${because(p.reason)}`,
  "workflow.imported": (p) => `imported ${said(p.title ?? p.name)}`,
  "workflow.started": (p) => `started it, of ${p.workflow_id}`,
  "workflow.moved": moved,
  "workflow.held": () => "noted what happened while it is paused, for later",
  "workflow.paused": (p) => `paused it${because(p.reason)}`,
  "workflow.resumed": (p) => `resumed it${because(p.reason)}`,
  "workflow.cancelled": (p) => `cancelled it${because(p.reason)}`,
  "workflow.migrated": (p) => `moved it from ${p.from} to ${p.to}`,
  "workflow.scheduled": () => "turned its timers and messages on",
  "workflow.unscheduled": () => "turned its timers and messages off",
  "workflow.message_kept": (p) => `kept a message${keyed(p)} that no execution waits for yet`,
  "workflow.message_taken": (p) => `gave the kept message${keyed(p)} to ${p.execution_id}`,
  "workflow.message_expired": (p) => `dropped the kept message${keyed(p)}, which was too old`,
  "flow.added": (p) => `added the flow ${flow(p)}`,
  "flow.changed": (p) => `changed the flow ${flow(p)}`,
  "flow.enabled": (p) => `enabled the flow${p.next_run ? `, next run at ${moment(p.next_run)}` : ""}`,
  "flow.disabled": () => "disabled the flow",
  "flow.removed": () => "removed the flow",
  "flow.run_started": (p) => `ran the flow${p.by_hand ? " by hand" : ""}${p.terminal_id ? ` in terminal ${cut(p.terminal_id)}` : ""}`,
  "flow.run_declined": (p) => `did not run the flow, as its script decided${because(p.reason)}`,
  "flow.run_missed": (p) => `missed the run that was due at ${moment(p.due_at)}${because(p.reason)}`,
  "flow.run_failed": (p) => `failed to run the flow${because(p.reason)}`,
  "agent.refused": (p) => `was refused: ${cut(p.sentence)}`,
  "agent.refused_often": () => "was refused so often that more of it within the hour is only counted",
  "agent.refused_unnoted": (p) => `counted ${many(p.attempts, "refused attempt")} that no entry tells of`,
  "access.issued": (p) => `gave a token to the ${p.role} ${cut(p.name)}`,
  "access.revoked": (p) => `took back the token ${p.id}`,
  "store.sealed": () => "sealed the journal",
  "store.forgotten": () => "removed a text from the store for good",
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
