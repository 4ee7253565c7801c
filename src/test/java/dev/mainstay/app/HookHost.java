package dev.mainstay.app;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.hook.Answer;
import dev.mainstay.hook.Hooks;
import dev.mainstay.hook.Told;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An agent's host as hooks know it: what a real one was recorded to tell, told from a folder. */
record HookHost(String agent, Path folder, Map<String, String> env) {
  private static final String RECORDED_FOLDER = "/home/ada/shop";

  static HookHost of(String agent, Path folder) {
    return new HookHost(agent, folder, Map.of("USER", "ada"));
  }

  HookHost in(String terminal) {
    return with("MAINSTAY_TERMINAL", terminal);
  }

  HookHost with(String variable, String value) {
    Map<String, String> more = new HashMap<>(env);
    more.put(variable, value);
    return new HookHost(agent, folder, more);
  }

  /** A recorded payload, as it would be in this folder. */
  JsonObject recorded(String name) {
    String resource = "/dev/mainstay/hook/" + agent + "/" + name + ".json";
    try (InputStream in = HookHost.class.getResourceAsStream(resource)) {
      if (in == null) throw new IllegalArgumentException(resource);
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return JsonText.object(text.replace(RECORDED_FOLDER, folder.toString()));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Tells what was recorded, under the event's name at the recording's beginning. */
  Answer tell(Mainstay house, String recording) {
    return tell(new Hooks(house), recorded(recording));
  }

  Answer tell(Hooks hooks, JsonObject payload) {
    String event = payload.text("hook_event_name");
    return hooks.hear(new Told(event, agent, JsonText.write(payload), folder, env));
  }

  Answer prompt(Mainstay house, String words) {
    String recording = agent.equals("gemini") ? "BeforeAgent" : "UserPromptSubmit";
    JsonObject payload = recorded(recording).with("prompt", words);
    payload =
        payload.has("prompt_id") ? payload.with("prompt_id", "p" + words.hashCode()) : payload;
    return tell(new Hooks(house), payload);
  }

  /** What the model is shown by an answer; empty if nothing. */
  static String shown(Answer answer) {
    return said(answer, "additionalContext");
  }

  /** Why a tool must not run; empty if it may. */
  static String denied(Answer answer) {
    return said(answer, "permissionDecisionReason");
  }

  private static String said(Answer answer, String field) {
    if (answer.out().isEmpty()) return "";
    @Nullable String text =
        JsonText.object(answer.out().strip()).object("hookSpecificOutput").textOrNull(field);
    return text == null ? "" : text;
  }
}
