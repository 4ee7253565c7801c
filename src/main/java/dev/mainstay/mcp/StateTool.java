package dev.mainstay.mcp;

import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.PromptSize;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.render.Budget;
import dev.mainstay.render.Neutral;
import dev.mainstay.state.Known;
import dev.mainstay.state.Prompts;
import dev.mainstay.terminal.Inbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code state}: what a model needs to know to go on. */
final class StateTool implements Offered {
  static final int BUDGET_MIN = 600;
  static final int BUDGET_MAX = 10_000;

  /** Where two texts meet, a token more may come of it. */
  private static final int MARGIN_TOKENS = 8;

  private static final int EXCERPT_CHARS_MAX = 80;
  private static final int READY_SHOWN_MAX = 5;
  private static final int MESSAGES_COUNTED_MAX = 50;

  private final Rooms rooms;
  private final Visits visits;

  StateTool(Rooms rooms, Visits visits) {
    this.rooms = rooms;
    this.visits = visits;
  }

  @Override
  public String name() {
    return "state";
  }

  @Override
  public String description() {
    return "Your task: goal, orders, plan, decisions, what is open. Call first, and after a"
        + " compaction or restart. Without arguments: your current task.";
  }

  @Override
  public JsonObject schema() {
    return Schemas.object(
        List.of(),
        "task",
        Schemas.said("e.g. T-001", Schemas.text()),
        "budget",
        Schemas.said("tokens", Schemas.number(BUDGET_MIN, BUDGET_MAX)));
  }

  @Override
  public Tool.Hints hints() {
    return LOOKS;
  }

  @Override
  public int budget(JsonObject arguments) {
    Integer wanted = arguments.integerOrNull("budget");
    return wanted == null ? Portion.REPLY_TOKENS_MAX : wanted;
  }

  @Override
  public Reply call(Visit visit, JsonObject arguments) {
    boolean own = !arguments.has("task");
    Optional<Task> current = visit.current();
    if (own && current.isEmpty()) return idle(visit);
    Task task = own ? current.orElseThrow() : rooms.tasks().show(visit.task(arguments));
    return of(visit, task, "", budget(arguments));
  }

  /**
   * What is known of a task, with a sentence before it. There is no structured content beside it:
   * hosts would show that in its place, and the same data is a resource.
   */
  Reply of(Visit visit, Task task, String first, int budget) {
    Known known = rooms.notebooks().known(task.id());
    List<String> lines = new ArrayList<>();
    if (!first.isEmpty()) lines.add(first);
    lines.add(standing(visit, task));
    open(known).ifPresent(lines::add);
    waiting(visit).ifPresent(lines::add);
    String head = String.join("\n", lines) + "\n\n";
    int room = budget - Portion.atMost(head) - MARGIN_TOKENS;
    int least = Math.max(room, Budget.TOKENS_MIN);
    String text = StateText.within(least, task, known, visit.fuse(), visit.reader());
    rooms.prompts().given(task.id(), PromptSize.of(Prompts.tokensAbout(head + text)), "mcp");
    return Reply.text(head + text);
  }

  private static String standing(Visit visit, Task task) {
    String title = Neutral.line(excerpt(task.title()));
    if (visit.holds(task)) return Phrase.of("You hold %s: %s", task.id(), title);
    String by = task.lease().map(Lease::holder).map(holder -> ", held by " + holder).orElse("");
    String waits =
        task.status() == TaskStatus.PENDING && !task.isReady()
            ? ", " + task.links().waiting().shown()
            : "";
    String stands = Phrase.of("%s is %s%s%s: %s", task.id(), task.status(), by, waits, title);
    boolean lost = visit.current().filter(own -> own.id().equals(task.id())).isPresent();
    return lost
        ? stands + "\nYou worked on it and no longer hold it: write nothing to it; next_task."
        : stands;
  }

  /** What finishing would ask for, counted; the text below says what it is. */
  private Optional<String> open(Known known) {
    int steps = known.dossier().state().plan().open().size();
    long criteria =
        rooms.evidence().criteria(known.dossier()).stream()
            .filter(judged -> !judged.standing().isMet())
            .count();
    if (steps == 0 && criteria == 0) return Optional.empty();
    return Optional.of(Phrase.of("Open steps: %d, open criteria: %d.", steps, criteria));
  }

  private Optional<String> waiting(Visit visit) {
    int count = messages(visit);
    if (count == 0) return Optional.empty();
    return Optional.of(
        count == 1
            ? "1 message waits: call message."
            : Phrase.of("%d messages wait: call message.", count));
  }

  private int messages(Visit visit) {
    Set<Long> handed = visits.handed(visit.guest());
    try {
      return (int)
          visit
              .holder()
              .map(
                  name ->
                      rooms.inbox().list(name, Inbox.Filter.OPEN, 0, MESSAGES_COUNTED_MAX).stream()
                          .filter(message -> !handed.contains(message.id()))
                          .count())
              .orElse(0L)
              .longValue();
    } catch (Refusal nobodyKnowsIt) {
      return 0;
    }
  }

  private static String excerpt(String text) {
    return Graphemes.excerpt(text.strip().replaceAll("\\s+", " "), EXCERPT_CHARS_MAX);
  }

  /** Nothing is under way: what could be. */
  private Reply idle(Visit visit) {
    List<String> lines = new ArrayList<>();
    visit.bound().ifPresent(last -> lines.add(Phrase.of("%s is %s.", last.id(), last.status())));
    lines.add("You work on no task now. next_task claims the most urgent ready one,");
    lines.add("create_task with \"begin\":true makes one of what you were asked to do.");
    lines.addAll(ready());
    waiting(visit).ifPresent(lines::add);
    return Reply.text(String.join("\n", lines));
  }

  /** What could be begun, most urgent first. */
  List<String> ready() {
    List<Task> found = rooms.tasks().ready(null, READY_SHOWN_MAX + 1);
    if (found.isEmpty()) return List.of("No task is ready.");
    List<String> lines = new ArrayList<>(List.of("Ready, most urgent first:"));
    for (Task task : found.subList(0, Math.min(found.size(), READY_SHOWN_MAX))) {
      lines.add(Phrase.of("- %s %s", task.id(), Neutral.line(excerpt(task.title()))));
    }
    if (found.size() > READY_SHOWN_MAX) lines.add("- more: recall tasks:ready");
    return lines;
  }
}
