package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.access.AccessTokens.Wanted;
import dev.mainstay.cli.Serving;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.hook.Hooks;
import dev.mainstay.json.JsonText;
import dev.mainstay.mcp.Asking;
import dev.mainstay.mcp.Guest;
import dev.mainstay.mcp.Offer;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.session.Places;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of SECURITY.md: through which interface which caller may write to a held task. */
class HeldTaskAccessTest {
  private static final Call ADA = Call.by(Actor.person("ada"), "test");
  private static final String AT = "/tasks/{id}";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Map<String, String> PERSON = Map.of("USER", "ada");

  /** These change another task, or a task that has ended; and what a caller holds is not asked. */
  private static final Set<String> ELSEWHERE =
      Set.of("post /tasks/{id}/checkpoints/{name}/fork", "post /tasks/{id}/retry");

  private static final Map<String, String> SHELL =
      Map.of("CLAUDECODE", "1", "CLAUDE_CODE_SESSION_ID", "s-1");

  @TempDir Path temporary;
  private Path folder;
  private Mainstay house;

  @BeforeEach
  void begin() throws IOException {
    folder = temporary.toRealPath();
    Files.createDirectory(folder.resolve(".git"));
    assertThat(CliRun.byPerson(folder, PERSON, "task", "create", "first").code()).isZero();
    String file = folder.resolve(".mainstay/state.sqlite3").toString();
    house = Mainstay.open(file);
  }

  @AfterEach
  void end() {
    house.close();
  }

  /** A task in its second lease by dev-1, with dev-2 as its helper. */
  private Task held() {
    TaskId id = house.tasks().create(NewTask.titled("held"), ADA).id();
    house.states().setPlan(id, List.of("one", "two"), ADA);
    house.states().addCriterion(id, "tests pass", ADA);
    house.states().addDirective(id, "be brief", false, ADA);
    house.checkpoints().save(id, "before-refactoring", ADA);
    house.leases().hold(id, "dev-1", Leases.LEASE, ADA);
    house.leases().release(id, "", ADA);
    house.leases().hold(id, "dev-1", Leases.LEASE, ADA);
    house.reservations(folder).reserve(id, List.of(id.value()), ADA);
    return house.helpers().add(id, "dev-2", ADA);
  }

  private String workspace() {
    return house.workspace(folder).workspace().id();
  }

  private long entries(TaskId id) {
    return house.journal().newest(id.stream(), 1).get(0).place().number();
  }

  /**
   * A caller and whether it may write: by its name, the fence that it gives, and its credential.
   */
  private record Caller(String what, boolean may, String fence, String credential) {}

  private static final String CURRENT = "current";
  private static final String OLD = "1";
  private static final String PERSON_AT_WORK = "a person without a fence";
  private static final String HELPER = "its helper";

  private List<Caller> restCallers(String person) {
    List<Caller> all = new ArrayList<>();
    all.add(new Caller(PERSON_AT_WORK, true, "", person));
    all.add(new Caller("the holder", true, CURRENT, token(Role.AGENT, "dev-1")));
    all.add(new Caller(HELPER, true, CURRENT, token(Role.AGENT, "dev-2")));
    all.add(new Caller("the holder without a fence", false, "", token(Role.AGENT, "dev-1")));
    all.add(new Caller("the holder's old lease", false, OLD, token(Role.AGENT, "dev-1")));
    all.add(new Caller("a helper with an old fence", false, OLD, token(Role.AGENT, "dev-2")));
    all.add(new Caller("another agent", false, CURRENT, token(Role.AGENT, "dev-3")));
    all.add(new Caller("an agent named as Mainstay", false, "", token(Role.AGENT, "mainstay")));
    all.add(new Caller("a viewer", false, CURRENT, token(Role.VIEWER, "eve")));
    return all;
  }

  private String token(Role role, String name) {
    String terminal = role == Role.AGENT ? name : null;
    return house.access().issue(new Wanted(role, name, terminal, null), ADA).secret();
  }

  private record Verb(String method, String path, String body) {}

  /** Every route that changes something of one task, as the server itself describes it. */
  private List<Verb> routes(String address, String token) throws Exception {
    var asked =
        HttpRequest.newBuilder(URI.create(address + "/openapi.json"))
            .header("Authorization", "Bearer " + token)
            .build();
    String text = CLIENT.send(asked, BodyHandlers.ofString()).body();
    JsonObject paths = JsonText.object(text).object("paths");
    List<Verb> verbs = new ArrayList<>();
    for (String path : paths.asMap().keySet()) {
      if (!path.startsWith(AT)) continue;
      for (String method : paths.object(path).asMap().keySet()) {
        if (method.equals("get") || ELSEWHERE.contains(method + " " + path)) continue;
        JsonObject json =
            paths
                .object(path)
                .object(method)
                .object("requestBody")
                .object("content")
                .object("application/json");
        Object example = json.get("example");
        verbs.add(new Verb(method, path, example == null ? "" : JsonText.write(example)));
      }
    }
    return verbs;
  }

