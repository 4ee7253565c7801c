package dev.mainstay.directory;

import dev.mainstay.directory.Finding.Kind;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.References;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.store.StateDirectoryTable.Known;
import dev.mainstay.store.Store;
import dev.mainstay.workspace.SafeFolder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A look at the five files that changes nothing: can they be read, and do they fit together? */
final class Inspection {
  /** So many references that lead nowhere are told each by itself, with the names that are near. */
  static final int REFERENCES_TOLD_MAX = 20;

  private static final List<String> REFERRING = List.of("step/", "passage/", "behaviour/", "var/");

  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final Items.Builder all = Items.builder();

  private Inspection() {}

  /** Without a store the files are looked at alone. */
  static List<Finding> of(@Nullable Store store, SafeFolder folder) {
    Inspection inspection = new Inspection();
    Disk disk = Disk.read(folder);
    for (PageName page : PageName.values()) inspection.page(page, disk.get(page));
    Items items = inspection.all.build();
    inspection.plan(items);
    inspection.values(items);
    inspection.references(items);
    if (store == null) inspection.unknown();
    else inspection.known(store, folder, disk);
    return inspection.findings;
  }

  private void page(PageName page, Disk.File file) {
    Finding fault = file.fault();
    Reading reading = file.reading();
    if (fault != null) findings.add(fault);
    else if (reading == null) add(page, null, Kind.FAULT, "the file is missing");
    else {
      all.putAll(reading.items());
      reading.lines().forEach(lines::putIfAbsent);
    }
  }

  private void add(PageName page, @Nullable Integer line, Kind kind, String sentence) {
    findings.add(new Finding(page.file(), line, kind, sentence));
  }

  private void at(String key, Kind kind, String sentence) {
    add(PageName.of(key), lines.get(key), kind, sentence);
  }

  private void plan(Items items) {
    try {
      StepItems.plan(items);
    } catch (Refusal refused) {
      at("steps", Kind.REFUSED, refused.sentence());
    }
    String id = items.text("meta/execution_id");
    String other = items.text("var/execution_metadata/execution_id");
    if (id != null && other != null && !id.equals(other)) {
      at(
          "var/execution_metadata/execution_id",
          Kind.REFUSED,
          Phrase.of("it belongs to %s, but plan.md to %s", other, id));
    }
  }

  private void values(Items items) {
    for (Setting setting : Setting.values()) {
      Object value = items.get("setting/" + setting.key());
      try {
        if (value != null) setting.value(value);
      } catch (Refusal refused) {
        at("setting/" + setting.key(), Kind.REFUSED, refused.sentence());
      }
    }
    for (Edits.Problem problem : Edits.rules(items))
      at(problem.key(), Kind.RULE, problem.sentence());
  }

  private void references(Items items) {
    JsonObject variables = VariableItems.object(items);
    int told = 0;
    int more = 0;
    String next = "";
    for (var text : referring(items).entrySet()) {
      String key = text.getKey();
      Object value = text.getValue();
      for (String problem : References.problems(value, variables, REFERENCES_TOLD_MAX - told)) {
        if (told < REFERENCES_TOLD_MAX) {
          told++;
          at(key, Kind.REFERENCE, problem);
        } else if (more++ == 0) {
          next = key;
        }
      }
    }
    if (more > 0) at(next, Kind.REFERENCE, untold(more));
  }

  /** All texts in which references are resolved, each with the item it belongs to. */
  private static Map<String, Object> referring(Items items) {
    Map<String, Object> texts = new LinkedHashMap<>();
    for (String id : items.texts("steps")) {
      texts.put("step/" + id + "/status", StepItems.label(id));
    }
    for (String directive : items.texts("directives")) {
      texts.put("directive/" + Items.part(directive), directive);
    }
    for (String key : items.keys()) {
      Object value = items.get(key);
      boolean refers = REFERRING.stream().anyMatch(key::startsWith) && !key.endsWith("/status");
      if (refers && value != null && value != Items.NULL && !Items.isOrder(key)) {
        texts.put(key, value);
      }
    }
    return texts;
  }

  private static String untold(int more) {
    return Phrase.of(
        "from here on %d more %s; mend those above and check again",
        more, more == 1 ? "reference leads nowhere" : "references lead nowhere");
  }

  private void unknown() {
    String sentence = "this store does not know the folder; 'mainstay exec import DIR' takes it in";
    add(PageName.PLAN, null, Kind.NOTE, sentence);
  }

  private void known(Store store, SafeFolder folder, Disk disk) {
    String id = StateDirectory.id(SafeFolder.host(), folder.path().toString());
    Optional<StateDirectory> known = store.reading(tx -> tx.stateDirectories().find(id));
    if (known.isEmpty()) {
      unknown();
      return;
    }
    Map<String, Known> files = store.reading(tx -> tx.stateDirectories().files(id));
    for (PageName page : PageName.values()) {
      Known last = files.get(page.file());
      String text = disk.get(page).text();
      if (last == null || text == null || last.isText(text)) continue;
      String sentence =
          last.isForgotten()
              ? "something that stood in it was forgotten; 'mainstay exec sync' writes it again"
              : "it was edited; 'mainstay exec sync' takes that in";
      add(page, null, Kind.NOTE, sentence);
    }
    JsonObject clashes = store.reading(tx -> tx.stateDirectories().clashes(id));
    for (String key : clashes.asMap().keySet()) {
      if (Clashes.isRefused(clashes, key)) {
        at(key, Kind.REFUSED, "it was not taken; 'mainstay exec sync' says why");
      } else {
        at(key, Kind.CONFLICT, Phrase.of("both sides changed %s; make them agree", key));
      }
    }
  }
}
