package dev.mainstay.directory;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.PageEvent;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.ExecutionHistory;
import dev.mainstay.state.ExecutionWriting;
import dev.mainstay.state.Executions;
import dev.mainstay.state.Executions.View;
import dev.mainstay.state.Outcome;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.StateDirectoryTable.Known;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings files and store together, item by item, against the last version that both sides knew. The
 * store's part happens here, in one transaction; what is to be written to the files is the result.
 */
final class Reconciliation {
  /** What came of it: the texts that differ from the files, and what there is to tell. */
  record Result(
      Outcome outcome,
      Map<PageName, String> texts,
      List<Finding> findings,
      @Nullable String aside) {}

  private final Tx tx;
  private final StateDirectory directory;
  private final Disk disk;
  private final Call call;
  private final Call hand;
  private final Map<String, Known> known;
  private final Set<PageName> unread;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private boolean edited;

  Reconciliation(Tx tx, StateDirectory directory, Disk disk, Call call) {
    this.tx = tx;
    this.directory = directory;
    this.call = call;
    // Whoever looks need not be whoever wrote; nobody's word is laid to a person.
    this.hand = call.onBehalfOf(Edits.SOMEBODY, "files");
    this.known = tx.stateDirectories().files(directory.id());
    this.unread = unread(disk);
    this.disk = disk.without(unread);
  }

  /** Files that still have what the store forgot would tell it again. */
  private Set<PageName> unread(Disk disk) {
    Set<PageName> unread = EnumSet.noneOf(PageName.class);
    for (PageName page : PageName.values()) {
      Known last = known.get(page.file());
      if (last != null && last.isForgotten() && common(disk.get(page), last).isEmpty()) {
        unread.add(page);
      }
    }
    return unread;
  }

  Result run() {
    TaskId id = directory.task();
    tx.tasks().lock(id).admit(call);
    Stored stored = tx.dossiers().get(id);
    refuseOther(stored.dossier().execution().id());
    Items store = items(Executions.view(tx, id));
    Items.Builder base = Items.builder();
    Items.Builder file = Items.builder();
    for (PageName page : PageName.values()) sides(page, store, base, file);
    JsonObject clashed = tx.stateDirectories().clashes(directory.id());
    Items both = Clashes.overlaid(base.build(), clashed);
    List<Edits.Problem> own = OwnItems.edited(both, file.build(), store);
    Merged merged =
        ThreeWay.merge(OwnItems.asIn(store, both), OwnItems.asIn(store, file.build()), store);
    Edits edits = new Edits(tx, id, hand, stored.dossier(), new Edits.Sides(store, merged.store()));
    edits.take(merged.appended(), entries(file.build()));
    List<Event> events = new ArrayList<>(edits.events());
    String aside = aside(merged, events);
    events.addAll(layouts(stored, store));
    Outcome outcome = ExecutionWriting.record(tx, id, stored, events, hand);
    Items now = items(Executions.view(tx, id));
    tell(merged, edits, now);
    for (Edits.Problem problem : own) {
      findings.add(finding(problem.key(), Finding.Kind.RESTORED, problem.sentence()));
    }
    edited = !merged.tampered().isEmpty();
    Items shown = Clashes.keeping(now, file.build(), merged, edits.problems());
    tx.stateDirectories().setClashes(directory.id(), Clashes.json(merged.clashes(), now, shown));
    return new Result(outcome, texts(shown), findings, aside);
  }

  private static long entries(Items items) {
    return items.get("entries") instanceof Long count ? count : 0;
  }

  private void refuseOther(String execution) {
    if (execution.equals(directory.execution())) return;
    throw Refusal.conflict(
        Phrase.of(
            "%s shows the execution %s, and %s has begun %s since; it is left as it is",
            directory.folder(), directory.execution(), directory.task(), execution));
  }

  private Items items(View view) {
    return ViewItems.of(view, ExecutionHistory.transitions(tx, directory.task()));
  }

  /** What the file says and what both knew; a file that says nothing has changed nothing. */
  private void sides(PageName page, Items store, Items.Builder base, Items.Builder file) {
    Disk.File there = disk.get(page);
    Reading reading = there.reading();
    Known last = known.get(page.file());
    Finding fault = there.fault();
    if (reading != null && last != null) {
      fault = there.cutOff(page, last.base());
      if (fault == null) fault = Hidden.in(page, text(there), reading, common(there, last));
    }
    if (there.redacted()) {
      String told = "what looks like a secret was replaced by a marker";
      findings.add(new Finding(page.file(), null, Finding.Kind.NOTE, told));
    }
    if (fault != null) findings.add(fault);
    if (fault != null || reading == null) {
      base.putAll(store.of(page));
      file.putAll(store.of(page));
      return;
    }
    file.putAll(reading.items());
    reading.lines().forEach(lines::putIfAbsent);
    String common = last == null ? null : common(there, last);
    base.putAll(common == null ? store.of(page) : Page.read(page, common).items());
  }