  private int ask(String address, Verb verb, Task task, Caller caller) throws Exception {
    String path =
        verb.path()
            .replace("{id}", task.id().value())
            .replace("{name}", "before-refactoring")
            .replace("{worker}", "dev-4")
            .replace("{other}", "T-001")
            .replaceAll("\\{[a-z]+}", "1");
    if (path.endsWith("/reservations") && verb.method().equals("delete")) {
      path += "?pattern=" + task.id() + "&workspace=" + workspace();
    }
    String body = verb.body().replace("w-0a1b2c3d4e5f", workspace());
    var request =
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Authorization", "Bearer " + caller.credential())
            .method(verb.method().toUpperCase(Locale.ROOT), BodyPublishers.ofString(body));
    if (!verb.body().isEmpty()) request.header("Content-Type", "application/json");
    String fence = caller.fence().equals(CURRENT) ? "" + task.fence() : caller.fence();
    if (!fence.isEmpty()) request.header("Mainstay-Fence", fence);
    var answer = CLIENT.send(request.build(), BodyHandlers.ofString());
    boolean inOtherHands = answer.body().matches("(?s).*\"(lease_lost|not_holder)\".*");
    return inOtherHands ? 403 : answer.statusCode();
  }

  /** Helpers name no helpers, and only persons decide about proposals. */
  private static boolean may(Verb verb, Caller caller) {
    if (verb.path().contains("/helpers/") && caller.what().equals(HELPER)) return false;
    if (verb.path().contains("/proposals/") && !caller.what().equals(PERSON_AT_WORK)) return false;
    return caller.may();
  }

