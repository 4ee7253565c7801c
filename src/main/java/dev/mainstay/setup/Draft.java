package dev.mainstay.setup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The files of one folder as they shall become. Nothing is written here, only decided. */
final class Draft {
  private static final String FRESH_JSON = "{}\n";
  private static final String BOM = "\ufeff";

  /** The files as they are. */
  interface Disk {
    Optional<String> text(String path);

    /** The file of this folder that the name is a link to; blank when that is elsewhere. */
    Optional<String> link(String path);
  }

  private final Disk disk;
  private final Map<String, Trace> tracesBefore;
  private final Map<String, Trace> traces;
  private final Map<String, Optional<String>> before = new LinkedHashMap<>();
  private final Map<String, Optional<String>> changed = new LinkedHashMap<>();
  private final List<String> remarks = new ArrayList<>();

  Draft(Disk disk, Map<String, Trace> traces) {
    this.disk = disk;
    this.tracesBefore = Map.copyOf(traces);
    this.traces = new TreeMap<>(traces);
  }

  Optional<String> text(String path) {
    Optional<String> planned = changed.get(path);
    return planned != null ? planned : before(path);
  }

  /** Read once, so that everything is decided, and later told, from the same. */
  private Optional<String> before(String path) {
    return before.computeIfAbsent(path, disk::text);
  }

  /** The file of this folder that the name is a link to; blank when that is elsewhere. */
  Optional<String> link(String path) {
    return disk.link(path);
  }

  /** Something the person should know, in one sentence. */
  void remark(String sentence) {
    if (!remarks.contains(sentence)) remarks.add(sentence);
  }

  List<String> remarks() {
    return List.copyOf(remarks);
  }

  Map<String, Trace> traces() {
    return traces;
  }

  /** What differs from the disk, in the order in which it was decided. */
  List<FileChange> changes() {
    List<FileChange> changes = new ArrayList<>();
    changed.forEach(
        (path, after) -> {
          FileChange change = new FileChange(path, before(path).orElse(null), after.orElse(null));
          if (change.isReal()) changes.add(change);
        });
    return changes;
  }

  /** Leaves a file as it is after all. */
  void leaveOut(String path) {
    changed.remove(path);
    Trace trace = tracesBefore.get(path);
    if (trace == null) traces.remove(path);
    else traces.put(path, trace);
  }

  /** Adds to a JSON file, which is begun if it is missing or blank. */
  void editJson(String path, boolean comments, Consumer<JsonFile> edit) {
    String now = text(path).orElse(null);
    String start = isBlank(now) ? FRESH_JSON : String.valueOf(now);
    JsonFile file = new JsonFile(path, start, comments);
    edit.accept(file);
    if (file.text().equals(start)) return;
    note(path, isBlank(now) ? Map.of() : file.empties());
    changed.put(path, Optional.of(file.text()));
  }

  /** Takes ours out of a JSON file; {@code edit} gets the brackets that stay though empty. */
  void undoJson(String path, boolean comments, BiConsumer<JsonFile, Map<String, String>> edit) {
    String now = text(path).orElse("");
    if (!now.contains("mainstay")) return;
    JsonFile file = new JsonFile(path, now, comments);
    edit.accept(file, traces.getOrDefault(path, Trace.NONE).empties());
    if (!file.text().equals(now)) leave(path, file.text(), file.isEmpty() || holdsSchemaOnly(file));
  }

  /** Some agents add the address of the schema to a file as soon as they see it. */
  private static boolean holdsSchemaOnly(JsonFile file) {
    return file.names().equals(List.of("$schema"));
  }

  void putBlock(String path, MarkedBlock block, String lines) {
    String now = text(path).orElse("");
    String with = block.put(path, now, lines);
    if (with.equals(now)) return;
    if (!block.isIn(path, now)) note(path, Map.of());
    changed.put(path, Optional.of(with));
  }

  void removeBlock(String path, MarkedBlock block) {
    String now = text(path).orElse("");
    String without = block.remove(path, now);
    if (!without.equals(now)) leave(path, without, isBlank(without));
  }

  /** Puts a file that is all ours; {@code mark} is how we know it. */
  void putOwn(String path, String content, String mark) {
    Optional<String> now = text(path);
    if (now.isPresent() && !now.get().contains(mark)) {
      remark(path + " is not Mainstay's and was left as it is; move it away and repeat");
    } else if (!now.equals(Optional.of(content))) {
      note(path, Map.of());
      changed.put(path, Optional.of(content));
    }
  }

  void removeOwn(String path, String mark) {
    Optional<String> now = text(path);
    if (now.isPresent() && now.get().contains(mark)) {
      changed.put(path, Optional.empty());
      traces.remove(path);
    }
  }

  private void note(String path, Map<String, String> empties) {
    Trace known = traces.get(path);
    if (known == null) {
      String there = before(path).orElse(null);
      boolean blank = there != null && isBlank(there);
      known = new Trace(there == null, blank ? there : null, Map.of());
    }
    traces.put(path, known.with(empties));
  }

  /** What is left without ours: nothing of a file that we made, else what was there before us. */
  private void leave(String path, String text, boolean nothing) {
    Trace trace = traces.remove(path);
    boolean ours = trace == null || trace.created();
    if (nothing && ours) changed.put(path, Optional.empty());
    else if (nothing && trace != null && trace.blank() != null) {
      changed.put(path, Optional.of(trace.blank()));
    } else changed.put(path, Optional.of(text));
  }

  private static boolean isBlank(@Nullable String text) {
    return text == null || text.replace(BOM, "").isBlank();
  }
}
