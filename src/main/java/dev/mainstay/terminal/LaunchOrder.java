package dev.mainstay.terminal;

import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.McpServer;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.TerminalState.Told;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An agent that is wanted in a window of its own.
 *
 * @param provider in place of the profile's own; null for that
 * @param told {@code context_data}, {@code variables} and {@code initial_prompt}, each if given;
 *     the prompt wins over the profile's
 * @param program in place of the provider's own, where the provider runs any; else empty
 */
public record LaunchOrder(
    String profile, @Nullable String provider, Where where, JsonObject told, List<String> program) {
  public static final String SESSION = "mainstay";

  /** In which session, among whose windows, and in which folder. */
  public record Where(String session, Path folder) {
    public Where {
      TmuxNames.check("session", session);
      folder = folder.toAbsolutePath().normalize();
    }
  }

  public LaunchOrder {
    profile = AgentProfile.name("a profile's name", profile);
    provider = provider == null ? null : AgentProfile.name("a provider's name", provider);
    told = Redactor.DEFAULT.redactObject(told);
    Told.NOTHING.with(told);
    program = McpServer.words("a program", program);
  }

  public static LaunchOrder of(String profile, Path folder) {
    return new LaunchOrder(profile, null, new Where(SESSION, folder), JsonObject.EMPTY, List.of());
  }

  public LaunchOrder on(@Nullable String newProvider) {
    return new LaunchOrder(profile, newProvider, where, told, program);
  }

  public LaunchOrder in(String session) {
    return new LaunchOrder(profile, provider, new Where(session, where.folder()), told, program);
  }

  public LaunchOrder told(JsonObject newTold) {
    return new LaunchOrder(profile, provider, where, newTold, program);
  }

  public LaunchOrder running(List<String> newProgram) {
    return new LaunchOrder(profile, provider, where, told, newProgram);
  }

  JsonObject toJson() {
    return JsonObject.of("agent_profile", profile, "provider", provider)
        .with("tmux_session", where.session())
        .with("work_dir", where.folder().toString())
        .with("program", program.isEmpty() ? null : program)
        .with("told", told);
  }
}
