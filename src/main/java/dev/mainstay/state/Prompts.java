package dev.mainstay.state;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.PromptSize;
import dev.mainstay.domain.RepeatFuse;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.render.Budget;
import dev.mainstay.render.PrefixStats;
import dev.mainstay.render.PromptRenderer;
import dev.mainstay.render.Rendered;
import dev.mainstay.render.TaskPrompt;
import dev.mainstay.render.TaskPrompt.Surroundings;
import dev.mainstay.render.Tokens;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an agent is shown about its task, within the budget of its host. */
public final class Prompts {
  /** So many turns are compared to say how much of a prompt stays the same. */
  public static final int TURNS_COMPARED_MAX = 10;

  /** The hosts whose budgets are known. */
  public static final List<String> HOSTS = List.of("claude-code", "codex", "api");

  private final Store store;

  public Prompts(Store store) {
    this.store = store;
  }

  /**
   * For whom a prompt is: a host's preset ({@code claude-code}, {@code codex} or {@code api}), an
   * own limit in the preset's unit, and the reader, whose own notes name no author.
   */
  public record Wanted(
      String host, @Nullable Integer limit, @Nullable Actor reader, Surroundings around) {
    public static Wanted by(String host) {
      return new Wanted(host, null, null, Surroundings.NONE);
    }

    public Wanted within(@Nullable Integer newLimit) {
      return new Wanted(host, newLimit, reader, around);
    }

    public Wanted readBy(@Nullable Actor newReader) {
      return new Wanted(host, limit, newReader, around);
    }

    Budget budget() {
      Budget preset = Budget.named(host);
      return limit == null ? preset : new Budget(preset.unit(), limit);
    }
  }

  /** How large a prompt is, section by section, and how much of it stays from turn to turn. */
  public record Stats(
      Map<String, Integer> tokens, int total, PrefixStats prefix, int turns, int stableBytes) {
    public JsonObject toJson() {
      return JsonObject.of(
              "tokens", tokens, "total_tokens", total, "stable_prefix_bytes", stableBytes)
          .with("turns", turns)
          .with("common_prefix_bytes", prefix.commonBytes())
          .with("total_bytes", prefix.totalBytes())
          .with(
              "common_prefix_ratio",
              BigDecimal.valueOf(prefix.ratio()).setScale(3, RoundingMode.HALF_EVEN));
    }
  }

  /** The prompt; never larger than its budget. */
  public String render(TaskId id, Wanted wanted) {
    return rendered(id, wanted).text();
  }

  /** Notes how large a prompt was that an agent was given; it does not wait for that. */
  public void given(TaskId id, PromptSize size, String source) {
    store.eventually(
        tx -> {
          tx.promptsGiven().give(id, size, source);
          return id;
        });
  }

  /** How many tokens a text has, about: without a vocabulary, which takes its time to load. */
  public static int tokensAbout(String text) {
    return Tokens.ESTIMATE.count(text);
  }

  /** The prompt and how it came about. */
  public Rendered rendered(TaskId id, Wanted wanted) {
    return store.reading(
        tx -> rendered(tx.tasks().get(id), tx.dossiers().get(id).dossier(), fuse(tx, id), wanted));
  }

  private static Rendered rendered(Task task, Dossier dossier, RepeatFuse fuse, Wanted wanted) {
    var sections = TaskPrompt.sections(task, dossier, wanted.around(), fuse, wanted.reader());
    return new PromptRenderer(wholeBy(task.id())).render(sections, wanted.budget());
  }

  /** The command that shows all of a prompt. */
  static String wholeBy(TaskId id) {
    return "mainstay prompt " + id + " --budget 1000000";
  }

  /** The prompt section by section, for whoever wonders what takes the room. */
  public PromptView view(TaskId id, Wanted wanted) {
    return store.reading(
        tx -> {
          Task task = tx.tasks().get(id);
          Dossier dossier = tx.dossiers().get(id).dossier();
          RepeatFuse fuse = fuse(tx, id);
          var all = TaskPrompt.sections(task, dossier, wanted.around(), fuse, wanted.reader());
          Rendered rendered = rendered(task, dossier, fuse, wanted);
          return PromptView.of(all, rendered, wanted.budget(), wholeBy(id));
        });
  }

  /** What the last session on this task repeated, to be said at the prompt's end. */
  private static RepeatFuse fuse(Tx tx, TaskId id) {
    return tx.sessions()
        .newestOn(id)
        .map(session -> RepeatFuse.fromJson(session.seen().fuse(), Set.of()))
        .orElse(RepeatFuse.fresh(Set.of()));
  }

  /**
   * Measures the prompt, and compares what it was in the last turns. A turn is one in which tools
   * were seen at work; where none were, each change is taken for a turn.
   */
  public Stats stats(TaskId id, Wanted wanted) {
    return store.reading(
        tx -> {
          Task task = tx.tasks().get(id);
          List<String> prompts = new ArrayList<>();
          for (long number : turns(tx, id)) {
            Dossier then = tx.snapshots().at(id.stream(), number);
            prompts.add(rendered(task, then, RepeatFuse.fresh(Set.of()), wanted).text());
          }
          Dossier now = tx.dossiers().get(id).dossier();
          Rendered rendered = rendered(task, now, fuse(tx, id), wanted);
          return new Stats(
              rendered.tokens(Tokens.O200K),
              Tokens.O200K.count(rendered.text()),
              PrefixStats.over(prompts),
              prompts.size(),
              rendered.stablePrefixBytes());
        });
  }

  private static List<Long> turns(Tx tx, TaskId id) {
    List<Long> turns = numbers(tx, id, Set.of("state.actions_noted"));
    return turns.size() > 1 ? turns : numbers(tx, id, Dossier.kinds());
  }

  private static List<Long> numbers(Tx tx, TaskId id, Set<String> kinds) {
    return tx.journal().newestOfKinds(id.stream(), kinds, TURNS_COMPARED_MAX).stream()
        .map(JournalEntry::place)
        .map(JournalEntry.Place::number)
        .toList();
  }
}
