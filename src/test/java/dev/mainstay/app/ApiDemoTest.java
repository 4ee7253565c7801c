package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import dev.mainstay.cli.Io.Screen;
import dev.mainstay.domain.Argv;
import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terminal;
import dev.mainstay.json.JsonText;
import dev.mainstay.process.Programs;
import dev.mainstay.terminal.Inbox.Filter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The story that a newcomer sees first, with a real tmux: what it tells is what the store has. */
@Order(1)
class ApiDemoTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir Path folder;
  private Path place;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void tmux() throws Exception {
    assumeThat(Programs.run(List.of("tmux", "-V"), LIMIT))
        .as("tmux is installed; the story cannot be played without it")
        .isPresent();
    place = folder.toRealPath().resolve("demo");
  }

  @AfterEach
  void noTmuxIsLeft() {
    if (place != null) ofTmux("kill-server");
  }

  private int run(String... args) {
    Map<String, String> env = Map.of("USER", "ada", "PATH", System.getenv("PATH"));
    PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
    Io io = new Io(new ByteArrayInputStream(new byte[0]), stream, stream, env, Screen.PIPE);
    return Door.run(args, io, new Wiring(env, folder));
  }

  private String said() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String db() {
    return place.resolve("state.sqlite3").toString();
  }

  private int ofTmux(String word) {
    var argv = List.of("tmux", "-S", place.resolve("tmux").toString(), word);
    return Programs.run(argv, LIMIT).orElseThrow().exit();
  }

  @Test
  void five_developers_build_an_api_and_one_that_is_killed_loses_nothing() throws Exception {
    assertThat(run("demo", "--dir", place.toString())).as(this::said).isZero();
    assertThat(said())
        .contains(
            "You ask a supervisor for a REST API with 5 endpoints.",
            "T-006 Review the API (waits for the others)",
            "it ended with exit code 137",
            "T-003 is ready again",
            "The API is approved.",
            "mainstay task list --db " + db(),
            "mainstay launch --agents code_supervisor")
        .doesNotContain("\u001b");
    assertThat(ofTmux("list-sessions")).as("its tmux is gone").isNotZero();
    try (Mainstay house = Mainstay.open(db())) {
      everyTaskIsCompleted(house);
      everyFileIsTheOneHandedOver(house);
      theKilledOneWasFollowedByAnother(house);
      everyMessageArrived(house);
    }
    assertThat(run("verify", "--db", db())).isZero();
    out.reset();
    assertThat(run("dump", "T-003", "--db", db())).isZero();
    assertThat(said()).as("what the killed one decided").contains("users are a Map");
    assertThat(run("demo", "--dir", place.toString())).as("never over a store").isEqualTo(4);
  }

  private static List<Task> tasks(Mainstay house) {
    return house.tasks().list(TaskFilter.ALL, null, 100).tasks();
  }

  private static void everyTaskIsCompleted(Mainstay house) {
    assertThat(tasks(house))
        .extracting(Task::title)
        .containsExactly(
            "Implement GET /users",
            "Implement POST /users",
            "Implement PUT /users/:id",
            "Implement DELETE /users/:id",
            "Implement GET /users/:id",
            "Review the API");
    assertThat(tasks(house)).extracting(Task::status).containsOnly(TaskStatus.COMPLETED);
  }

  private void everyFileIsTheOneHandedOver(Mainstay house) throws Exception {
    for (int number = 1; number <= 5; number++) {
      List<Artifact> kept = house.artifacts(place).list(TaskId.of(number));
      assertThat(kept).as("artifacts of " + number).hasSize(1);
      byte[] content = Files.readAllBytes(Path.of(kept.get(0).place().path()));
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      assertThat(kept.get(0).content().hash()).isEqualTo(HexFormat.of().formatHex(hash));
    }
    assertThat(place.resolve("api/replace-user.js"))
        .content()
        .contains("export const route = { method: \"PUT\", path: \"/users/:id\" };")
        .endsWith("}\n");
  }

  private static void theKilledOneWasFollowedByAnother(Mainstay house) {
    List<Assignment> tries = house.assignments().ofTask(TaskId.of(3));
    assertThat(tries)
        .extracting(each -> each.standing().status())
        .containsExactly(Assignment.Status.FAILED, Assignment.Status.COMPLETED);
    assertThat(tries.get(1).terminal()).isNotEqualTo(tries.get(0).terminal());
    List<Terminal> all = house.terminals().list(null, 100);
    assertThat(all).hasSize(7).noneMatch(Terminal::isLive);
    assertThat(all)
        .filteredOn(each -> each.seated().status() == Seat.Status.CRASHED)
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.id()).isEqualTo(tries.get(0).terminal());
              assertThat(each.seated().standing().exit()).isEqualTo(137);
            });
  }

  private static void everyMessageArrived(Mainstay house) {
    assertThat(house.inbox().list(null, Filter.ALL, 0, 100))
        .as("the request, six tasks and one again, and a report for each")
        .hasSize(14)
        .extracting(each -> each.standing().status())
        .containsOnly(Message.Status.DELIVERED);
  }

  @Test
  void terminals_that_are_kept_go_on_and_are_ended_by_the_command_it_names() {
    assertThat(run("demo", "--dir", place.toString(), "--keep", "--json")).as(this::said).isZero();
    JsonObject told = JsonText.object(said());
    assertThat(told.objects("tasks")).hasSize(6);
    assertThat(told.text("heir")).isNotEqualTo(told.text("killed"));
    assertThat(told.number("messages")).isEqualTo(14);
    assertThat(ofTmux("list-sessions")).as("its tmux goes on").isZero();
    List<String> end = Argv.split(told.texts("commands").get(1));
    assertThat(Programs.run(end, LIMIT).orElseThrow().exit()).isZero();
    assertThat(ofTmux("list-sessions")).isNotZero();
  }
}
