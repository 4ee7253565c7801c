package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Flow;
import dev.mainstay.domain.Flow.Missed;
import dev.mainstay.domain.Flow.Place;
import dev.mainstay.domain.Flow.Stamps;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.terminal.FlowScript.Decision;
import dev.mainstay.terminal.FlowText.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flow's file, and the script it names. */
class FlowTextTest {
  private static final String HEAD = "name: nightly\nschedule: 0 3 * * *\nprofile: reviewer\n";

  @TempDir Path folder;

  private NewFlow read(String fields, String body) {
    String text = "---\n" + fields + "---\n" + body + "\n";
    return FlowText.read(new Source("flow.md", text, folder, folder, ZoneOffset.UTC));
  }

  private void refused(String fields, String body, String... words) {
    assertThatThrownBy(() -> read(fields, body))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.sentence()).contains(words));
  }

  private void script(String shell) throws Exception {
    Path file = folder.resolve("decide.sh");
    Files.writeString(file, "#!/bin/sh\n" + shell + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void a_full_file_says_everything() throws Exception {
    script("true");
    NewFlow flow =
        read(
            HEAD
                + "zone: Europe/Berlin\nprovider: codex\nscript: ./decide.sh --since 'one day'\n"
                + "missed: skip\nvariables:\n  branch: main\n  port: 8080\n",
            "Review [[branch]] and [[count]].\n\n---\nBe brief.");
    assertThat(flow.name()).isEqualTo("nightly");
    assertThat(flow.timing()).isEqualTo(new Flow.Timing("0 3 * * *", "Europe/Berlin", Missed.SKIP));
    assertThat(flow.work().profile()).isEqualTo("reviewer");
    assertThat(flow.work().provider()).isEqualTo("codex");
    assertThat(flow.work().script()).isEqualTo(folder.resolve("decide.sh") + " --since 'one day'");
    assertThat(flow.work().variables()).isEqualTo(JsonObject.of("branch", "main", "port", "8080"));
    assertThat(flow.work().body()).endsWith("---\nBe brief.");
  }

  @Test
  void what_is_left_out_has_a_meaning() {
    NewFlow flow = read(HEAD, "Review.\nschedule: * * * * *");
    assertThat(flow.timing().zone()).isEqualTo("Z");
    assertThat(flow.timing().missed()).isEqualTo(Missed.RUN);
    assertThat(flow.work().script()).isNull();
    assertThat(read(HEAD + "script: git fetch\n", "Review.").work().script())
        .isEqualTo("git fetch");
  }

  @Test
  void every_fault_is_told_with_the_file_and_its_line() {
    refused("name: n\nprofile: p\n", "x", "flow.md:2: ", "\"schedule\" is missing");
    refused(HEAD.replace("0 3", "0 33"), "x", "flow.md:3: ", "33 not in range");
    refused(HEAD.replace("reviewer", "a/b"), "x", "flow.md:4: ", "a profile's name");
    refused(HEAD.replace("nightly", "../x"), "x", "flow.md:2: ", "a flow's name");
    refused(HEAD + "zone: Mars\n", "x", "flow.md:5: ", "\"Mars\"", "Europe/Berlin");
    refused(HEAD + "missed: maybe\n", "x", "flow.md:5: ", "\"maybe\"");
    refused(HEAD + "scrip: x\n", "x", "flow.md:5: ", "did you mean \"script\"?");
    refused(HEAD + "script: ./none.sh\n", "x", "flow.md:5: ", "no file", "none.sh");
    refused(HEAD + "script: a | b\n", "x", "flow.md:5: ", "sh -c");
    refused(HEAD + "variables:\n  a b: c\n", "x", "flow.md:5: ", "\"a b\"");
    refused(HEAD + "variables:\n  a: c\n", "[[b]]", "flow.md:5: ", "\"b\"");
    refused(HEAD, "[[b]]", "flow.md:", "\"b\"", "script");
    refused(HEAD, "one\n[[", "flow.md:", "line 2 of the text");
    refused(HEAD, " ", "flow.md:", "needs a text");
    refused(
        "name: n\nprofile: p\nschedule: */5 * * * * # often\n",
        "x",
        "flow.md:4: ",
        "\"*/5 * * * *\"");
    refused("schedule: @daily\n", "x", "flow.md:2: ", "in quotes", "\"@daily\"");
  }

  @Test
  void a_script_that_may_not_be_run_is_refused_with_the_command_that_helps() throws Exception {
    Files.writeString(folder.resolve("decide.sh"), "#!/bin/sh\n");
    refused(HEAD + "script: decide.sh\n", "x", "flow.md:5: ", "chmod +x");
  }

  private Flow flow() {
    NewFlow wanted = read(HEAD + "script: ./decide.sh\n", "Review.");
    Stamps stamps = new Stamps(false, null, 1, Instant.EPOCH, Instant.EPOCH);
    Place place = new Place("here", folder.toString());
    return new Flow(wanted.name(), wanted.timing(), wanted.work(), place, stamps);
  }

  @Test
  void a_flow_is_read_from_json_as_it_was_written() throws Exception {
    script("true");
    assertThat(Flow.fromJson(flow().toJson())).isEqualTo(flow());
  }

  @Test
  void a_script_decides_and_gives_values() throws Exception {
    script("echo careful >&2; echo '{\"execute\": true, \"output\": {\"n\": 1}}'");
    assertThat(FlowScript.ask(flow(), FlowScript.RUN_MAX))
        .isEqualTo(new Decision(true, JsonObject.of("n", 1)));
  }

  @Test
  void a_script_that_does_not_end_is_ended() throws Exception {
    script("sleep 600");
    assertThatThrownBy(() -> FlowScript.ask(flow(), Duration.ofMillis(50)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("took longer");
  }

  @Test
  void a_script_that_prints_without_end_is_cut_and_refused() throws Exception {
    script("yes | head -c 1000000");
    assertThatThrownBy(() -> FlowScript.ask(flow(), FlowScript.RUN_MAX))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("one object");
  }

  @Test
  void whoever_is_told_to_stop_does_not_wait_for_a_script() throws Exception {
    script("sleep 600");
    Flow flow = flow();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> FlowScript.ask(flow, FlowScript.RUN_MAX))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
