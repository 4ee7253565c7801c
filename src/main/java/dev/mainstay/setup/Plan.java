package dev.mainstay.setup;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What would be written, decided and checked whole; {@link #write} then does all of it. */
public final class Plan {
  private final List<Agent> agents;
  private final List<Part> parts;
  private final List<String> next;

  private List<String> tracked;

  /** {@code tracked} are paths of the first part. */
  Plan(List<Agent> agents, List<Part> parts, List<String> next, List<String> tracked) {
    this.agents = List.copyOf(agents);
    this.parts = List.copyOf(parts);
    this.next = List.copyOf(next);
    this.tracked = List.copyOf(tracked);
  }

  /** The names of the agents it is about. */
  public List<String> agents() {
    return agents.stream().map(Agent::name).toList();
  }

  /** The names by which people know them. */
  public List<String> titles() {
    return agents.stream().map(agent -> agent.about().title()).toList();
  }

  public List<FileChange> changes() {
    return parts.stream().flatMap(part -> part.changes().stream()).toList();
  }

  /** The project's files among the changes that git tracks, so that others get the change too. */
  public List<String> tracked() {
    return tracked;
  }

  /** Leaves the files that git tracks as they are. */
  public void leaveTracked() {
    tracked.forEach(parts.get(0).draft()::leaveOut);
    tracked = List.of();
  }

  /** What was left alone and why, in sentences. */
  public List<String> remarks() {
    return parts.stream().flatMap(part -> part.draft().remarks().stream()).toList();
  }

  /** What the person does next, one sentence for each agent. */
  public List<String> next() {
    return next;
  }

  /** Writes everything; when that fails somewhere, what was written before is put back. */
  public void write() {
    Deque<Runnable> back = new ArrayDeque<>();
    try {
      for (Part part : parts) {
        for (FileChange change : part.draft().changes()) {
          part.write(change);
          back.push(
              () -> part.write(new FileChange(change.path(), change.after(), change.before())));
        }
        part.note();
      }
    } catch (RuntimeException fault) {
      for (Runnable each : back) putBack(each, fault);
      throw fault;
    }
  }

  private static void putBack(Runnable each, RuntimeException fault) {
    try {
      each.run();
    } catch (RuntimeException another) {
      fault.addSuppressed(another);
    }
  }
}
