package dev.mainstay.demo;

import static java.util.Objects.requireNonNull;

import dev.mainstay.demo.ApiBoard.Row;
import dev.mainstay.demo.ApiBoard.Scene;
import dev.mainstay.demo.ApiReport.Cast;
import dev.mainstay.demo.ApiReport.Done;
import dev.mainstay.demo.ApiReport.Figures;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Artifacts.Collected;
import dev.mainstay.queue.Assignments;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.Inbox.Filter;
import dev.mainstay.terminal.NewMessage;
import dev.mainstay.terminal.Terminals;
import dev.mainstay.workspace.DiskArtifacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A supervisor splits a request into tasks, developers work on them in parallel terminals, one of
 * them is killed and another takes over, a reviewer approves. The agents are scripted; store,
 * queue, messages, tmux, screens and files are real.
 */
public final class ApiStory {
  private static final String PROFILE = "developer";
  private static final Endpoint UNLUCKY = Endpoint.REPLACE;
  private static final long LOOK_MILLIS = 100;
  private static final long PART_SECONDS_MAX = 90;
  private static final Call PERSON = Call.by(Actor.person("you"), "demo");

  private final Path folder;
  private final ApiBoard board;
  private final Store store;
  private final ApiCrew crew;
  private final Map<TaskId, TaskStatus> seen = new HashMap<>();

  private ApiStory(Path folder, ApiBoard board, Store store, ApiCrew crew) {
    this.folder = folder;
    this.board = board;
    this.store = store;
    this.crew = crew;
  }

  /**
   * Plays the story in an empty folder, which keeps its store and files. Its terminals end with it,
   * unless they are to be kept.
   */
  public static ApiReport play(Path folder, ApiBoard board, boolean keep) {
    Path whole = real(folder);
    var address = StoreAddress.parse(whole.resolve(ApiCrew.STORE).toString());
    boolean kept = false;
    try (Store store = Store.open(address, StoreSettings.DEFAULT);
        ApiCrew crew = new ApiCrew(store, whole)) {
      Thread interrupted =
          new Thread(
              () -> {
                board.leave();
                crew.endTmux();
              },
              "demo-interrupted");
      Runtime.getRuntime().addShutdownHook(interrupted);
      try {
        ApiReport told = new ApiStory(whole, board, store, crew).tell(keep);
        kept = keep;
        return told;
      } finally {
        board.end();
        if (!kept) crew.endAll();
        Runtime.getRuntime().removeShutdownHook(interrupted);
      }
    }
  }

  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private ApiReport tell(boolean keep) {
    String supervisor = begin();
    Call lead = Call.by(Actor.agent(supervisor), "demo");
    Map<Endpoint, TaskId> parts = split();
    Map<Endpoint, String> developers = assign(parts, lead);
    String killed = requireNonNull(developers.get(UNLUCKY));
    String heir = lose(parts, killed, lead);
    await("all endpoints are written", () -> parts.values().stream().allMatch(this::isCompleted));
    String reviewer = review(parts, lead);
    await("every report has arrived", () -> isReported(supervisor));
    long millis = board.millis();
    List<String> commands =
        keep ? List.of(String.join(" ", crew.attach()), String.join(" ", crew.end())) : List.of();
    int messages = new Inbox(store).list(null, Filter.ALL, 0, Inbox.PAGE_MAX).size();
    long entries = store.reading(tx -> tx.journal().count());
    return new ApiReport(
        done(),
        new Cast(supervisor, reviewer, killed, heir),
        new Figures(messages, entries, millis, commands),
        folder);
  }

  private String begin() {
    board.chapter("You ask a supervisor for a " + ApiAgent.REQUEST + ".");
    String supervisor = crew.launch("code_supervisor", JsonObject.EMPTY, PERSON);
    board.say(supervisor + " starts in a terminal of its own");
    String request = "Please build a " + ApiAgent.REQUEST + " for users.";
    new Inbox(store).send(NewMessage.to(supervisor, request), PERSON);
    return supervisor;
  }

