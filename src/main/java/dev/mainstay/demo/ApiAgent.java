package dev.mainstay.demo;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.Terms;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Artifacts.Collected;
import dev.mainstay.queue.Assignments;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewArtifact;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.Notebooks;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.NewMessage;
import dev.mainstay.terminal.TerminalStates;
import dev.mainstay.terminal.Terminals;
import dev.mainstay.workspace.DiskArtifacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What an agent of the story does about a message that was typed onto its screen: the message is
 * its input, what it prints is its answer. It remembers nothing, so all it knows is in the store.
 */
final class ApiAgent {
  /** A developer with this variable does not get beyond the middle of its file. */
  static final String STUCK = "stuck";

  static final String REQUEST = "REST API with 5 endpoints";
  static final List<String> STEPS = List.of("Agree on the data", "Write the handler", "Check it");

  private static final NotebookDelta DECIDED =
      NotebookDelta.fromJson(
          JsonObject.of("decisions", List.of("users are a Map from id to user")));
  private static final long THINKING_MILLIS = 400;
  private static final long STUCK_SECONDS = 120;

  private final Store store;
  private final Terminal me;
  private final Path folder;
  private final Call call;

  private ApiAgent(Store store, String id, Path folder) {
    this.store = store;
    this.me = new Terminals(store).get(id);
    this.folder = folder;
    this.call = Call.by(Actor.agent(id), "demo");
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Map<String, String> env = System.getenv();
    String told = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    var address = StoreAddress.parse(env.getOrDefault("MAINSTAY_DB", ""));
    try (Store store = Store.open(address, StoreSettings.DEFAULT)) {
      String id = env.getOrDefault("MAINSTAY_TERMINAL", "");
      new ApiAgent(store, id, Path.of("").toAbsolutePath()).act(told);
    } catch (Refusal refusal) {
      say("Mainstay says no: " + refusal.sentence());
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private void act(String told) throws IOException, InterruptedException {
    switch (String.valueOf(me.profile())) {
      case "code_supervisor" -> {
        if (told.contains(REQUEST)) split();
        else hear();
      }
      case "developer" -> {
        for (Assignment each : new Assignments(store).openOf(me.id())) develop(each);
      }
      case "reviewer" -> {
        for (Assignment each : new Assignments(store).openOf(me.id())) review(each);
      }
      default -> say("I have no part in this story.");
    }
  }

  /** Under keys, so that a request that is heard twice makes no task twice. */
  private void split() {
    Tasks tasks = new Tasks(store);
    List<TaskId> parts = new ArrayList<>();
    for (Endpoint each : Endpoint.values()) {
      var wanted = wanted(each.title(), "Write " + each.path() + ".", TaskType.CODE);
      Task made = tasks.create(wanted, call.withKey("split-" + each));
      parts.add(made.id());
      say(made.id() + " " + made.title());
    }
    var review = wanted("Review the API", "All five files, as handed over.", TaskType.REVIEW);
    Task last =
        tasks.create(review.after(parts.toArray(TaskId[]::new)), call.withKey("split-review"));
    say(last.id() + " " + last.title() + ", when those are done");
  }

  private static NewTask wanted(String title, String description, TaskType type) {
    var brief = new Task.Brief(title, description, type, 0, JsonObject.EMPTY);
    return new NewTask(brief, null, null, List.of(), Terms.NONE);
  }

  /** One report was typed; what else came meanwhile is fetched, as an agent's hook does it. */
  private void hear() {
    Inbox inbox = new Inbox(store);
    List<Message> more = inbox.pull(me.id(), Inbox.PULL_MAX, Inbox.LEASE, call);
    if (!more.isEmpty()) {
      inbox.acknowledge(me.id(), more.stream().map(Message::id).toList(), call);
    }
    say(more.isEmpty() ? "Noted." : Phrase.of("Noted, and %d more.", more.size()));
  }

  private void develop(Assignment mine) throws IOException, InterruptedException {
    TaskId id = mine.task();
    Call held = call.withFence(mine.standing().fence());
    Task task = new Leases(store).start(id, held);
    Endpoint endpoint = Endpoint.ofTitle(task.title()).orElseThrow();
    say(Phrase.of("%s is mine, fence %d: %s", id, task.fence(), task.title()));
    plan(task, held);
    for (int step : new TaskStates(store).load(id).plan().open()) {
      TimeUnit.MILLISECONDS.sleep(THINKING_MILLIS);
      if (step == 0) new Notebooks(store).merge(id, DECIDED, held);
      else if (step == 1) write(endpoint);
      else check(endpoint);
      new TaskStates(store).moveStep(id, step, StepStatus.DONE, null, held);
    }
    Artifact kept = artifacts().add(id, NewArtifact.file(ArtifactType.CODE, endpoint.path()), held);
    var result = JsonObject.of("file", endpoint.path(), "sha256", kept.content().hash());
    new Leases(store).complete(id, result, held);
    say(Phrase.of("%s is completed: %s", id, endpoint.path()));
    report(Phrase.of("%s is done: %s", id, endpoint.path()));
  }

  /** Who takes over a task finds the plan of whoever had it before, and what is done of it. */
  private void plan(Task task, Call held) {
    TaskStates states = new TaskStates(store);
    var plan = states.load(task.id()).plan();
    if (plan.steps().isEmpty()) {
      states.start(task.id(), task.title(), List.of(), held);
      states.setPlan(task.id(), STEPS, held);
      return;
    }
    int done = plan.steps().size() - plan.open().size();
    say(Phrase.of("Somebody began it: %d of %d steps are done.", done, plan.steps().size()));
  }

  private void write(Endpoint endpoint) throws IOException, InterruptedException {
    Path file = folder.resolve(endpoint.path());
    Files.createDirectories(folder.resolve(Endpoint.FOLDER));
    String code = endpoint.code();
    if (new TerminalStates(store).show(me.id()).told().variables().has(STUCK)) {
      Files.writeString(file, code.substring(0, code.length() / 2));
      say("Half of " + endpoint.path() + " is written.");
      TimeUnit.SECONDS.sleep(STUCK_SECONDS);
    }
    Files.writeString(file, code);
    say(Phrase.of("%s has %d lines.", endpoint.path(), code.lines().count()));
  }

  private void check(Endpoint endpoint) throws IOException {
    List<String> faults = endpoint.faultsOf(Files.readString(folder.resolve(endpoint.path())));
    if (!faults.isEmpty()) throw Refusal.conflict(endpoint.path() + ": " + faults);
  }

  private void review(Assignment mine) throws InterruptedException {
    Call held = call.withFence(mine.standing().fence());
    Task task = new Leases(store).start(mine.task(), held);
    List<TaskId> parts = task.links().dependencies().stream().map(Dependency::on).toList();
    Collected collected = artifacts().collect(parts, ArtifactType.CODE);
    List<String> faults = new ArrayList<>();
    for (TaskId part : parts) {
      Endpoint endpoint = Endpoint.ofTitle(new Tasks(store).show(part).title()).orElseThrow();
      List<Artifact> files =
          collected.artifacts().stream().filter(each -> each.task().equals(part)).toList();
      if (files.isEmpty()) faults.add(part + ": nothing was handed over");
      for (Artifact each : files) {
        // What is fetched is what was handed over, or it is refused.
        byte[] content = artifacts().get(part, each.id()).content();
        for (String fault : endpoint.faultsOf(new String(content, StandardCharsets.UTF_8))) {
          faults.add(endpoint.path() + ": " + fault);
        }
        say(part + " " + endpoint.path() + " is as it was handed over");
      }
      TimeUnit.MILLISECONDS.sleep(THINKING_MILLIS / 2);
    }
    if (!faults.isEmpty()) {
      new Leases(store).fail(task.id(), String.join("; ", faults), held);
      report(task.id() + " is refused: " + String.join("; ", faults));
      return;
    }
    var result = JsonObject.of("approved", true, "files", collected.artifacts().size());
    new Leases(store).complete(task.id(), result, held);
    say("Approved.");
    report(task.id() + " is done: all endpoints are approved.");
  }

  private Artifacts artifacts() {
    return new Artifacts(store, DiskArtifacts.below(store, folder));
  }

  private void report(String text) {
    String caller = me.seated().begin().caller();
    if (caller != null) new Inbox(store).send(new NewMessage(me.id(), caller, text), call);
  }
}