  @Test
  void over_rest() throws Exception {
    try (Serving serving =
        new Wiring(PERSON, folder).serve(null, new Serving.Wanted("127.0.0.1", 0, null, null))) {
      String person = serving.link().replaceFirst(".*#token=", "");
      List<Caller> callers = restCallers(person);
      List<Verb> verbs = routes(serving.address(), person);
      assertThat(verbs).hasSizeGreaterThan(30);
      Task task = held();
      for (Verb verb : verbs) {
        for (Caller caller : callers) {
          String what = verb.method() + " " + verb.path() + " by " + caller.what();
          long before = entries(task.id());
          int status = ask(serving.address(), verb, task, caller);
          if (may(verb, caller)) {
            assertThat(status).as(what).isNotIn(401, 403);
            Task now = house.tasks().show(task.id());
            boolean same = now.status().isHeld() && now.lease().equals(task.lease());
            if (!same) task = held();
          } else {
            // A held task cannot be assigned again.
            assertThat(status).as(what).isIn(403, verb.path().endsWith("/assign") ? 409 : 403);
            assertThat(entries(task.id())).as(what).isEqualTo(before);
          }
        }
      }
    }
  }

  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("state", "merge", "TASK", "-"),
          List.of("state", "start", "TASK", "--goal", "g"),
          List.of("plan", "set", "TASK", "three", "four"),
          List.of("plan", "done", "TASK", "1"),
          List.of("directive", "add", "TASK", "be brief"),
          List.of("criteria", "add", "TASK", "it works"),
          List.of("checkpoint", "save", "TASK", "c"),
          List.of("artifact", "add", "TASK", "--type", "LOG", "--content", "x"),
          List.of("task", "update", "TASK", "--title", "other"),
          List.of("task", "spend", "TASK", "--tokens", "1"),
          List.of("task", "accept", "TASK"),
          List.of("task", "heartbeat", "TASK"),
          List.of("task", "start", "TASK"),
          List.of("task", "release", "TASK"),
          List.of("task", "fail", "TASK", "--error", "no"),
          List.of("task", "cancel", "TASK"),
          List.of("task", "complete", "TASK"));

  private CliRun run(List<String> command, Task task, Map<String, String> env, String fence) {
    List<String> words = new ArrayList<>(command);
    words.replaceAll(each -> each.equals("TASK") ? task.id().value() : each);
    if (!fence.isEmpty()) words.addAll(List.of("--fence", fence));
    String[] args = words.toArray(String[]::new);
    if (env.equals(PERSON)) return CliRun.byPerson(folder, env, args);
    byte[] input = "{\"decisions\": [\"x\"]}".getBytes(StandardCharsets.UTF_8);
    return CliRun.of(folder, input, env, args);
  }

  private void refused(List<String> command, Task task, Map<String, String> env, String fence) {
    long before = entries(task.id());
    CliRun run = run(command, task, env, fence);
    String what = command + " by " + env + " " + fence + ": " + run.err();
    assertThat(run.code()).as(what).isEqualTo(4);
    assertThat(entries(task.id())).as(what).isEqualTo(before);
  }

  @Test
  void on_the_command_line() {
    Task task = held();
    for (List<String> command : COMMANDS) {
      String current = Long.toString(task.fence());
      refused(command, task, Map.of("MAINSTAY_TERMINAL", "dev-1"), OLD);
      refused(command, task, Map.of("MAINSTAY_TERMINAL", "dev-1"), "");
      refused(command, task, Map.of("MAINSTAY_TERMINAL", "dev-3"), current);
      refused(command, task, Map.of("USER", "eve"), current, "script-of-eve");
      for (String name : List.of("dev-1", "dev-2")) {
        CliRun run = run(command, task, Map.of("MAINSTAY_TERMINAL", name), current);
        assertThat(run.err()).as("%s by %s", command, name).doesNotContain("held by", "lease");
        task = stillHeld(task);
        current = Long.toString(task.fence());
      }
    }
    assertThat(run(COMMANDS.get(4), task, PERSON, "").code()).isZero();
  }

  private void refused(
      List<String> command, Task task, Map<String, String> env, String fence, String name) {
    CliRun run = run(command, task, env, fence);
    assertThat(run.code()).as("%s: %s", command, run.err()).isEqualTo(4);
    assertThat(run.err()).contains("is held by dev-1; you are agent:" + name, "a person");
  }

  private Task stillHeld(Task task) {
    Task now = house.tasks().show(task.id());
    return now.status().isHeld() && now.lease().equals(task.lease()) ? now : held();
  }

  private HookHost claude() {
    return HookHost.of("claude-code", folder);
  }

  private void tell(String recording, JsonObject more) {
    JsonObject payload = claude().recorded(recording).with("session_id", "s-1");
    for (var each : more.asMap().entrySet()) payload = payload.with(each.getKey(), each.getValue());
    claude().tell(new Hooks(house), payload);
  }

  /** A session holds the task that its person asked for. */
  private Task asked(String words) {
    tell("UserPromptSubmit", JsonObject.of("prompt", words, "prompt_id", "p-" + words));
    TaskId id = house.sessions().ofShell("claude-code", "s-1", place()).orElseThrow().bond().task();
    return house.tasks().show(id);
  }

  private Place place() {
    return Places.around(folder);
  }

  @Test
  void of_a_session_its_own_shell_and_sub_agents_until_it_ends() {
    Task task = asked("Add login");
    for (List<String> command : COMMANDS.subList(4, 12)) {
      CliRun own = run(command, task, SHELL, "");
      assertThat(own.code()).as("%s: %s", command, own.err()).isZero();
      refused(command, task, Map.of("CODEX_SANDBOX", "1"), Long.toString(task.fence()));
    }
    JsonObject sub = JsonObject.of("agent_id", "a-1", "agent_type", "Explore");
    long before = entries(task.id());
    tell("PostToolUse-Bash", sub.with("tool_use_id", "t-1"));
    assertThat(entries(task.id())).isGreaterThan(before);
    tell("SessionEnd-other", JsonObject.EMPTY);
    refused(COMMANDS.get(4), task, SHELL, Long.toString(task.fence()));
    before = entries(task.id());
    tell("PostToolUse-Bash", sub.with("tool_use_id", "t-2"));
    assertThat(entries(task.id())).isEqualTo(before);
    tell("SessionStart-resume", JsonObject.EMPTY);
    CliRun again = run(COMMANDS.get(5), task, SHELL, "");
    assertThat(again.code()).as(again.err()).isZero();
  }

  private boolean update(Offer offer, Guest guest, Task task) {
    long before = entries(task.id());
    var asking = new Asking(guest, null, Asking.Line.NONE);
    JsonObject words = JsonObject.of("task", task.id().value(), "next_focus", "f" + before);
    var tool = offer.tools().stream().filter(each -> each.name().equals("update")).findFirst();
    boolean done = !tool.orElseThrow().doing().call(asking, words).isError();
    assertThat(entries(task.id()) > before).as(guest.toString()).isEqualTo(done);
    return done;
  }

  @Test
  void over_mcp() {
    Offer offer = new Offer(house);
    Task task = held();
    for (String name : List.of("dev-2", "dev-3")) {
      TaskId other = house.tasks().create(NewTask.titled("other"), ADA).id();
      house.leases().hold(other, name, Leases.LEASE, ADA); // makes it known as a worker
    }
    for (String name : List.of("dev-1", "dev-2", "dev-3")) {
      var guest = new Guest("claude-code", "c-" + name, name, folder, true);
      boolean may = !name.equals("dev-3");
      assertThat(update(offer, guest, task)).as(name).isEqualTo(may);
    }
    assertThat(update(offer, new Guest("codex", "c-2", null, folder, true), task)).isFalse();
    assertThat(update(offer, new Guest("codex", "c-3", null, folder, false), task)).isFalse();
  }
}
