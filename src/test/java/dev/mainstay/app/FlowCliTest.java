package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flows by commands; none of them gets as far as an agent here. */
class FlowCliTest {
  @TempDir Path folder;

  private CliRun run(String... args) {
    return CliRun.of(folder, "", args);
  }

  private String ok(String... args) {
    CliRun run = run(args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  /** A file with a script beside it. */
  private String flow(String fields, String shell) throws IOException {
    Path flows = Files.createDirectories(folder.resolve("flows"));
    Path script = flows.resolve("decide.sh");
    Files.writeString(script, "#!/bin/sh\n" + shell + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Path file = flows.resolve("nightly.md");
    Files.writeString(
        file,
        "---\nname: nightly\nschedule: 0 3 * * *\nzone: Europe/Berlin\nscript: ./decide.sh\n"
            + fields
            + "---\nReview [[count]] commits.\n");
    return file.toString();
  }

  @Test
  void a_flow_is_added_shown_run_rests_and_is_removed() throws IOException {
    String file = flow("profile: reviewer\n", "echo '{\"execute\": false}'");
    String at = "\\d{4}-\\d\\d-\\d\\d 03:00 Europe/Berlin";
    assertThat(ok("flow", "add", file)).matches("nightly runs " + at + ", version 1\n");
    assertThat(ok("flow", "list"))
        .containsPattern("NAME +NEXT RUN +SCHEDULE")
        .containsPattern("nightly +" + at + " +0 3 \\* \\* \\* +reviewer");
    assertThat(ok("flow", "run", "nightly")).isEqualTo("nightly: DECLINED\n");
    assertThat(ok("flow", "show", "nightly"))
        .containsPattern("(?s)(next: +" + at + "\n){5}run: .* by hand: DECLINED\n")
        .contains("decide.sh", "Review [[count]] commits.");
    JsonObject shown = JsonText.object(ok("flow", "show", "nightly", "--json"));
    assertThat(shown.list("next_runs")).hasSize(5);
    assertThat(shown.objects("runs").get(0).text("status")).isEqualTo("DECLINED");
    assertThat(ok("flow", "disable", "nightly")).contains("only by hand");
    assertThat(JsonText.object(ok("flow", "list", "--json")).objects("flows").get(0).get("enabled"))
        .isEqualTo(false);
    assertThat(ok("flow", "enable", "nightly")).containsPattern("runs " + at + ", version 3");
    assertThat(ok("flow", "remove", "nightly", "--key", "k")).isEqualTo("nightly is removed\n");
    assertThat(ok("flow", "remove", "nightly", "--key", "k")).isEqualTo("nightly is removed\n");
    assertThat(run("flow", "list").err()).contains("mainstay flow add");
    assertThat(ok("verify")).startsWith("all is well");
    assertThat(ok("journal")).contains("flow.added", "flow.run_declined", "flow.removed");
  }

  @Test
  void what_cannot_be_is_refused_with_the_right_code_and_a_way_out() throws IOException {
    CliRun typo = run("flow", "add", flow("profile: reviewr\n", "true"));
    assertThat(typo.code()).isEqualTo(3);
    assertThat(typo.err()).contains("did you mean \"reviewer\"?");
    String file = flow("profile: reviewer\n", "echo 'no network' >&2; exit 1");
    ok("flow", "add", file);
    CliRun failed = run("flow", "run", "nightly");
    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.out()).contains("FAILED", "exit code 1: no network");
    CliRun missing = run("flow", "add", folder.resolve("none.md").toString());
    assertThat(missing.code()).isEqualTo(3);
    assertThat(run("flow", "show", "weekly").code()).isEqualTo(3);
    CliRun broken = run("flow", "add", flow("profile: reviewer\nmissed: no\n", "true"));
    assertThat(broken.code()).isEqualTo(1);
    assertThat(broken.err()).contains("nightly.md:7: ");
  }
}
