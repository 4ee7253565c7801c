package dev.mainstay.terminal;

import dev.mainstay.domain.Refusal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which tmux server is meant: always one of Mainstay's own, never the one a person gets by default.
 *
 * @param flags what tmux is given to find it
 */
public record TmuxSocket(List<String> flags) {
  public static final String USUAL = "mainstay";

  /** The kernel keeps 108 bytes for the path of a socket, a closing NUL among them. */
  private static final int PATH_BYTES_MAX = 107;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,31}");

  public TmuxSocket {
    flags = List.copyOf(flags);
  }

  /** A socket in tmux's own folder. */
  public static TmuxSocket named(String name) {
    if (!NAME.matcher(name).matches() || name.equals("default")) {
      throw Refusal.invalid(
          "a tmux socket's name has letters, digits, - and _, at most 32, and is not \"default\"");
    }
    return new TmuxSocket(List.of("-L", name));
  }

  public static TmuxSocket at(Path path) {
    String text = path.toAbsolutePath().toString();
    if (text.getBytes(StandardCharsets.UTF_8).length > PATH_BYTES_MAX) {
      throw Refusal.invalid(
          "the path of a tmux socket has at most "
              + PATH_BYTES_MAX
              + " bytes; choose a shorter one");
    }
    return new TmuxSocket(List.of("-S", text));
  }

  /** A socket by its name or, if it begins with a slash, by its path. */
  public static TmuxSocket parse(String text) {
    return text.startsWith("/") ? at(Path.of(text)) : named(text);
  }

  /** Its name or path. */
  public String text() {
    return flags.get(1);
  }

  /** Its name or path as a part of a file's name. */
  String slug() {
    String text = text();
    return text.startsWith("/") ? Integer.toHexString(text.hashCode()) : text;
  }

  /** The command by which a person looks at a session. */
  public List<String> attach(String session) {
    return attachTo("=" + TmuxNames.check("session", session));
  }

  /** The same, with one of its windows in front. */
  public List<String> attach(String session, String window) {
    String target = TmuxNames.check("session", session) + ":=" + TmuxNames.check("window", window);
    return attachTo("=" + target);
  }

  private List<String> attachTo(String target) {
    return List.of("tmux", flags.get(0), flags.get(1), "attach-session", "-t", target);
  }
}
