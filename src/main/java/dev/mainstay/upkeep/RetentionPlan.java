package dev.mainstay.upkeep;

import dev.mainstay.domain.Position;
import dev.mainstay.store.ClosedStream;
import dev.mainstay.store.ClosedStream.Kind;
import dev.mainstay.store.Erasures;
import dev.mainstay.store.Hold;
import dev.mainstay.store.RetentionTable.Reference;
import dev.mainstay.store.Tx;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What would leave and what stays at one moment of a store. Whatever stays keeps all it refers to;
 * what leaves is in groups, each of which can go when those before it are gone.
 */
final class RetentionPlan {
  /** How much is looked at, how much leaves in one run, and in one transaction. */
  record Limits(int old, int leaving, int atOnce) {
    static final int OLD_MAX = 200_000;
    static final int LEAVING_MAX = 10_000;
    static final int STREAMS_AT_ONCE_MAX = 50;
    static final Limits DEFAULT = new Limits(OLD_MAX, LEAVING_MAX, STREAMS_AT_ONCE_MAX);
  }

  private final Map<ClosedStream, String> staying = new LinkedHashMap<>();
  private final Map<ClosedStream, Chain> leaving = new LinkedHashMap<>();
  private final List<List<ClosedStream>> groups = new ArrayList<>();
  private boolean more;

  private RetentionPlan() {}

  static RetentionPlan of(Tx tx, Instant until, Position sealed, Limits limits) {
    RetentionPlan plan = new RetentionPlan();
    for (Kind kind : Kind.values()) plan.look(tx, kind, until, sealed, limits);
    List<Reference> references = tx.retention().references(until, null);
    plan.keepReferred(references, tx.retention().parts(until));
    plan.arrange(references, limits);
    return plan;
  }

  private void look(Tx tx, Kind kind, Instant until, Position sealed, Limits limits) {
    List<ClosedStream> old = tx.retention().old(kind, until, limits.old());
    Erasures erasures = Erasures.of(tx);
    more |= old.size() == limits.old();
    Map<String, String> held = new HashMap<>();
    for (Hold hold : Hold.values()) {
      if (hold.kind() != kind) continue;
      tx.retention()
          .held(hold, until, sealed, null)
          .forEach(id -> held.putIfAbsent(id, hold.sentence()));
    }
    for (ClosedStream closed : old) {
      String why = held.get(closed.id());
      Chain chain = new Chain(closed.stream(), erasures.of(closed.stream()));
      if (why == null) tx.journal().eachOf(closed.stream(), chain);
      if (why == null && chain.isSound()) leaving.put(closed, chain);
      else
        staying.put(
            closed, why == null ? "its history is damaged; 'mainstay verify' says more" : why);
    }
  }

  /** What is referred to by somebody who stays, stays, and so do the parts of its next try. */
  private void keepReferred(List<Reference> references, List<Reference> parts) {
    Map<String, List<String>> needs = new HashMap<>();
    Deque<String> stay = new ArrayDeque<>();
    for (List<Reference> some : List.of(references, parts)) {
      for (Reference each : some) {
        needs.computeIfAbsent(each.from(), id -> new ArrayList<>()).add(each.to());
      }
    }
    for (String from : needs.keySet()) if (!leaves(from)) stay.add(from);
    while (!stay.isEmpty()) {
      String from = stay.removeFirst();
      for (String to : needs.getOrDefault(from, List.of())) {
        ClosedStream needed = new ClosedStream(Kind.TASK, to);
        if (leaving.remove(needed) == null) continue;
        staying.put(needed, from + " stays and refers to it");
        stay.add(to);
      }
    }
  }

  private boolean leaves(String task) {
    return leaving.containsKey(new ClosedStream(Kind.TASK, task));
  }

  /** Whoever refers goes before what it refers to, so that a run may end between any two groups. */
  private void arrange(List<Reference> references, Limits limits) {
    Map<ClosedStream, Integer> referrers = new HashMap<>();
    Map<ClosedStream, List<ClosedStream>> next = new HashMap<>();
    for (Reference each : references) {
      ClosedStream from = new ClosedStream(Kind.TASK, each.from());
      ClosedStream to = new ClosedStream(Kind.TASK, each.to());
      if (!leaving.containsKey(from) || !leaving.containsKey(to)) continue;
      referrers.merge(to, 1, Integer::sum);
      next.computeIfAbsent(from, id -> new ArrayList<>()).add(to);
    }
    Set<ClosedStream> rest = new LinkedHashSet<>(leaving.keySet());
    Deque<ClosedStream> free = new ArrayDeque<>();
    for (ClosedStream each : rest) if (!referrers.containsKey(each)) free.add(each);
    List<ClosedStream> ordered = new ArrayList<>();
    while (!free.isEmpty()) {
      ClosedStream each = free.removeFirst();
      ordered.add(each);
      rest.remove(each);
      for (ClosedStream to : next.getOrDefault(each, List.of())) {
        if (referrers.merge(to, -1, Integer::sum) == 0) free.add(to);
      }
    }
    for (int from = 0; from < ordered.size(); from += limits.atOnce()) {
      groups.add(ordered.subList(from, Math.min(ordered.size(), from + limits.atOnce())));
    }
    circles(rest, next, limits);
    cut(limits);
  }

  /** A parent that waited for its own child refers to it in a circle: both go at once or none. */
  private void circles(
      Set<ClosedStream> rest, Map<ClosedStream, List<ClosedStream>> next, Limits limits) {
    Map<ClosedStream, List<ClosedStream>> either = new HashMap<>();
    next.forEach(
        (from, all) -> {
          for (ClosedStream to : all) {
            either.computeIfAbsent(from, id -> new ArrayList<>()).add(to);
            either.computeIfAbsent(to, id -> new ArrayList<>()).add(from);
          }
        });
    while (!rest.isEmpty()) {
      List<ClosedStream> circle = new ArrayList<>(List.of(rest.iterator().next()));
      rest.removeAll(circle);
      for (int i = 0; i < circle.size(); i++) {
        for (ClosedStream other : either.getOrDefault(circle.get(i), List.of())) {
          if (rest.remove(other)) circle.add(other);
        }
      }
      if (circle.size() <= limits.atOnce()) groups.add(circle);
      else circle.forEach(each -> stay(each, "too many refer to each other in a circle"));
    }
  }

  private void stay(ClosedStream closed, String why) {
    leaving.remove(closed);
    staying.put(closed, why);
  }

  /** A file of bounded size: what does not fit leaves with the next run. */
  private void cut(Limits limits) {
    int room = limits.leaving();
    for (var group = groups.iterator(); group.hasNext(); ) {
      List<ClosedStream> each = group.next();
      room -= each.size();
      if (room >= 0) continue;
      leaving.keySet().removeAll(each);
      group.remove();
      more = true;
    }
  }

  /** Each with its entries as they were seen. */
  Map<ClosedStream, Chain> leaving() {
    return leaving;
  }

  /** What is old and stays, with the reason. */
  Map<ClosedStream, String> staying() {
    return staying;
  }

  List<List<ClosedStream>> groups() {
    return groups;
  }

  /** Whether another run would find more that is old. */
  boolean hasMore() {
    return more;
  }
}
