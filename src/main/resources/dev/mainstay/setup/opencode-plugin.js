// written by 'mainstay init'; 'mainstay init --undo' takes it away.
// Tells Mainstay what happens in a session and hands back what Mainstay answers. A fault on the
// way is silent: without Mainstay, opencode works as if this file were not there.
import { spawn } from "node:child_process"

const LIMIT_MS = 10_000
const OUTPUT_CHARS_MAX = 100_000

/** Runs `mainstay hook EVENT` with the payload on its input; its answer, or nothing. */
function hook(event, payload, cwd) {
  return new Promise((resolve) => {
    let text = ""
    try {
      const child = spawn("mainstay", ["hook", event, "--agent", "opencode"], {
        cwd,
        stdio: ["pipe", "pipe", "ignore"],
      })
      const timer = setTimeout(() => child.kill(), LIMIT_MS)
      const end = () => {
        clearTimeout(timer)
        resolve(parsed(text))
      }
      child.on("error", end)
      child.on("close", end)
      child.stdout.on("data", (part) => {
        if (text.length < OUTPUT_CHARS_MAX) text += part
      })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ ...payload, cwd, hook_event_name: event }) + "\n")
    } catch {
      resolve({})
    }
  })
}

function parsed(text) {
  try {
    const answer = JSON.parse(text)
    return answer && typeof answer === "object" ? answer : {}
  } catch {
    return text.trim() ? { hookSpecificOutput: { additionalContext: text.trim() } } : {}
  }
}

const context = (answer) => answer.hookSpecificOutput?.additionalContext

const denial = (answer) => {
  const own = answer.hookSpecificOutput ?? {}
  if (own.permissionDecision === "deny") return own.permissionDecisionReason ?? "refused by Mainstay"
  return answer.decision === "block" ? (answer.reason ?? "refused by Mainstay") : undefined
}

export const Mainstay = async ({ directory, worktree }) => {
  const cwd = directory || worktree || process.cwd()
  const started = new Set()
  const compacted = new Set()
  const commands = new Map()
  const reminders = new Map()
  const failed = new Set()

  const tell = (event, sessionID, fields = {}) =>
    hook(event, { session_id: sessionID, ...fields }, cwd)

  /** opencode has no event for a session that is resumed; its first message is the start. */
  async function start(sessionID) {
    const source = compacted.delete(sessionID) ? "compact" : started.has(sessionID) ? "" : "startup"
    started.add(sessionID)
    return source ? context(await tell("SessionStart", sessionID, { source })) : undefined
  }

  function inject(output, sessionID, text) {
    const last = output.parts.at(-1)
    if (!last?.id || !text) return
    const id = last.id + "m" + output.parts.length // sorted behind the person's own words
    const messageID = output.message.id
    output.parts.push({ id, sessionID, messageID, type: "text", text, synthetic: true })
  }

  const quietly = (work) => async (input, output) => {
    try {
      return await work(input, output)
    } catch {
      return undefined
    }
  }

  return {
    "command.execute.before": quietly(async (input) => {
      commands.set(input.sessionID, `/${input.command} ${input.arguments ?? ""}`.trim())
    }),

    "chat.message": quietly(async (input, output) => {
      const sessionID = input.sessionID
      const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = commands.get(sessionID) ?? typed.map((part) => part.text).join("\n")
      commands.delete(sessionID)
      reminders.delete(sessionID)
      inject(output, sessionID, await start(sessionID))
      inject(output, sessionID, context(await tell("UserPromptSubmit", sessionID, { prompt })))
    }),

    // The only way to refuse a tool here is to throw; nothing else in this file does.
    "tool.execute.before": async (input, output) => {
      const answer = await tell("PreToolUse", input.sessionID, {
        tool_name: input.tool,
        tool_input: output?.args ?? {},
        tool_use_id: input.callID,
      })
      const reason = denial(answer)
      if (reason) throw new Error(reason)
    },

    "tool.execute.after": quietly(async (input, output) => {
      const exit = output.metadata?.exit
      const answer = await tell("PostToolUse", input.sessionID, {
        tool_name: input.tool,
        tool_input: input.args ?? {},
        tool_use_id: input.callID,
        tool_response: {
          output: output.output ?? output.content,
          ...(typeof exit === "number" ? { exit_code: exit } : {}),
        },
      })
      const text = context(answer)
      if (!text) return
      if (typeof output.output === "string") output.output += "\n\n" + text
      else if (Array.isArray(output.content)) output.content.push({ type: "text", text })
    }),

    // After a compaction the work goes on without a new message, so the state goes in here.
    "experimental.chat.system.transform": quietly(async (input, output) => {
      const sessionID = input.sessionID
      if (compacted.has(sessionID)) reminders.set(sessionID, await start(sessionID))
      const text = reminders.get(sessionID)
      if (text) output.system.push(text)
    }),

    "experimental.session.compacting": quietly(async (input, output) => {
      const text = context(await tell("PreCompact", input.sessionID, { trigger: "auto" }))
      if (text) output.context.push(text)
    }),

    event: quietly(async ({ event }) => {
      const about = event.properties ?? {}
      if (event.type === "session.compacted") compacted.add(about.sessionID)
      if (event.type === "session.idle" && started.has(about.sessionID)) {
        failed.clear()
        await tell("Stop", about.sessionID, { stop_hook_active: false })
      }
      const part = event.type === "message.part.updated" ? about.part : undefined
      const broken = part?.type === "tool" && part.state?.status === "error"
      if (broken && !failed.has(part.callID)) {
        failed.add(part.callID)
        await tell("PostToolUseFailure", part.sessionID, {
          tool_name: part.tool,
          tool_input: part.state.input ?? {},
          tool_use_id: part.callID,
          error: String(part.state.error ?? ""),
        })
      }
    }),

    dispose: quietly(async () => {
      await Promise.all([...started].map((id) => tell("SessionEnd", id, { reason: "other" })))
    }),
  }
}
