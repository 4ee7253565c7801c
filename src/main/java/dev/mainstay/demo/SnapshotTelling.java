package dev.mainstay.demo;

import dev.mainstay.context.Message;
import dev.mainstay.context.SnapshotPrompt;
import dev.mainstay.demo.Turn.Outcome;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.render.Tokens;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Store;
import dev.mainstay.workspace.FileWrites;
import dev.mainstay.workspace.FileWrites.Wanted;
import dev.mainstay.workspace.FileWrites.Written;
import dev.mainstay.workspace.Tracker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * With Mainstay: each turn the agent is sent what is there and what remains, and a write of what is
 * there already changes nothing. All it needs is in the store, so any process can play any turn.
 */
final class SnapshotTelling extends Telling {
  private static final TaskId STORY = TaskId.of(1);
  private static final Duration LEASE = Duration.ofHours(12);
  private static final Call LEAD = Call.by(Actor.person("lead"), "demo");

  private final Store store;
  private final Tracker tracker;
  private final Environment world;
  private final Call coder;

  SnapshotTelling(Greetings story, Store store, Path folder, Environment world) {
    super(story);
    this.store = store;
    this.world = world;
    boolean begins = store.reading(tx -> tx.tasks().find(STORY)).isEmpty();
    if (begins) begin();
    Task task = new Tasks(store).show(STORY);
    this.coder = Call.by(Actor.agent("coder"), "demo").withFence(task.fence());
    this.tracker = Tracker.open(store, folder);
    if (begins) tracker.beginStory(STORY.value(), LEAD);
  }

  private void begin() {
    Task task = new Tasks(store).create(NewTask.titled("Say hello in many languages"), LEAD);
    new Leases(store).hold(task.id(), "coder", LEASE, LEAD);
    new TaskStates(store).start(task.id(), "A program that greets", List.of(), LEAD);
    new TaskStates(store).setPlan(task.id(), story.steps(), LEAD);
  }

  @Override
  List<Message> prompt() {
    var snapshot = tracker.snapshot();
    return history.messages(true, snapshot.state(), snapshot.touched(), "");
  }

  @Override
  int tokens(List<Message> prompt) {
    return SnapshotPrompt.tokens(prompt, Tokens.O200K::count);
  }

  @Override
  Answer write(String path, String content) {
    var wanted =
        new Wanted(new RepoPath(path), content.getBytes(StandardCharsets.UTF_8), null, STORY);
    Written written = new FileWrites(tracker).write(wanted, coder);
    if (written.changed()) world.wrote(path);
    settle(Greetings.writeStep(path));
    return new Answer(
        JsonText.write(written.toJson()), written.changed() ? Outcome.WROTE : Outcome.NO_OP);
  }

  @Override
  Answer check(String path) {
    int number = world.check(path);
    if (number >= story.checks()) settle(Greetings.checkStep(path));
    return new Answer(story.checkLog(path, number), Outcome.CHECKED);
  }

  /** Progress is noted where it is seen, and not when the agent says so. */
  private void settle(String label) {
    TaskStates states = new TaskStates(store);
    Plan plan = states.load(STORY).plan();
    for (int place : plan.open()) {
      if (plan.step(place).label().equals(label)) {
        states.moveStep(STORY, place, StepStatus.DONE, null, coder);
      }
    }
  }

  @Override
  Answer done() {
    try {
      new Leases(store).complete(STORY, JsonObject.EMPTY, coder);
      return new Answer("{\"success\":true}", Outcome.DONE);
    } catch (Refusal open) {
      return new Answer(
          JsonText.write(JsonObject.of("success", false, "error", open.sentence())),
          Outcome.REFUSED);
    }
  }
}
