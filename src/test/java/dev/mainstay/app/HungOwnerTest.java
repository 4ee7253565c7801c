package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.Standstill;
import dev.mainstay.upkeep.HookLog;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An owner that is stopped, at any moment: a hook waits for it once and briefly, and its event is
 * neither lost nor heard twice. A curl before the real one notes for how long it was to wait.
 */
class HungOwnerTest extends OnSocket {
  private static final String TIMED_OUT = "28";
  private static final String SECONDS = "0.6"; // long enough for the moment to come

  private Path heard;
  private Path asked;
  private Process owner;

  @BeforeEach
  void note_what_curl_is_told() throws Exception {
    assumeThat(Path.of("/proc/self/stat")).as("the system tells who is stopped").exists();
    heard = root.resolve("heard");
    asked = root.resolve("asked");
    Path bin = Files.createDirectories(root.resolve("bin"));
    String noting =
        "#!/bin/sh\n/usr/bin/curl \"$@\"; code=$?; echo \"$code $*\" >>'%s'; exit $code\n";
    script(bin.resolve("curl"), noting.formatted(asked));
    env.put("PATH", bin + ":/usr/bin:/bin");
  }

  @AfterEach
  void end_the_owner() throws Exception {
    if (owner == null) return;
    owner.destroyForcibly();
    assertThat(owner.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private void ownFrom(String moment) throws Exception {
    Path part = lib.resolve("sh/ask.sh");
    String text = Files.readString(part);
    assertThat(text).contains("HOOK_SECONDS_MAX=");
    String patient =
        text.replaceAll("(HOOK|LOOK)_SECONDS_MAX=[0-9.]+", "$1_SECONDS_MAX=" + SECONDS);
    // On a busy machine one that stops itself is at work until it has.
    boolean isBusy = moment.equals(StoppingOwner.BUSY);
    Files.writeString(
        part, isBusy ? patient : patient.replaceAll("LOOKS_MAX=[0-9]+", "LOOKS_MAX=0"));
    owner = StoppingOwner.start(this, heard, moment);
    await(() -> SocketState.read(project()).isPresent());
  }

  private List<String> lines(Path file) throws Exception {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /**
   * Signs of life aside, the hook waited for one answer that did not come, as long as it may. An
   * event that only tells something is begun at once, so its owner may be seen to be stopped before
   * it is asked.
   */
  private void waitedOnce(String event) throws Exception {
    List<String> silent = lines(asked).stream().filter(line -> !line.startsWith("0 ")).toList();
    assertThat(silent).hasSizeBetween(Request.TELLING.contains(event) ? 0 : 1, 1);
    for (String each : silent) {
      assertThat(each).startsWith(TIMED_OUT).contains("--max-time " + SECONDS);
    }
  }

  private String logged() {
    return new HookLog(folder.resolve(".mainstay")).last().orElseThrow().what();
  }

  @ParameterizedTest
  @CsvSource({
    "read, PostToolUse",
    "read, UserPromptSubmit",
    "taken, PostToolUse",
    "taken, UserPromptSubmit",
    "answering, UserPromptSubmit"
  })
  void who_stops_in_the_middle_is_waited_for_once_and_the_event_is_heard_once(
      String moment, String event) throws Exception {
    ownFrom(moment);

    Run run = run(folder, moment + " " + event, "hook", event);

    await(() -> Standstill.isWhole(owner));
    waitedOnce(event);
    assertThat(run.exit()).isZero();
    if (event.equals("PostToolUse")) assertThat(run.out()).isEmpty();
    else if (moment.equals(StoppingOwner.READ)) assertThat(run.wasJvm()).isTrue();
    if (run.wasJvm()) {
      assertThat(run.out()).contains("-Dmainstay.hung=true", "-Dmainstay.input=" + folder);
    } else {
      assertThat(run.out()).as("half an answer is none").isEmpty();
      if (!event.equals("PostToolUse")) assertThat(logged()).contains("took the event");
    }

    Standstill.end(owner);
    await(() -> spooled().isEmpty() && !lines(heard).isEmpty());
    assertThat(lines(heard)).containsExactly(moment + " " + event);
  }

  @Test
  void a_launcher_that_took_half_an_answer_for_a_whole_one_would_be_found_out() throws Exception {
    Path part = lib.resolve("sh/ask.sh");
    String look = "    if [ \"$asked\" -ne 0 ]; then\n";
    assertThat(Files.readString(part)).contains(look);
    Files.writeString(part, Files.readString(part).replace(look, "    if false; then\n"));
    ownFrom(StoppingOwner.ANSWERING);
    bePatient(3); // the half must have come, on a busy machine too

    Run run = run(folder, "answering", "hook", "UserPromptSubmit");

    await(() -> Standstill.isWhole(owner));
    assertThat(run.out()).isEqualTo("Half of a sentence");
  }

  @Test
  void who_took_the_event_and_is_busy_is_waited_for_until_it_answers() throws Exception {
    ownFrom(StoppingOwner.BUSY);

    Run run = run(folder, "busy", "hook", "SessionStart");

    assertThat(run).isEqualTo(new Run(0, "heard", ""));
    List<String> asks = lines(asked);
    assertThat(asks).hasSizeGreaterThan(1);
    assertThat(asks.subList(0, asks.size() - 1)).allMatch(ask -> ask.startsWith(TIMED_OUT));
    assertThat(lines(heard)).containsExactly("busy");
    assertThat(new HookLog(folder.resolve(".mainstay")).last()).isEmpty();
  }

  @Test
  void who_is_busy_for_good_is_waited_for_as_long_as_is_said_and_no_longer() throws Exception {
    Path part = lib.resolve("sh/ask.sh");
    Files.writeString(part, Files.readString(part).replaceAll("LOOKS_MAX=[0-9]+", "LOOKS_MAX=2"));
    ownFrom(StoppingOwner.BUSY);

    Run run = run(folder, StoppingOwner.BUSY_FOR_GOOD, "hook", "SessionStart");

    assertThat(run).isEqualTo(new Run(0, "", ""));
    assertThat(logged()).contains("took the event");
    assertThat(lines(asked)).hasSizeBetween(2, 3).allMatch(ask -> ask.startsWith(TIMED_OUT));
  }

  @Test
  void who_was_stopped_before_is_not_waited_for_at_all() throws Exception {
    ownFrom(StoppingOwner.READ);
    Standstill.begin(owner);

    Run told = run(folder, "told", "hook", "PostToolUse");
    Run prompted = run(folder, "prompted", "hook", "UserPromptSubmit");
    Run command = run("task", "show", "T-001");

    assertThat(lines(asked)).as("nobody was asked").isEmpty();
    assertThat(told).isEqualTo(new Run(0, "", ""));
    assertThat(prompted.wasJvm()).isTrue();
    assertThat(prompted.out()).contains("-Dmainstay.hung=true");
    assertThat(command.wasJvm()).isTrue();
    assertThat(command.out()).doesNotContain("mainstay.hung");
    assertThat(lines(heard)).isEmpty();

    Standstill.end(owner);
    await(() -> lines(heard).size() >= 2);
    assertThat(lines(heard)).containsExactly("told", "prompted");
  }

  @Test
  void all_that_a_hung_owner_is_waited_for_is_less_than_300_milliseconds() throws Exception {
    Matcher seconds =
        Pattern.compile("HOOK_SECONDS_MAX=0\\.([0-9]{2})\\b")
            .matcher(Files.readString(Path.of("src/main/sh/ask.sh")));
    assertThat(seconds.find()).isTrue();

    Matcher look =
        Pattern.compile("LOOK_SECONDS_MAX=0\\.([0-9]{2})\\b")
            .matcher(Files.readString(Path.of("src/main/sh/ask.sh")));
    assertThat(look.find()).isTrue();

    long answer = 10 * Long.parseLong(seconds.group(1));
    long java = answer + HookDoor.HUNG_PATIENCE_MAX.toMillis();
    long taken = answer + 10 * Long.parseLong(look.group(1));

    assertThat(java).as("the rest is curl's own start").isLessThanOrEqualTo(250);
    assertThat(taken).as("then no JVM is started").isLessThanOrEqualTo(280);
  }

  @Test
  void a_jvm_does_not_wait_for_the_store_of_a_hung_owner_and_leaves_the_event() throws Exception {
    assertThat(CliRun.of(folder, "", "task", "create", "one").code()).isZero();
    String java = ProcessHandle.current().info().command().orElse("java");
    jdk(
        "props=; while :; do case $1 in -Dmainstay.input=*|-Dmainstay.hung=*) props=\"$props $1\" ;;"
            + " -cp) shift 3; break ;; esac; shift; done; exec '%s' $props -cp '%s' %s \"$@\""
                .formatted(java, classPath(), Main.class.getName()));
    hang();
    String prompt = "{\"session_id\": \"s\", \"prompt\": \"Add login\"}";
    try (var other = DriverManager.getConnection("jdbc:sqlite:" + project().store())) {
      other.createStatement().execute("BEGIN IMMEDIATE");

      Run run = run(folder, prompt, "hook", "UserPromptSubmit");

      assertThat(run).isEqualTo(new Run(0, "", ""));
      assertThat(logged()).contains("locked for 40 ms");
      assertThat(spooled()).hasSize(1);
      other.createStatement().execute("ROLLBACK");
    }

    age(spooled().get(0));
    LeftEvents.hearBefore(new String[] {"prompt", "T-001"}, env, folder);

    assertThat(spooled()).isEmpty();
    assertThat(CliRun.of(folder, "", "task", "list").out()).contains("Add login");
  }

  @Test
  void what_cannot_be_kept_now_holds_up_nobody_behind_it_and_stays_in_its_order() throws Exception {
    hang();
    run(folder, "first", "hook", "PostToolUse");
    String first = spooled().get(0);
    run(folder, "second", "hook", "PostToolUse");
    for (String name : spooled()) age(name);
    Files.setLastModifiedTime(
        folder.resolve(".mainstay/spool").resolve(first),
        java.nio.file.attribute.FileTime.from(java.time.Instant.now().minusSeconds(60)));
    Echo full =
        new Echo("") {
          @Override
          public Desk.Done perform(Request request) {
            super.perform(request);
            return new Desk.Done(HookDoor.LEFT, "", "");
          }
        };
    try (Desk desk = new Desk(spool(), full)) {
      desk.drain();
      assertThat(full.performed).as("one try shows it for all").hasSize(1);
      assertThat(spooled()).hasSize(2);
      assertThat(desk.answer(first)).asString().isEqualTo("stuck\n.");
    }

    Echo free = new Echo("");
    try (Desk desk = new Desk(spool(), free)) {
      desk.drain();
    }
    assertThat(free.performed)
        .extracting(request -> new String(request.input().readAllBytes()))
        .containsExactly("first", "second");
  }

  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
