package dev.mainstay.domain;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What happened to a dossier as a whole. Going back and forking carry the dossier that comes of it,
 * so that a stream can be replayed without looking at another place or at another stream.
 */
public sealed interface DossierEvent extends Event {
  Dossier applyTo(Dossier before);

  /** Every kind of event and how its payload is read. */
  Map<String, Function<JsonObject, DossierEvent>> READERS =
      Map.of(
          "checkpoint.saved",
          p -> new CheckpointSaved(p.text("name")),
          "evidence.waived",
          p -> new EvidenceWaived(p.texts("requires"), p.text("reason")),
          "dossier.restored",
          Restored::read,
          "dossier.forked",
          Forked::read);

  static DossierEvent read(String kind, JsonObject payload) {
    var reader = READERS.get(kind);
    if (reader == null) throw new IllegalArgumentException("no such dossier event: " + kind);
    return reader.apply(payload);
  }

  /** A place in the history got a name; the place is the entry's own. */
  record CheckpointSaved(String name) implements DossierEvent {
    public CheckpointSaved {
      name = Checkpoint.name(name);
    }

    @Override
    public Dossier applyTo(Dossier before) {
      return before;
    }

    @Override
    public String kind() {
      return "checkpoint.saved";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("name", name);
    }
  }

  /** A person let the task end without evidence that its type requires, and said why. */
  record EvidenceWaived(List<String> requires, String reason) implements DossierEvent {
    public EvidenceWaived {
      requires = List.copyOf(requires);
      reason = Text.line("the reason of an override", reason, Task.REASON_CHARS_MAX);
    }

    @Override
    public Dossier applyTo(Dossier before) {
      return before;
    }

    @Override
    public String kind() {
      return "evidence.waived";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("requires", requires, "reason", reason);
    }
  }

  /** It went back to what was known after an earlier entry of its stream. */
  record Restored(String place, long number, Dossier dossier) implements DossierEvent {
    public Restored {
      dossier = dossier.with(Observed.NONE); // it is not what goes back
    }

    @Override
    public Dossier applyTo(Dossier before) {
      return dossier.with(before.observed());
    }

    @Override
    public String kind() {
      return "dossier.restored";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("place", place, "number", number, "dossier", dossier.toJson());
    }

    static Restored read(JsonObject payload) {
      return new Restored(
          payload.text("place"),
          payload.number("number"),
          Dossier.fromJson(payload.object("dossier")));
    }
  }

  /** It began as what was known about another task after an entry of that one's stream. */
  record Forked(TaskId from, long number, Dossier dossier) implements DossierEvent {
    @Override
    public Dossier applyTo(Dossier before) {
      return dossier;
    }

    @Override
    public String kind() {
      return "dossier.forked";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("from", from.value(), "number", number, "dossier", dossier.toJson());
    }

    static Forked read(JsonObject payload) {
      return new Forked(
          new TaskId(payload.text("from")),
          payload.number("number"),
          Dossier.fromJson(payload.object("dossier")));
    }
  }
}
