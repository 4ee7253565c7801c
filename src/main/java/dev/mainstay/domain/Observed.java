package dev.mainstay.domain;

import dev.mainstay.domain.ObservedEvent.ConflictSeen;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.ObservedEvent.Settled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What Mainstay itself saw of a task, newest last: how commands ended, and which files another task
 * changed, too. Nobody's word is in here, and going back in the history does not undo it. Older
 * ones than are kept are counted and in the journal.
 */
public record Observed(
    List<Evidence> evidence,
    long evidenceDropped,
    List<Conflict> conflicts,
    long conflictsDropped) {
  public static final int EVIDENCE_MAX = 16;
  public static final int CONFLICTS_MAX = 16;

  public static final Observed NONE = new Observed(List.of(), 0, List.of(), 0);

  public Observed {
    evidence = List.copyOf(evidence);
    conflicts = List.copyOf(conflicts);
    if (evidence.size() > EVIDENCE_MAX || conflicts.size() > CONFLICTS_MAX) {
      throw new IllegalStateException(
          evidence.size() + " pieces of evidence, " + conflicts.size() + " conflicts");
    }
  }

  /** A command ended; the same command again in the same workspace takes the place of before. */
  public List<ObservedEvent> see(EvidenceSeen seen) {
    return List.of(seen);
  }

  /** Another task changed the same file; what is known already is no event. */
  public List<ObservedEvent> see(ConflictSeen seen) {
    boolean known = conflicts.stream().anyMatch(seen::saysTheSameAs);
    return known ? List.of() : List.of(seen);
  }

  /** The conflicts about a file are settled, whoever they were with; none are no event. */
  public List<ObservedEvent> settle(String path) {
    var settled = new Settled(path);
    boolean known = conflicts.stream().anyMatch(c -> c.path().equals(settled.path()));
    return known ? List.of(settled) : List.of();
  }

  /** The newest evidence of exactly this command, in whichever workspace that was. */
  public Optional<Evidence> newest(String command) {
    return evidence.stream().filter(e -> e.command().equals(command)).reduce((a, b) -> b);
  }

  /** The workspaces in which the evidence was seen. */
  public Set<String> workspaces() {
    Set<String> ids = new TreeSet<>();
    for (Evidence each : evidence) ids.add(each.on().workspace());
    return ids;
  }

  Observed with(Evidence newest) {
    List<Evidence> next = new ArrayList<>(evidence);
    next.removeIf(newest::isAboutSameAs);
    next.add(newest);
    int over = Math.max(0, next.size() - EVIDENCE_MAX);
    return new Observed(
        next.subList(over, next.size()), evidenceDropped + over, conflicts, conflictsDropped);
  }

  Observed with(Conflict newest) {
    List<Conflict> next = new ArrayList<>(conflicts);
    next.removeIf(newest::isAboutSameAs);
    next.add(newest);
    int over = Math.max(0, next.size() - CONFLICTS_MAX);
    return new Observed(
        evidence, evidenceDropped, next.subList(over, next.size()), conflictsDropped + over);
  }

  Observed withoutConflicts(String path) {
    var rest = conflicts.stream().filter(conflict -> !conflict.path().equals(path)).toList();
    return new Observed(evidence, evidenceDropped, rest, conflictsDropped);
  }

  public JsonObject toJson() {
    return JsonObject.of(
        "evidence",
        evidence.stream().map(Evidence::toJson).toList(),
        "evidence_dropped",
        evidenceDropped,
        "conflicts",
        conflicts.stream().map(Conflict::toJson).toList(),
        "conflicts_dropped",
        conflictsDropped);
  }

  /** What is missing was not seen. */
  public static Observed fromJson(JsonObject json) {
    return new Observed(
        json.objects("evidence").stream().map(Evidence::fromJson).toList(),
        count(json, "evidence_dropped"),
        json.objects("conflicts").stream().map(Conflict::fromJson).toList(),
        count(json, "conflicts_dropped"));
  }

  private static long count(JsonObject json, String key) {
    Long count = json.numberOrNull(key);
    return count == null ? 0 : count;
  }
}
