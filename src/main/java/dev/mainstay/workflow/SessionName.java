package dev.mainstay.workflow;

import java.nio.file.Path;

/** The session that a folder's workflows work in when nobody names one. */
public final class SessionName {
  private static final int CHARS_MAX = 64;
  private static final String NAMELESS = "mainstay";

  private SessionName() {}

  /** The folder's own name, as far as it can be the name of a session of tmux. */
  public static String of(Path folder) {
    Path last = folder.toAbsolutePath().normalize().getFileName();
    String plain = last == null ? "" : last.toString().replaceAll("[^A-Za-z0-9_-]+", "-");
    String name = plain.replaceAll("^[_-]+|[_-]+$", "");
    if (name.isEmpty()) return NAMELESS;
    return name.substring(0, Math.min(name.length(), CHARS_MAX));
  }
}
