package dev.mainstay.workflow;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Problem;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Workflow;
import dev.mainstay.store.Store;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Workflows as they are drawn: taken in, listed, shown and given back. */
public final class Workflows {
  public static final int PAGE_MAX = 1_000;

  private final Store store;

  public Workflows(Store store) {
    this.store = store;
  }

  /** What was taken in, whether it is a new version, and what whoever drew it should know. */
  public record Imported(Workflow workflow, boolean isNew, List<Problem> notes) {}

  /** The newest version of a workflow, and how many executions of all versions are under way. */
  public record Summary(Workflow workflow, long live) {}

  /** One version with all that is in it. */
  public record Shown(Workflow workflow, Definition definition, Drawing drawing) {}

  /**
   * Takes in every process of a BPMN file, each as a new version unless its newest is the same.
   * Nothing is kept when one of them cannot be run; the refusal lists every problem.
   */
  public List<Imported> importBpmn(String xml, Call call) {
    throw new UnsupportedOperationException("being written: " + store + xml + call);
  }

  /** The same from JSON: {@code name}, {@code title}, {@code nodes}, {@code edges}. */
  public Imported importJson(JsonObject json, Call call) {
    throw new UnsupportedOperationException("being written: " + json + call);
  }

  /** Everything that speaks for or against a file, process by process; nothing is kept. */
  public static List<Problem> check(String xml) {
    throw new UnsupportedOperationException("being written: " + xml);
  }

  /**
   * In the order of their names, the newest version of each; those after one, or from the first.
   */
  public List<Summary> list(@Nullable String after, int limit) {
    throw new UnsupportedOperationException("being written: " + after + limit);
  }

  /** By the id of a version, by name for its newest, or by {@code name@version}. */
  public Shown show(String which) {
    throw new UnsupportedOperationException("being written: " + which);
  }

  /** As BPMN: the file it was taken from, or one made of the tables. */
  public String export(String which) {
    throw new UnsupportedOperationException("being written: " + which);
  }
}
