package dev.mainstay.demo;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What came of the story: every task, the cast, and the figures. */
public record ApiReport(List<Done> done, Cast cast, Figures figures, Path folder) {
  private static final int HASH_CHARS = 12;

  /**
   * A task and its end.
   *
   * @param files what was handed over, and its SHA-256
   */
  public record Done(String task, String title, String by, int attempts, List<String> files) {}

  /**
   * Who played a part.
   *
   * @param killed the developer that did not live to finish
   * @param heir the one that finished in its place
   */
  public record Cast(String supervisor, String reviewer, String killed, String heir) {}

  /**
   * How much there was.
   *
   * @param kept the commands that show and end the terminals, if those go on; else empty
   */
  public record Figures(int messages, long entries, long millis, List<String> kept) {}

  public ApiReport {
    done = List.copyOf(done);
  }

  public JsonObject toJson() {
    List<JsonObject> tasks = new ArrayList<>();
    for (Done each : done) {
      tasks.add(
          JsonObject.of("id", each.task(), "title", each.title(), "by", each.by())
              .with("attempts", each.attempts())
              .with("files", each.files()));
    }
    return JsonObject.of("tasks", tasks, "folder", folder.toString())
        .with("supervisor", cast.supervisor())
        .with("reviewer", cast.reviewer())
        .with("killed", cast.killed())
        .with("heir", cast.heir())
        .with("messages", figures.messages())
        .with("journal_entries", figures.entries())
        .with("millis", figures.millis())
        .with("commands", figures.kept().isEmpty() ? null : figures.kept());
  }

  /** The end of the story, for people. */
  public List<String> summary() {
    List<String> lines = new ArrayList<>();
    int files = 0;
    for (Done each : done) {
      files += each.files().size();
      String tries = each.attempts() > 1 ? Phrase.of(" (attempt %d)", each.attempts()) : "";
      lines.add(
          Phrase.of("  %s  %-28s  by %s%s", each.task(), each.title(), each.by(), tries)
              .stripTrailing());
      for (String file : each.files()) lines.add("           " + shortened(file));
    }
    lines.add("");
    lines.add(
        Phrase.of(
            "%d tasks, %d files, %d messages, %d journal entries, %.1f s. Nothing was lost:",
            done.size(), files, figures.messages(), figures.entries(), figures.millis() / 1_000.0));
    lines.add(
        Phrase.of("%s was killed, and %s went on from its plan.", cast.killed(), cast.heir()));
    return lines;
  }

  private static String shortened(String file) {
    int hash = file.indexOf(' ') + 1;
    return file.substring(0, Math.min(file.length(), hash + HASH_CHARS));
  }

  /** Where to look next. */
  public List<String> next() {
    String db = " --db " + folder.resolve(ApiCrew.STORE);
    String taken =
        done.stream().filter(each -> each.attempts() > 1).map(Done::task).findFirst().orElse("");
    List<String> lines = new ArrayList<>();
    lines.add("The story's store and files are still there. Look around:");
    for (String command :
        List.of(
            "task list",
            "task show " + taken,
            "dump " + taken,
            "artifact list " + taken,
            "terminal output " + cast.reviewer(),
            "inbox list " + cast.supervisor() + " --all",
            "journal --limit 20",
            "verify")) {
      lines.add("  mainstay " + command + db);
    }
    if (!figures.kept().isEmpty()) {
      lines.add("The terminals go on. See them, and end them:");
      for (String command : figures.kept()) lines.add("  " + command);
    }
    lines.add("The real thing, in a project of yours: mainstay launch --agents code_supervisor");
    return lines;
  }
}
