package dev.mainstay.domain;

import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.JournalEntry.Origin;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What Mainstay saw of a task. For whom it looked, and when, is in the journal's entry. */
public sealed interface ObservedEvent extends Event {
  Observed applyTo(Observed before, Origin origin);

  /** Every kind of event and how its payload is read. */
  Map<String, Function<JsonObject, ObservedEvent>> READERS =
      Map.of(
          "observed.evidence", EvidenceSeen::read,
          "observed.conflict", ConflictSeen::read,
          "observed.settled", p -> new Settled(p.text("path")));

  static ObservedEvent read(String kind, JsonObject payload) {
    var reader = READERS.get(kind);
    if (reader == null) throw new IllegalArgumentException("no such observed event: " + kind);
    return reader.apply(payload);
  }

  /** A command ended with an exit code, on files as they were then. */
  record EvidenceSeen(String command, int exitCode, Tree on, How how) implements ObservedEvent {
    public EvidenceSeen {
      command = Text.line("a command", command, Evidence.COMMAND_CHARS_MAX);
    }

    @Override
    public Observed applyTo(Observed before, Origin origin) {
      return before.with(new Evidence(command, exitCode, on, how, origin));
    }

    @Override
    public String kind() {
      return "observed.evidence";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("command", command, "exit_code", exitCode, "how", how.typed())
          .with("workspace", on.workspace())
          .with("tree", on.hash());
    }

    static EvidenceSeen read(JsonObject payload) {
      return new EvidenceSeen(
          payload.text("command"),
          payload.integer("exit_code"),
          new Tree(payload.text("workspace"), payload.text("tree")),
          How.parse(payload.text("how")));
    }
  }

  /** Another task changed a file that this one changed. */
  record ConflictSeen(String path, TaskId other, @Nullable String ours, @Nullable String theirs)
      implements ObservedEvent {
    public ConflictSeen {
      var conflict = new Conflict(path, other, ours, theirs, Instant.EPOCH);
      path = conflict.path();
      ours = conflict.ours();
      theirs = conflict.theirs();
    }

    boolean saysTheSameAs(Conflict known) {
      return path.equals(known.path())
          && other.equals(known.other())
          && Objects.equals(ours, known.ours())
          && Objects.equals(theirs, known.theirs());
    }

    @Override
    public Observed applyTo(Observed before, Origin origin) {
      return before.with(new Conflict(path, other, ours, theirs, origin.at()));
    }

    @Override
    public String kind() {
      return "observed.conflict";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("path", path, "other", other.value(), "ours", ours, "theirs", theirs);
    }

    static ConflictSeen read(JsonObject payload) {
      return new ConflictSeen(
          payload.text("path"),
          new TaskId(payload.text("other")),
          payload.textOrNull("ours"),
          payload.textOrNull("theirs"));
    }
  }

  /** Somebody looked at a file again: the conflicts about it are over. */
  record Settled(String path) implements ObservedEvent {
    public Settled {
      path = new RepoPath(path).value();
    }

    @Override
    public Observed applyTo(Observed before, Origin origin) {
      return before.withoutConflicts(path);
    }

    @Override
    public String kind() {
      return "observed.settled";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("path", path);
    }
  }
}