  private Map<Endpoint, TaskId> split() {
    int wanted = Endpoint.values().length + 1;
    await("the tasks are there", () -> tasks().size() == wanted);
    Map<Endpoint, TaskId> parts = new EnumMap<>(Endpoint.class);
    for (Task task : tasks()) {
      Endpoint.ofTitle(task.title()).ifPresent(each -> parts.put(each, task.id()));
      String waits = task.isReady() ? "" : " (waits for the others)";
      board.say(Phrase.of("%s %s%s", task.id(), task.title(), waits));
    }
    return parts;
  }

  private Map<Endpoint, String> assign(Map<Endpoint, TaskId> parts, Call lead) {
    board.chapter("Five developers start in parallel; each is given a task and told so.");
    Map<Endpoint, String> developers = new EnumMap<>(Endpoint.class);
    for (Endpoint each : Endpoint.values()) {
      JsonObject told =
          each == UNLUCKY
              ? JsonObject.of("variables", JsonObject.of(ApiAgent.STUCK, "yes"))
              : JsonObject.EMPTY;
      String developer = crew.launch(PROFILE, told, lead);
      developers.put(each, developer);
      give(requireNonNull(parts.get(each)), developer, lead);
      look();
    }
    return developers;
  }

  private void give(TaskId id, String developer, Call lead) {
    Task held = new Leases(store).hold(id, developer, Leases.LEASE, lead);
    String text = Phrase.of("%s is yours, fence %d: %s.", id, held.fence(), held.title());
    new Inbox(store).send(new NewMessage(lead.actor().name(), developer, text), lead);
  }

  /** One is killed in the middle of its file; who is free first goes on. */
  private String lose(Map<Endpoint, TaskId> parts, String killed, Call lead) {
    TaskId id = requireNonNull(parts.get(UNLUCKY));
    Path half = folder.resolve(UNLUCKY.path());
    await("the unlucky one is in the middle", () -> half.toFile().length() > 0);
    board.chapter("One of them is killed in the middle of its work (kill -9).");
    crew.kill(killed);
    board.say(Phrase.of("%s is killed; it had written half of %s", killed, UNLUCKY.path()));
    await(id + " comes back", () -> new Tasks(store).show(id).isReady());
    Seat.Standing end = new Terminals(store).get(killed).seated().standing();
    board.say(Phrase.of("Mainstay saw it (%s); %s is ready again", end.why(), id));
    List<String> free = new ArrayList<>();
    await(
        "a developer is free",
        () -> {
          crew.started().stream()
              .filter(each -> each.startsWith(PROFILE) && isFree(each))
              .forEach(free::add);
          return !free.isEmpty();
        });
    String heir = free.get(0);
    give(id, heir, lead);
    board.say(Phrase.of("%s takes over %s, with the plan of the one before", heir, id));
    return heir;
  }

  private boolean isFree(String developer) {
    return new Terminals(store).get(developer).isLive()
        && new Assignments(store).openOf(developer).isEmpty();
  }

  private String review(Map<Endpoint, TaskId> parts, Call lead) {
    var artifacts = new Artifacts(store, DiskArtifacts.below(store, folder));
    Collected all = artifacts.collect(parts.values(), ArtifactType.CODE);
    board.chapter(
        Phrase.of("All %d files are collected and go to a reviewer.", all.artifacts().size()));
    JsonObject told = JsonObject.of("context_data", all.toJson());
    String reviewer = crew.launch("reviewer", told, lead);
    Task review =
        tasks().stream().filter(each -> !parts.containsValue(each.id())).findFirst().orElseThrow();
    give(review.id(), reviewer, lead);
    await("the review is over", () -> new Tasks(store).show(review.id()).status().isEnded());
    if (!isCompleted(review.id())) {
      throw new IllegalStateException(
          "the reviewer refused: " + new Tasks(store).show(review.id()).progress().reason());
    }
    return reviewer;
  }

  private boolean isCompleted(TaskId id) {
    return new Tasks(store).show(id).status() == TaskStatus.COMPLETED;
  }

