import dev.mainstay.app.Mainstay;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.NewTask;
import java.util.List;

/** Mainstay's own part of the row: StateOurs URL TURNS WARM_UP. Prints one JSON line. */
public final class StateOurs {
  private static final Call BOT = Call.by(Actor.agent("bench"), "bench");
  private static final int DECISIONS = 2;

  private StateOurs() {}

  public static void main(String[] arguments) {
    int turns = Integer.parseInt(arguments[1]);
    try (Mainstay mainstay = Mainstay.open(arguments[0])) {
      play(mainstay, Integer.parseInt(arguments[2]));
      System.out.println(JsonText.write(play(mainstay, turns)));
    }
  }

  private static JsonObject play(Mainstay mainstay, int turns) {
    TaskId id = mainstay.tasks().create(NewTask.titled("one"), BOT).id();
    long saving = 0;
    long loading = 0;
    for (int turn = 0; turn < turns; turn++) {
      NotebookDelta delta = delta(StateText.notes(turn));
      long began = System.nanoTime();
      mainstay.notebooks().merge(id, delta, BOT);
      long saved = System.nanoTime();
      mainstay.notebooks().known(id);
      loading += System.nanoTime() - saved;
      saving += saved - began;
    }
    long began = System.nanoTime();
    List<JournalEntry> all = mainstay.notebooks().history(id, 0, 1_000);
    double reading = (System.nanoTime() - began) / 1e6;
    return JsonObject.of("save", saving / 1e6 / turns, "load", loading / 1e6 / turns)
        .with("read", reading)
        .with("sha256", Hash.of(text(all)));
  }

  static NotebookDelta delta(List<String> notes) {
    return NotebookDelta.fromJson(
        JsonObject.of(
            "decisions", notes.subList(0, DECISIONS),
            "history", notes.subList(DECISIONS, notes.size())));
  }

  /** Each turn's notes in the order they were given. */
  private static String text(List<JournalEntry> entries) {
    StringBuilder text = new StringBuilder();
    for (JournalEntry each : entries) {
      JsonObject said = JsonText.object(each.content().payload());
      JsonObject delta = said.has("delta") ? said.object("delta") : said;
      for (String section : List.of("decisions", "history")) {
        if (!delta.has(section)) continue;
        for (Object note : delta.list(section)) text.append(note).append('\n');
      }
    }
    return text.toString();
  }
}
