package dev.mainstay.demo;

import dev.mainstay.demo.Turn.Outcome;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.process.Programs;
import dev.mainstay.process.Programs.Ended;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The story in which an agent wrote one file 41 times, told twice: with the whole transcript, and
 * with a snapshot of what is there. The agent is scripted; everything else is real.
 */
public final class HelloStory {
  private static final Duration PROCESS_LIMIT = Duration.ofMinutes(2);

  private final Path folder;
  private final Greetings story;

  /** The folder must be empty; it keeps both workspaces and the store. */
  public HelloStory(Path folder, boolean isLong) {
    this.folder = folder;
    this.story = isLong ? Greetings.LONG : Greetings.SHORT;
  }

  HelloStory(Path folder, Greetings story) {
    this.folder = folder;
    this.story = story;
  }

  /** One telling: its turns, and how often each file was written. */
  public record Told(List<Turn> turns, Map<String, Long> writes) {
    public Told {
      turns = List.copyOf(turns);
      writes = new TreeMap<>(writes);
    }

    public int tokensMax() {
      return turns.stream().mapToInt(Turn::tokens).max().orElse(0);
    }

    public long tokensInAll() {
      return turns.stream().mapToLong(Turn::tokens).sum();
    }

    public long count(Outcome outcome) {
      return turns.stream().filter(turn -> turn.outcome() == outcome).count();
    }

    /** The turn in which the story was done; 0 when it never was. */
    public int doneAt() {
      return turns.stream()
          .filter(turn -> turn.outcome() == Outcome.DONE)
          .mapToInt(Turn::number)
          .findFirst()
          .orElse(0);
    }
  }

  public int files() {
    return story.files();
  }

  public Told withTranscript(int turns) {
    Environment world = new Environment(made("transcript").resolveSibling("transcript.json"));
    var telling = new TranscriptTelling(story, folder.resolve("transcript"), world);
    return new Told(telling.play(1, turns), world.writes());
  }

  public Told withSnapshot(int turns) {
    return new Told(play(1, turns), world().writes());
  }

  /** The same with another process every few turns, which knows nothing but what is stored. */
  public Told withRestarts(int turns, int each) {
    List<Turn> all = new ArrayList<>();
    for (int first = 1; first <= turns; first += each) {
      all.addAll(inProcess(first, Math.min(turns, first + each - 1)));
      if (all.get(all.size() - 1).outcome() == Outcome.DONE) break;
    }
    return new Told(all, world().writes());
  }

  /** Some turns with a snapshot, from what is stored and nothing else. */
  List<Turn> play(int first, int last) {
    try (Store store = open()) {
      return new SnapshotTelling(story, store, made("snapshot"), world()).play(first, last);
    }
  }

  /** Writes a file again, as an agent does that cannot see it. */
  Outcome replay(String path) {
    try (Store store = open()) {
      var telling = new SnapshotTelling(story, store, made("snapshot"), world());
      return telling.write(path, Objects.requireNonNull(story.contents().get(path))).outcome();
    }
  }

  private Store open() {
    var address = StoreAddress.parse(folder.resolve("state.sqlite3").toString());
    return Store.open(address, StoreSettings.DEFAULT);
  }

  private Environment world() {
    return new Environment(folder.resolve("snapshot.json"));
  }

  private List<Turn> inProcess(int first, int last) {
    List<String> argv = new ArrayList<>();
    argv.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    argv.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    argv.addAll(List.of("-cp", System.getProperty("java.class.path")));
    argv.add(HelloProcess.class.getName());
    argv.add(folder.toString());
    for (int number : List.of(story.files(), story.checks(), first, last)) argv.add("" + number);
    Ended ended =
        Programs.run(argv, PROCESS_LIMIT)
            .orElseThrow(() -> Refusal.unavailable("a process of the story did not end", null));
    if (ended.exit() != 0) throw new IllegalStateException(ended.output());
    return ended.output().lines().map(JsonText::object).map(Turn::fromJson).toList();
  }

  private Path made(String name) {
    try {
      return Files.createDirectories(folder.resolve(name));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