  private List<Task> tasks() {
    return new Tasks(store).list(TaskFilter.ALL, null, Tasks.PAGE_MAX).tasks();
  }

  /** Whoever completes a task says so afterwards: the request and a report for each task. */
  private boolean isReported(String supervisor) {
    Inbox inbox = new Inbox(store);
    List<Message> all = inbox.list(supervisor, Filter.ALL, 0, Inbox.PAGE_MAX);
    return all.size() > tasks().size() && inbox.list(null, Filter.OPEN, 0, 1).isEmpty();
  }

  private void await(String what, BooleanSupplier holds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PART_SECONDS_MAX);
    try {
      while (true) {
        boolean over = holds.getAsBoolean();
        look(); // what brought it about is told before what comes of it
        if (over) return;
        if (System.nanoTime() > end) break;
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    RuntimeException fault = crew.faults().isEmpty() ? null : crew.faults().get(0);
    throw Refusal.unavailable(
        Phrase.of(
            "the story stands still before %s%s; what it left is in %s",
            what, fault == null ? "" : " (" + fault.getMessage() + ")", folder),
        fault);
  }

  /** Tells what has changed since the last look, and draws how it stands. */
  private void look() {
    List<Task> tasks = tasks();
    for (Task each : tasks) {
      TaskStatus before = seen.put(each.id(), each.status());
      if (before == each.status()) continue;
      String title = Endpoint.inShort(each.title());
      if (each.status() == TaskStatus.IN_PROGRESS) {
        board.say(Phrase.of("%s begins %s: %s", holder(each.id()), each.id(), title));
      } else if (each.status() == TaskStatus.COMPLETED) {
        board.say(Phrase.of("%s completes %s: %s", holder(each.id()), each.id(), title));
      }
    }
    List<Row> rows = crew.started().stream().map(this::row).toList();
    int done = (int) tasks.stream().filter(t -> t.status() == TaskStatus.COMPLETED).count();
    int sent = new Inbox(store).list(null, Filter.ALL, 0, Inbox.PAGE_MAX).size();
    board.show(new Scene(rows, done, Endpoint.values().length + 1, sent));
  }

  /** Who has a task, or had it last. */
  private String holder(TaskId id) {
    String last = "";
    for (Assignment each : new Assignments(store).ofTask(id)) last = each.terminal();
    for (Assignment each : new Assignments(store).ofTask(id)) {
      boolean failed = each.standing().status() == Assignment.Status.FAILED;
      if (!failed) last = each.terminal();
    }
    return last;
  }

  private Row row(String terminal) {
    Seat.Status status = new Terminals(store).get(terminal).seated().status();
    List<Assignment> open = new Assignments(store).openOf(terminal);
    boolean works =
        open.stream().anyMatch(a -> a.standing().status() == Assignment.Status.IN_PROGRESS);
    String doing =
        switch (status) {
          case STARTING -> "starts";
          case BUSY -> "at work";
          case CRASHED, GONE -> "killed";
          case STOPPED, ENDED -> "stopped";
          default -> works ? "at work" : "idle";
        };
    if (open.isEmpty()) return new Row(terminal, doing, "", 0, 0);
    Task task = new Tasks(store).show(open.get(0).task());
    Plan plan = new TaskStates(store).load(task.id()).plan();
    String shown = task.id() + " " + Endpoint.inShort(task.title());
    int steps = plan.steps().size();
    return new Row(terminal, doing, shown, steps - plan.open().size(), steps);
  }

  private List<Done> done() {
    var artifacts = new Artifacts(store, DiskArtifacts.below(store, folder));
    List<Done> all = new ArrayList<>();
    for (Task task : tasks()) {
      List<String> files = new ArrayList<>();
      for (Artifact each : artifacts.list(task.id())) {
        Artifact.Place place = each.place();
        if (place == null) continue;
        files.add(folder.relativize(Path.of(place.path())) + " " + each.content().hash());
      }
      int attempts = task.progress().attempt();
      all.add(new Done(task.id().value(), task.title(), holder(task.id()), attempts, files));
    }
    return all;
  }
}
