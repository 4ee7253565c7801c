package dev.mainstay.demo;

import dev.mainstay.context.Message;
import dev.mainstay.context.SnapshotPrompt;
import dev.mainstay.demo.Turn.Outcome;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RepoState;
import dev.mainstay.json.JsonText;
import dev.mainstay.render.Tokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * As it was before: the agent is sent the whole transcript, and what does not fit into its window
 * is cut off at the beginning without a word. Writing a file writes it, whatever is there.
 */
final class TranscriptTelling extends Telling {
  static final int WINDOW_TOKENS = 20_000;

  private static final RepoState NO_STATE =
      new RepoState("/", null, List.of(), List.of(), Instant.EPOCH);

  private final Path folder;
  private final Environment world;
  private final Map<String, Integer> sizes = new HashMap<>();

  TranscriptTelling(Greetings story, Path folder, Environment world) {
    super(story);
    this.folder = folder;
    this.world = world;
  }

  @Override
  List<Message> prompt() {
    List<Message> all = history.messages(false, NO_STATE, "");
    Message system = all.get(0);
    Deque<Message> kept = new ArrayDeque<>();
    int tokens = size(system);
    for (int i = all.size() - 1; i > 0; i--) {
      tokens += size(all.get(i));
      if (tokens > WINDOW_TOKENS) break;
      kept.addFirst(all.get(i));
    }
    kept.addFirst(system);
    return List.copyOf(kept);
  }

  private int size(Message message) {
    return sizes.computeIfAbsent(
        message.id(), id -> SnapshotPrompt.tokens(List.of(message), Tokens.O200K::count));
  }

  @Override
  int tokens(List<Message> prompt) {
    return prompt.stream().mapToInt(this::size).sum();
  }

  @Override
  Answer write(String path, String content) {
    try {
      Path file = folder.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, content);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    world.wrote(path);
    String answer = JsonText.write(JsonObject.of("path", path, "success", true));
    return new Answer(answer, Outcome.WROTE);
  }

  @Override
  Answer check(String path) {
    return new Answer(story.checkLog(path, world.check(path)), Outcome.CHECKED);
  }

  @Override
  Answer done() {
    boolean all =
        story.contents().keySet().stream().allMatch(p -> world.checks(p) >= story.checks());
    return all
        ? new Answer("{\"success\":true}", Outcome.DONE)
        : new Answer(
            "{\"success\":false,\"error\":\"not all files are checked\"}", Outcome.REFUSED);
  }
}
