package dev.mainstay.workspace;

import dev.mainstay.domain.Phrase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** What a scan did not look at in full, and why; nothing is left out in silence. */
record LeftOut(Map<Reason, Some> byReason) {
  private static final int EXAMPLES_MAX = 3;
  private static final int EXAMPLE_CHARS_MAX = 200;
  static final LeftOut NOTHING = new LeftOut(Map.of());

  /** Why something was left out, in the order in which it is told. */
  enum Reason {
    TOO_MANY("or more beyond the number of files a scan may hold"),
    TOO_DEEP("too deep"),
    TOO_LARGE("too large to hash"),
    BYTES("not hashed yet, for the bytes of this scan were used up"),
    TIME("not reached in time"),
    UNREADABLE("unreadable"),
    RULES("not heeded as ignore rules, for there are too many"),
    ODD_NAME("with a name that cannot be written down");

    private final String words;

    Reason(String words) {
      this.words = words;
    }
  }

  /** How many, at least, with a few of their paths: a folder that was not entered counts as one. */
  record Some(long count, List<String> examples) {}

  LeftOut {
    byReason = Map.copyOf(byReason);
  }

  boolean isNothing() {
    return byReason.isEmpty();
  }

  long count(Reason reason) {
    Some some = byReason.get(reason);
    return some == null ? 0 : some.count();
  }

  /** For people: one sentence, empty when nothing was left out. */
  String sentence() {
    if (isNothing()) return "";
    StringJoiner parts = new StringJoiner("; ", "Not looked at in full: ", ".");
    for (Reason reason : Reason.values()) {
      Some some = byReason.get(reason);
      if (some == null) continue;
      String more = some.count() > some.examples().size() ? ", ..." : "";
      parts.add(
          Phrase.of(
              "%,d %s (%s%s)",
              some.count(), reason.words, String.join(", ", some.examples()), more));
    }
    return parts.toString();
  }

  /** Counts while a scan runs, from all of its threads. */
  static final class Tally {
    private final Map<Reason, Long> counts = new EnumMap<>(Reason.class);
    private final Map<Reason, List<String>> examples = new EnumMap<>(Reason.class);

    void add(Reason reason, String path) {
      add(reason, path, 1);
    }

    synchronized void add(Reason reason, String path, long count) {
      counts.merge(reason, count, Long::sum);
      List<String> some = examples.computeIfAbsent(reason, r -> new ArrayList<>());
      if (some.size() < EXAMPLES_MAX) some.add(shown(path));
    }

    synchronized LeftOut total() {
      Map<Reason, Some> all = new EnumMap<>(Reason.class);
      counts.forEach(
          (reason, count) ->
              all.put(
                  reason,
                  new Some(
                      count, examples.getOrDefault(reason, List.of()).stream().sorted().toList())));
      return all.isEmpty() ? NOTHING : new LeftOut(all);
    }

    /** A name made to do harm to a terminal or a prompt is spelt out. */
    private static String shown(String path) {
      if (path.isEmpty()) return "the whole workspace";
      StringBuilder shown = new StringBuilder();
      path.codePoints()
          .limit(EXAMPLE_CHARS_MAX)
          .forEach(
              c -> {
                if (isPlain(c)) shown.appendCodePoint(c);
                else shown.append(Phrase.of("\\u%04x", c));
              });
      return shown.toString();
    }

    private static boolean isPlain(int c) {
      int type = Character.getType(c);
      return !Character.isISOControl(c)
          && type != Character.FORMAT
          && type != Character.SURROGATE
          && type != Character.LINE_SEPARATOR
          && type != Character.PARAGRAPH_SEPARATOR;
    }
  }
}
