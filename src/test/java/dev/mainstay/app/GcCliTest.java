package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcCliTest {
  private static final Clock LONG_AGO =
      Clock.fixed(Instant.parse("2020-01-02T03:04:05Z"), ZoneOffset.UTC);

  @TempDir Path folder;

  @BeforeEach
  void oneThatEndedLongAgoAndOneJustNow() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
    var address = new StoreAddress.File(folder.resolve(".mainstay/state.sqlite3"));
    Call ada = Call.by(Actor.person("ada"), "test");
    try (Store store = Store.open(address, StoreSettings.DEFAULT.withClock(LONG_AGO))) {
      Tasks tasks = new Tasks(store);
      tasks.create(NewTask.titled("over for long"), ada);
      tasks.cancel(TaskId.of(1), "enough", ada);
    }
    run(0, "task", "create", "over just now");
    run(0, "task", "cancel", "T-002");
  }

  private CliRun run(int code, String... args) {
    CliRun run = CliRun.of(folder, "", args);
    assertThat(run.code()).as(String.join(" ", args) + "\n" + run.err()).isEqualTo(code);
    return run;
  }

  @Test
  void a_dry_run_tells_what_would_leave_and_makes_nothing() {
    assertThat(run(0, "gc", "--older-than", "12h").out())
        .contains("would leave: T-001", "1 tasks", "--apply does it");
    JsonObject dry = JsonText.object(run(0, "gc", "--json").out());
    assertThat(dry.texts("leaving")).containsExactly("T-001");
    assertThat(folder.resolve(".mainstay/archive")).doesNotExist();
    assertThat(run(0, "gc", "--older-than", "36500d").out()).contains("there is nothing to do");
  }

  @Test
  void apply_does_it_and_show_looks_into_the_file() throws IOException {
    JsonObject done = JsonText.object(run(0, "gc", "--apply", "--json").out());
    assertThat(done.number("left")).isEqualTo(1);
    String file = done.text("archive");
    assertThat(file).endsWith("-1.jsonl.gz").contains("/.mainstay/archive/");
    assertThat(run(0, "gc", "--show", file).out())
        .contains("task/T-001", "CANCELLED", "over for long", "sound: 1 streams with 2 entries");
    JsonObject listed = JsonText.object(run(0, "gc", "--show", file, "--json").out());
    assertThat(listed.objects("streams")).hasSize(1);
    JsonObject shown = JsonText.object(run(0, "gc", "--show", file, "--task", "t-1").out());
    assertThat(shown.objects("entries"))
        .extracting(entry -> entry.text("kind"))
        .containsExactly("task.created", "task.cancelled");
    assertThat(run(3, "gc", "--show", file, "--task", "T-002").err()).contains("is not in");
    assertThat(run(0, "verify").out()).contains("all is well");
    run(3, "task", "show", "T-001");
    assertThat(run(0, "gc", "--apply").out()).contains("nothing is old enough");
    Files.write(Path.of(file), new byte[100]);
    assertThat(run(4, "gc", "--show", file).err()).contains("no sound archive");
  }

  @Test
  void into_names_the_file_and_none_is_written_over() {
    String file = folder.resolve("mine.gz").toString();
    run(0, "gc", "--apply", "--into", file);
    assertThat(run(0, "gc", "--show", file).out()).contains("T-001");
    assertThat(run(4, "gc", "--apply", "--into", file).err()).contains("exists already");
  }

  @Test
  void what_contradicts_itself_is_refused_with_what_to_do() {
    assertThat(run(1, "gc", "--into", "x").err()).contains("add --apply");
    assertThat(run(1, "gc", "--task", "T-001").err()).contains("--show");
    assertThat(run(1, "gc", "--show", "x", "--apply").err()).contains("only looks");
    assertThat(run(1, "gc", "--older-than", "soon").err()).contains("such as 12h or 30d");
    assertThat(run(3, "gc", "--show", "x").err()).contains("there is no archive");
  }

  @Test
  void a_wrong_age_in_the_settings_is_refused_at_once() throws IOException {
    Files.writeString(folder.resolve(".mainstay/config.toml"), "[retention]\nage = \"90d\"\n");
    run(0, "gc");
    Files.writeString(folder.resolve(".mainstay/config.toml"), "[retention]\nage = \"soon\"\n");
    assertThat(run(1, "gc").err()).contains("retention.age");
  }
}
