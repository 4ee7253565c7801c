import dev.mainstay.demo.HelloStory;
import dev.mainstay.demo.HelloStory.Told;
import dev.mainstay.demo.Turn;
import dev.mainstay.domain.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * bench/rows/prompts: PromptsRow WORK TURNS. Tokens do not differ from round to round: there is
 * one.
 */
public final class PromptsRow {
  private static final Say SAY = new Say("prompt tokens per turn");
  private static final Say.Metric MOST = Say.Metric.less("tokens of the largest prompt", "tokens");
  private static final Say.Metric MEAN = Say.Metric.less("tokens of a prompt, mean", "tokens");
  private static final Say.Metric DONE = Say.Metric.less("files written more than once", "files");
  private static final String TRANSCRIPT = "full transcript, cut at 20,000 tokens";
  private static final int BOUND = 5_000;
  private static final int POINTS = 100;

  private PromptsRow() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[0]).resolve("story"));
    int turns = Integer.parseInt(arguments[1]);
    HelloStory story = new HelloStory(folder, true);
    Told snapshot = story.withSnapshot(turns);
    Told transcript = story.withTranscript(turns);
    told("mainstay", snapshot);
    told(TRANSCRIPT, transcript);
    SAY.sample(MOST, "", "floor: 5,000", 1, BOUND);
    long again = snapshot.writes().values().stream().filter(times -> times > 1).count();
    SAY.check(
        "with a snapshot no file was written twice", "", "mainstay", again == 0, again + " files");
    boolean all = snapshot.turns().size() == turns || snapshot.doneAt() > 0;
    SAY.check("all turns were played", "", "mainstay", all, snapshot.turns().size() + " turns");
    SAY.line(
        JsonObject.of("goal", "no prompt above 5,000 tokens", "metric", MOST.name())
            .with("most", BOUND));
    SAY.fact(
        "both",
        "the story of `mainstay demo --story hello --turns "
            + turns
            + "`: 40 files to write and"
            + " check; the agent is scripted, files and store are real; tokens of o200k");
  }

  private static void told(String who, Told told) {
    SAY.sample(MOST, "", who, 1, told.tokensMax());
    SAY.sample(MEAN, "", who, 1, (double) told.tokensInAll() / told.turns().size());
    SAY.sample(DONE, "", who, 1, told.writes().values().stream().filter(n -> n > 1).count());
    List<Integer> x = new ArrayList<>();
    List<Integer> y = new ArrayList<>();
    List<Turn> turns = told.turns();
    int step = Math.max(1, turns.size() / POINTS);
    for (int i = 0; i < turns.size(); i += step) {
      x.add(turns.get(i).number());
      y.add(turns.get(i).tokens());
    }
    SAY.line(
        JsonObject.of("curve", "tokens of each prompt", "who", who, "x_title", "turn")
            .with("x", x)
            .with("y", y));
  }
}