  private static String text(Disk.File file) {
    return file.text() == null ? "" : file.text();
  }

  /** A writer may have died after it wrote and before it said so. */
  private static String common(Disk.File file, Known last) {
    String pending = last.pending();
    return pending != null && pending.equals(file.text()) ? pending : last.base();
  }

  /** Edited entries are put aside under a name that their content gives, and written down. */
  private @Nullable String aside(Merged merged, List<Event> events) {
    if (merged.tampered().isEmpty()) return null;
    String text = text(disk.get(PageName.HISTORY));
    String name = Phrase.of("history.edited-%s.md", Hashes.brief(text));
    events.add(new PageEvent.HistoryEdited(merged.tampered(), name));
    findings.add(
        new Finding(
            PageName.HISTORY.file(),
            lines.get("entry/" + merged.tampered().get(0)),
            Finding.Kind.RESTORED,
            Phrase.of(
                "the history only grows, but entry %s was edited; the edited file is kept as %s, and the true text was restored",
                String.join(", ", merged.tampered().stream().map(String::valueOf).toList()),
                name)));
    return name;
  }

  /** Text of somebody's own in a file is part of what is known, so that the store can give it. */
  private List<Event> layouts(Stored stored, Items store) {
    List<Event> events = new ArrayList<>();
    Map<String, String> layouts = stored.dossier().execution().pages().layouts();
    for (PageName page : PageName.values()) {
      Disk.File there = disk.get(page);
      Known last = known.get(page.file());
      boolean touched =
          there.reading() != null && (last == null || !text(there).equals(last.base()));
      if (!touched || page == PageName.VARIABLES || isFaulty(page)) continue;
      String was = layouts.get(page.file());
      String is = Layouts.of(page, store, text(there));
      if (!is.equals(Layouts.of(page, store, was))) {
        events.add(new PageEvent.LayoutSet(page.file(), is));
      }
    }
    return events;
  }

  private void tell(Merged merged, Edits edits, Items now) {
    for (Clash clash : merged.clashes()) {
      findings.add(finding(clash.key(), Finding.Kind.CONFLICT, Clashes.sentence(clash)));
    }
    for (Edits.Problem problem : edits.problems()) {
      Finding.Kind kind = problem.stays() ? Finding.Kind.REFUSED : Finding.Kind.RESTORED;
      findings.add(finding(problem.key(), kind, problem.sentence()));
    }
    findings.addAll(edits.notes());
    for (Edits.Problem problem : Edits.rules(now)) {
      findings.add(finding(problem.key(), Finding.Kind.RULE, problem.sentence()));
    }
  }

  private Finding finding(String key, Finding.Kind kind, String sentence) {
    return new Finding(PageName.of(key).file(), line(key), kind, sentence);
  }

  /** The line of the item, or of the first one below it. */
  private @Nullable Integer line(String key) {
    Integer line = lines.get(key);
    if (line != null) return line;
    return lines.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(key + "/"))
        .map(Map.Entry::getValue)
        .min(Integer::compare)
        .orElse(null);
  }

  /** The texts that are not on the disk yet; each is noted before it is written. */
  private Map<PageName, String> texts(Items shown) {
    Map<PageName, String> texts = new EnumMap<>(PageName.class);
    Map<String, String> layouts =
        tx.dossiers().get(directory.task()).dossier().execution().pages().layouts();
    for (PageName page : PageName.values()) {
      Disk.File there = disk.get(page);
      if (isFaulty(page)) continue;
      Known last = known.get(page.file());
      String layout = there.text();
      if (layout == null) {
        layout = last == null || last.isForgotten() ? layouts.get(page.file()) : last.base();
      }
      String text = Page.write(page, shown, layout);
      String was = there.text();
      boolean written = was == null || !text.equals(was) || !Hashes.isText(there.bytes(), text);
      if (written) texts.put(page, text);
      Known next = new Known(common(page, was, text, last), written ? text : null);
      if (!next.equals(last)) tx.stateDirectories().putFile(directory.id(), page.file(), next);
      if (was == null && last != null) {
        String why =
            unread.contains(page)
                ? "something that stood in it was forgotten, so it was not read and was written again"
                : "it was missing and was written again";
        findings.add(new Finding(page.file(), null, Finding.Kind.NOTE, why));
      }
    }
    return texts;
  }

  /**
   * What both sides know until the new text is written: what the file says now, for that was heard.
   * A file that is not there says nothing, and an edited history is to be found edited again by
   * whoever looks after us, if we die before it is put aside.
   */
  private String common(PageName page, @Nullable String was, String text, @Nullable Known last) {
    if (was != null && !(page == PageName.HISTORY && edited)) return was;
    return last == null ? text : last.base();
  }

  private boolean isFaulty(PageName page) {
    return findings.stream()
        .anyMatch(f -> f.kind() == Finding.Kind.FAULT && f.file().equals(page.file()));
  }
}
