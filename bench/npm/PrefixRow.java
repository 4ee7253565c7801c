import dev.mainstay.app.Mainstay;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewTask;
import dev.mainstay.render.PrefixStats;
import dev.mainstay.state.Prompts.Wanted;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * bench/rows/prefix: PrefixRow WORK TURNS. Bytes do not differ from round to round: there is one.
 */
public final class PrefixRow {
  private static final Say SAY = new Say("common prefix of successive prompts");
  private static final Say.Metric SHARE =
      new Say.Metric("common prefix of all bytes", "of 1", true);
  private static final Call BOT = Call.by(Actor.agent("coder"), "bench");
  private static final Call LEAD = Call.by(Actor.person("lead"), "bench");
  private static final int STEPS = 40;

  private PrefixRow() {}

  public static void main(String[] arguments) throws Exception {
    int turns = Integer.parseInt(arguments[1]);
    List<String> prompts = new ArrayList<>();
    String store = Path.of(arguments[0]).resolve("prefix.sqlite3").toString();
    try (Mainstay mainstay = Mainstay.open(store)) {
      TaskId id = begin(mainstay);
      for (int turn = 0; turn < turns; turn++) {
        play(mainstay, id, turn, turns);
        prompts.add(mainstay.prompts().render(id, Wanted.by("claude-code")));
      }
    }
    List<String> naive = prompts.stream().map(PrefixRow::turned).toList();
    SAY.sample(SHARE, "", "mainstay", 1, PrefixStats.over(prompts).ratio());
    SAY.sample(SHARE, "", "naive: state first", 1, PrefixStats.over(naive).ratio());
    SAY.sample(SHARE, "", "floor: blocks that did not change", 1, unchanged(prompts));
    check(prompts, naive);
    SAY.line(
        JsonObject.of("goal", "as much as did not change: within 1.25 times the floor")
            .with("metric", SHARE.name())
            .with("against", "floor: blocks that did not change")
            .with("times", 1.25));
    SAY.fact(
        "all",
        "one task of "
            + turns
            + " turns for the host claude-code: a history note each turn, a"
            + " decision every 10, a step done every "
            + turns / STEPS
            + ", a directive every 200");
    SAY.fact("naive: state first", "the same blocks in the opposite order");
  }

  private static TaskId begin(Mainstay mainstay) {
    TaskId id = mainstay.tasks().create(NewTask.titled("Port the shop to the new API"), LEAD).id();
    mainstay.states().start(id, "The shop uses the new API", List.of("all tests pass"), LEAD);
    List<String> plan = new ArrayList<>();
    for (int i = 1; i <= STEPS; i++) plan.add("Port module " + i + " and its tests");
    mainstay.states().setPlan(id, plan, LEAD);
    return id;
  }

  private static void play(Mainstay mainstay, TaskId id, int turn, int turns) {
    if (turn % 200 == 0) {
      mainstay.states().addDirective(id, "Rule " + turn + ": keep the old names", true, LEAD);
    }
    List<String> notes = StateText.notes(turn);
    if (turn % 10 == 0) merge(mainstay, id, "decisions", notes.get(0));
    if (turn > 0 && turn % Math.max(1, turns / STEPS) == 0) {
      int step = Math.min(STEPS, turn / Math.max(1, turns / STEPS)) - 1;
      mainstay.states().moveStep(id, step, StepStatus.DONE, null, LEAD);
    }
    merge(mainstay, id, "history", notes.get(1));
  }

  private static void merge(Mainstay mainstay, TaskId id, String section, String note) {
    JsonObject delta = JsonObject.of(section, List.of(note));
    mainstay.notebooks().merge(id, dev.mainstay.domain.NotebookDelta.fromJson(delta), BOT);
  }

  /** The blocks of a prompt; each begins with a tag at the margin. */
  private static List<String> blocks(String prompt) {
    return List.of(prompt.split("(?m)(?=^<[a-z_]+>$)"));
  }

  private static String turned(String prompt) {
    List<String> blocks = new ArrayList<>(blocks(prompt));
    Collections.reverse(blocks);
    return String.join("", blocks);
  }

  /** What a cache could keep if each block were kept by itself. */
  private static double unchanged(List<String> prompts) {
    long same = 0;
    long all = 0;
    for (int i = 1; i < prompts.size(); i++) {
      List<String> before = blocks(prompts.get(i - 1));
      for (String block : blocks(prompts.get(i))) {
        long bytes = block.getBytes(StandardCharsets.UTF_8).length;
        all += bytes;
        if (before.contains(block)) same += bytes;
      }
    }
    return all == 0 ? 0 : (double) same / all;
  }

  private static void check(List<String> prompts, List<String> naive) {
    boolean same = true;
    for (int i = 0; i < prompts.size(); i++) {
      Set<String> ours = new TreeSet<>(blocks(prompts.get(i)));
      same &= blocks(prompts.get(i)).size() > 3;
      same &= ours.equals(new TreeSet<>(blocks(naive.get(i))));
    }
    SAY.check("both renderings have the same blocks", "", "mainstay", same, null);
    boolean shows = prompts.get(prompts.size() - 1).contains("turn " + (prompts.size() - 1) + ".1");
    SAY.check("the last prompt shows the last turn", "", "mainstay", shows, null);
  }
}
