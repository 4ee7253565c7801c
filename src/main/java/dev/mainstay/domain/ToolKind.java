package dev.mainstay.domain;

import java.util.Set;

/** What a call of a tool counts as, against the limits of an execution. */
public enum ToolKind {
  /** It reads or writes a file that it names. */
  FILE,
  /** It asks something of the web. */
  WEB,
  OTHER;

  private static final Set<String> FILES =
      Set.of(
          "Read",
          "Write",
          "Edit",
          "MultiEdit",
          "NotebookRead",
          "NotebookEdit",
          "read_file",
          "read_many_files",
          "write_file",
          "replace",
          "read",
          "write",
          "edit",
          "multiedit",
          "apply_patch",
          "patch",
          "view_image");

  private static final Set<String> WEBS =
      Set.of(
          "WebFetch",
          "WebSearch",
          "web_fetch",
          "web_search",
          "google_web_search",
          "webfetch",
          "websearch");

  /** By the tool's name, with or without the name of the server that offers it. */
  public static ToolKind of(String tool) {
    String name = tool.strip();
    if (name.startsWith("mcp__")) name = name.substring(name.lastIndexOf("__") + 2);
    if (FILES.contains(name)) return FILE;
    return WEBS.contains(name) ? WEB : OTHER;
  }

  /** One call of this kind. */
  public Spent once() {
    return new Spent(
        Spent.NOTHING.cost(), Spent.NOTHING.time(), this == FILE ? 1 : 0, this == WEB ? 1 : 0);
  }
}
