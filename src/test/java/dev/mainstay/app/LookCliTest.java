package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookCliTest {
  @TempDir Path folder;

  private CliRun run(String... args) {
    return CliRun.of(folder, "", args);
  }

  @Test
  void tasks_are_searched_and_come_in_the_order_that_is_asked_for() {
    run("task", "create", "Add login", "--priority", "1");
    run("task", "create", "Remove login", "--priority", "5");
    run("task", "create", "Deploy");
    run("task", "cancel", "T-003");
    assertThat(run("task", "list", "--search", "LOGIN remove").out())
        .contains("T-002")
        .doesNotContain("T-001");
    assertThat(run("task", "list", "--order", "urgent").out().lines().toList().get(1))
        .contains("T-002");
    assertThat(run("task", "list", "--order", "newest").out().lines().toList().get(1))
        .contains("T-003");
    assertThat(run("task", "list", "--status", "cancelled,failed").out())
        .contains("T-003")
        .doesNotContain("T-001");
    assertThat(run("task", "list", "--search", "nowhere").err()).contains("no such tasks");
    assertThat(run("task", "list", "--order", "random").code()).isEqualTo(1);
  }

  @Test
  void without_an_order_held_tasks_come_first_and_ended_ones_last() {
    for (int i = 1; i <= 4; i++) run("task", "create", "t" + i, "--type", i == 3 ? "DOC" : "CODE");
    run("task", "cancel", "T-001");
    run("task", "claim", "--as", "bot", "--type", "DOC");
    assertThat(run("task", "list").out().lines().skip(1).map(line -> line.substring(0, 5)))
        .containsExactly("T-003", "T-002", "T-004", "T-001");
    CliRun first = run("task", "list", "--limit", "2");
    assertThat(first.err()).contains("more: mainstay task list --after 1/T-002");
    assertThat(run("task", "list", "--after", "1/T-002").out().lines().skip(1)).hasSize(2);
  }

  @Test
  void an_unknown_status_is_refused_with_the_filters_that_lists_show() {
    CliRun run = run("task", "list", "--status", "NOPE");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("READY and WAITING", "PENDING", "IN_PROGRESS");
  }

  @Test
  void the_journal_is_whole_in_a_pipe() {
    run("task", "create", "a title that goes on ".repeat(10).strip() + " to its very end");
    assertThat(run("journal").out()).contains("to its very end");
  }

  @Test
  void a_page_in_another_order_goes_on_where_it_ended() {
    for (int i = 0; i < 3; i++) run("task", "create", "t" + i, "--priority", "" + i);
    CliRun first = run("task", "list", "--order", "urgent", "--limit", "2");
    assertThat(first.err()).contains("more: mainstay task list --order urgent --after 1/T-002");
    assertThat(run("task", "list", "--order", "urgent", "--after", "1/T-002").out())
        .contains("T-001")
        .doesNotContain("T-003");
  }

  @Test
  void the_journal_is_searched_by_kind_actor_and_stream() {
    run("task", "create", "one");
    run("task", "create", "two");
    run("task", "cancel", "T-001");
    assertThat(run("journal", "--kind", "task.cancelled").out().lines()).hasSize(1);
    assertThat(run("journal", "--kind", "task", "--limit", "2").out().lines()).hasSize(2);
    assertThat(run("journal", "--actor", "agent", "--since", "start").out().lines()).hasSize(3);
    assertThat(run("journal", "--actor", "person").out()).isEmpty();
    assertThat(run("journal", "--stream", "task/T-001").out().lines()).hasSize(2);
    assertThat(run("journal", "--stream", "task/T-001", "--task", "T-001").code()).isEqualTo(1);
    assertThat(run("journal", "--kind", "task", "--limit", "0").code()).isEqualTo(1);
  }

  @Test
  void a_lease_that_is_too_long_is_refused_with_the_longest() {
    assertThat(run("task", "claim", "--as", "bot", "--lease", "100d").err())
        .contains("a lease lasts between 1 second and 1 day");
    assertThat(run("task", "claim", "--as", "bot", "--lease", "soon").err())
        .contains("invalid length \"soon\"", "90s, 10m, 2h or 1d");
  }

  @Test
  void completion_takes_the_name_of_a_shell_it_serves() {
    assertThat(run("completion", "bash").out()).isEqualTo(run("completion").out()).isNotEmpty();
    CliRun fish = run("completion", "fish");
    assertThat(fish.code()).isEqualTo(1);
    assertThat(fish.err()).contains("expected bash or zsh");
  }
}
