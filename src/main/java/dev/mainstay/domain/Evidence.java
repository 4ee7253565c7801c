package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/** How a command ended on the files of a workspace, as Mainstay itself saw it. */
public record Evidence(String command, int exitCode, Tree on, How how, Origin origin) {
  public static final int COMMAND_CHARS_MAX = 1_024;
  public static final int WORKSPACE_CHARS_MAX = 64;
  public static final int HASH_CHARS_MAX = 128;

  /** The files of a workspace: its id, and the hash that stands for their content. */
  public record Tree(String workspace, String hash) {
    /** The files changed meanwhile, so nobody knows on which ones a command ran. */
    public static final String UNKNOWN = "unknown";

    public Tree {
      workspace = Text.line("a workspace's id", workspace, WORKSPACE_CHARS_MAX);
      hash = Text.line("a tree's hash", hash, HASH_CHARS_MAX);
    }
  }

  /** Whether Mainstay ran the command, or saw how it ended when somebody else did. */
  public enum How {
    RAN,
    OBSERVED;

    public String typed() {
      return name().toLowerCase(Locale.ROOT);
    }

    static How parse(String typed) {
      return Arrays.stream(values())
          .filter(how -> how.typed().equals(typed))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("no way to see a command: " + typed));
    }
  }

  public Evidence {
    command = Text.line("a command", command, COMMAND_CHARS_MAX);
  }

  /** Whether the files are still those it ran on, given the current hashes by workspace. */
  public boolean isFresh(Map<String, String> trees) {
    return on.hash().equals(trees.get(on.workspace()));
  }

  public boolean isSuccess() {
    return exitCode == 0;
  }

  boolean isAboutSameAs(Evidence other) {
    return command.equals(other.command) && on.workspace().equals(other.on.workspace());
  }

  public JsonObject toJson() {
    return Note.write(origin)
        .with("command", command)
        .with("exit_code", exitCode)
        .with("workspace", on.workspace())
        .with("tree", on.hash())
        .with("how", how.typed());
  }

  static Evidence fromJson(JsonObject json) {
    return new Evidence(
        json.text("command"),
        json.integer("exit_code"),
        new Tree(json.text("workspace"), json.text("tree")),
        How.parse(json.text("how")),
        Note.read(json));
  }
}
