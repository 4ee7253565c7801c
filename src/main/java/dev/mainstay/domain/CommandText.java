package dev.mainstay.domain;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a command ended, from the lines that hosts put before or behind its output. */
final class CommandText {
  /** The host's own lines stand in the first or last few; the rest is the command's output. */
  private static final int HOST_LINES_MAX = 8;

  private static final int HOST_CHARS_MAX = 2_000;

  private static final List<String> CODES =
      List.of("Exit code: ", "Exit code ", "Exit Code: ", "Process exited with code ");
  private static final String OUTPUT = "Output:";
  private static final String COMMAND = "Command:";
  private static final String TIME = "Wall time:";
  private static final String GROUP = "Process Group PGID:";

  /** What Gemini CLI puts around whatever came from outside. */
  private static final String WRAP_BEGINS = "<untrusted_context>";

  private static final String WRAP_ENDS = "</untrusted_context>";
  private static final List<String> TRAILERS = List.of("Background PIDs:", GROUP);
  private static final Set<String> SHELLS = Set.of("sh", "bash", "zsh", "dash", "ksh", "fish");
  private static final Set<String> INLINE_SCRIPT = Set.of("-c", "-lc", "-lic", "-ic");

  private CommandText() {}

  /**
   * A command as one text. Of a shell that is started with a script only the script is kept, as it
   * is what the agent wanted to run.
   */
  static @Nullable String command(@Nullable Object value) {
    if (value instanceof String text) return text.isBlank() ? null : text;
    if (!(value instanceof List<?> words) || words.isEmpty()) return null;
    for (Object word : words) if (!(word instanceof String)) return null;
    boolean script =
        words.size() == 3
            && SHELLS.contains(name(String.valueOf(words.get(0))))
            && INLINE_SCRIPT.contains(words.get(1));
    if (script) return String.valueOf(words.get(2));
    return String.join(" ", words.stream().map(String::valueOf).toList());
  }

  private static String name(String program) {
    return program.substring(program.lastIndexOf('/') + 1);
  }

  /**
   * The exit code that the host's lines around the output name; null when they name none, or when
   * the text may be the output alone, which says what it likes.
   */
  static @Nullable Integer exitCode(String given) {
    String text = given.strip();
    if (text.startsWith(WRAP_BEGINS) && text.endsWith(WRAP_ENDS)) {
      text = text.substring(WRAP_BEGINS.length(), text.length() - WRAP_ENDS.length()).strip();
    }
    return text.startsWith(OUTPUT) || text.startsWith(COMMAND) ? tail(text) : head(text);
  }

  /** Claude Code's error begins with the exit code. */
  static @Nullable Integer errorCode(String error) {
    String head = error.substring(0, Math.min(error.length(), HOST_CHARS_MAX));
    return head.lines().findFirst().map(CommandText::code).orElse(null);
  }

  /** Codex says it before the output, together with the time that it took. */
  private static @Nullable Integer head(String text) {
    String head = text.substring(0, Math.min(text.length(), HOST_CHARS_MAX));
    boolean timed = false;
    Integer code = null;
    for (String line : head.lines().limit(HOST_LINES_MAX).toList()) {
      if (line.startsWith(OUTPUT)) return timed ? code : null;
      timed |= line.startsWith(TIME);
      if (code == null) code = code(line);
    }
    return null;
  }

  /** Gemini CLI says it behind the output, and says nothing when it was 0. */
  private static @Nullable Integer tail(String text) {
    List<String> lines =
        text.substring(Math.max(0, text.length() - HOST_CHARS_MAX)).lines().toList();
    boolean ended = false;
    for (int i = lines.size() - 1; i >= 0; i--) {
      String line = lines.get(i);
      if (line.startsWith("Signal: (none)")) continue;
      if (line.startsWith("Signal:")) return null;
      Integer code = code(line);
      if (code != null) return code;
      if (TRAILERS.stream().noneMatch(line::startsWith)) break;
      ended |= line.startsWith(GROUP);
    }
    return ended && text.startsWith(OUTPUT) ? 0 : null;
  }

  private static @Nullable Integer code(String line) {
    for (String marker : CODES) {
      if (line.startsWith(marker)) return number(line.substring(marker.length()).strip());
    }
    return null;
  }

  private static @Nullable Integer number(String digits) {
    try {
      return Integer.valueOf(digits);
    } catch (NumberFormatException notANumber) {
      return null;
    }
  }
}
