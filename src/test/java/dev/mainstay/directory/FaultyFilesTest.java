package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.directory.Finding.Kind;
import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files that cannot be understood: what was known holds, and the other four go on. */
@Timeout(300)
class FaultyFilesTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnDirectory {
    private static final int CUTS_A_FILE = 30;
    private static final int FLIPS = Integer.getInteger("flips", 200);

    Contract(Databases database) {
      super(database);
    }

    private void full(ExecutionMode mode) throws IOException {
      begun(mode);
      states.addDirective(task(), "Be quick", false, BOT);
      done(1, "powder");
      sync();
      edit(PageName.CONTEXT, "## Decision Rationale\n", "## Decision Rationale\nBecause.\n\nSo.\n");
      edit(PageName.VARIABLES, "\"flags\": {}", "\"flags\": {\"hot\": true, \"cups\": [1, 2]}");
      quiet();
      settled();
    }

    /** The file is as it is after the look, and the store as it was before. */
    private Finding leftAlone(PageName page, Dossier before) throws IOException {
      byte[] saved = Files.readAllBytes(file(page));
      Report report = sync();
      assertThat(report.findings()).allMatch(finding -> finding.file().equals(page.file()));
      assertThat(Files.readAllBytes(file(page))).isEqualTo(saved);
      assertThat(view().dossier()).isEqualTo(before);
      Finding fault = found(report, Kind.FAULT);
      assertThat(fault.line()).isNotNull();
      assertThat(fault.sentence()).matches("(?s)column \\d+: .*");
      return fault;
    }

    private void cut(ExecutionMode mode, PageName... pages) throws IOException {
      full(mode);
      Dossier before = view().dossier();
      int stride = database() == Databases.SQLITE ? 1 : 7; // the same code, but a slower database
      for (PageName page : pages) {
        byte[] whole = Files.readAllBytes(file(page));
        for (int cut = 0; cut < CUTS_A_FILE; cut += stride) {
          cutAt(page, whole, (int) ((long) whole.length * cut / CUTS_A_FILE), before);
        }
        // Where a line ends the rest reads like a file of its own.
        int line = 0;
        for (int at = 0; at < whole.length - 1; at++) {
          if (whole[at] == '\n' && line++ % stride == 0) cutAt(page, whole, at + 1, before);
        }
        Files.write(file(page), Arrays.copyOf(whole, whole.length - 1));
        quiet();
        Files.write(file(page), whole);
        quiet();
        assertThat(view().dossier().state().plan()).isEqualTo(before.state().plan());
        before = view().dossier();
      }
    }

    private void cutAt(PageName page, byte[] whole, int at, Dossier before) throws IOException {
      Files.write(file(page), Arrays.copyOf(whole, at));
      String rest = new String(whole, at, whole.length - at, StandardCharsets.UTF_8);
      if (rest.isBlank()) return;
      Finding fault = leftAlone(page, before);
      long lines =
          new String(whole, 0, at, StandardCharsets.UTF_8).chars().filter(c -> c == '\n').count();
      assertThat(fault.line()).isBetween(1, (int) lines + 1);
    }

    @Test
    void a_file_that_is_cut_off_anywhere_takes_nothing_away() throws Exception {
      cut(ExecutionMode.EXECUTION, PageName.values());
    }

    @Test
    void a_bit_that_flips_or_an_end_that_is_gone_is_told_and_nothing_is_changed_by_looking()
        throws Exception {
      full(ExecutionMode.EXECUTION);
      Dossier before = view().dossier();
      assertThat(directories.changedFiles()).isEmpty();
      Seeds.forAll(
          database() == Databases.SQLITE ? FLIPS : FLIPS / 10,
          random -> {
            PageName page = PageName.values()[random.nextInt(PageName.values().length)];
            byte[] whole = Files.readAllBytes(file(page));
            int at = random.nextInt(whole.length);
            byte[] changed = random.nextInt(4) == 0 ? Arrays.copyOf(whole, at) : whole.clone();
            if (changed.length == whole.length) changed[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file(page), changed);
            assertThat(directories.changedFiles())
                .isNotEmpty()
                .allMatch(found -> found.file().equals(file(page).toString()));
            assertThat(Files.readAllBytes(file(page))).isEqualTo(changed);
            Files.write(file(page), whole);
          });
      assertThat(directories.changedFiles()).isEmpty();
      assertThat(view().dossier()).isEqualTo(before);
    }

    @Test
    void nor_does_the_history_of_a_simulation() throws Exception {
      cut(ExecutionMode.SIMULATION, PageName.HISTORY);
    }

    @Test
    void while_one_file_is_faulty_the_other_four_go_on_and_then_it_catches_up() throws Exception {
      full(ExecutionMode.EXECUTION);
      String whole = text(PageName.PLAN);
      save(PageName.PLAN, whole.substring(0, whole.length() / 2));
      edit(PageName.CONSTRAINTS, "**max_web_requests**: 5", "**max_web_requests**: 4");
      done(2, "steam");
      Report report = sync();
      assertThat(report.written())
          .contains("history.md", "variables.json")
          .doesNotContain("plan.md");
      assertThat(text(PageName.HISTORY)).contains("### Step 2 Execution");
      assertThat(execution().setting(Setting.MAX_WEB_REQUESTS)).isEqualTo(4L);
      save(PageName.PLAN, whole.replace("### Step 3: pour", "### Step 3: serve"));
      quiet();
      assertThat(labels()).containsExactly("grind", "boil", "serve");
      assertThat(plan().step(1).status()).isEqualTo(StepStatus.DONE);
      assertThat(text(PageName.PLAN).split("COMPLETED\n", -1)).hasSize(3);
      settled();
    }

    @Test
    void bad_json_is_told_with_line_and_column() throws Exception {
      full(ExecutionMode.EXECUTION);
      Dossier before = view().dossier();
      edit(PageName.VARIABLES, "\"hot\": true,", "\"hot\": treu,");
      Finding fault = leftAlone(PageName.VARIABLES, before);
      String line = lineOf(fault);
      assertThat(line).contains("treu");
      int column = Integer.parseInt(fault.sentence().replaceAll("(?s)column (\\d+).*", "$1"));
      assertThat(column).isBetween(line.indexOf("treu") + 1, line.indexOf("treu") + 6);
      assertThat(directories.check(folder)).anyMatch(finding -> finding.equals(fault));
    }

    @Test
    void bytes_that_are_no_text_are_told_with_line_and_column() throws Exception {
      full(ExecutionMode.EXECUTION);
      Dossier before = view().dossier();
      for (PageName page : PageName.values()) {
        byte[] whole = Files.readAllBytes(file(page));
        byte[] broken = whole.clone();
        int at = text(page).indexOf("\n") + 3;
        broken[at] = (byte) 0xC3;
        broken[at + 1] = '(';
        Files.write(file(page), broken);
        Finding fault = leftAlone(page, before);
        assertThat(fault.line()).isEqualTo(text(fault.file(), at));
        assertThat(fault.sentence()).contains("UTF-8");
        Files.write(file(page), whole);
        quiet();
      }
    }

    private int text(String name, int at) throws IOException {
      byte[] all = Files.readAllBytes(folder.resolve(name));
      String before = StandardCharsets.ISO_8859_1.decode(ByteBuffer.wrap(all, 0, at)).toString();
      return (int) before.chars().filter(c -> c == '\n').count() + 1;
    }

    @Test
    void a_file_that_is_too_large_is_left_alone() throws Exception {
      full(ExecutionMode.EXECUTION);
      Dossier before = view().dossier();
      save(PageName.CONTEXT, text(PageName.CONTEXT) + "x".repeat(2 * 1024 * 1024));
      assertThat(leftAlone(PageName.CONTEXT, before).sentence()).contains("1,048,576");
    }

    @Test
    void a_folder_in_a_file_s_place_is_left_alone() throws Exception {
      full(ExecutionMode.EXECUTION);
      Files.delete(file(PageName.PLAN));
      Files.createDirectory(file(PageName.PLAN));
      inTheWay(PageName.PLAN);
      assertThat(file(PageName.PLAN)).isDirectory();
      Files.delete(file(PageName.PLAN));
    }

    @Test
    void a_link_in_a_file_s_place_is_neither_followed_nor_replaced() throws Exception {
      full(ExecutionMode.EXECUTION);
      Path elsewhere = temp.resolve("elsewhere.md");
      Files.move(file(PageName.CONTEXT), elsewhere);
      String content = Files.readString(elsewhere);
      Files.createSymbolicLink(file(PageName.CONTEXT), elsewhere);
      inTheWay(PageName.CONTEXT);
      assertThat(Files.isSymbolicLink(file(PageName.CONTEXT))).isTrue();
      assertThat(elsewhere).hasContent(content);
    }

    @Test
    void a_pipe_in_a_file_s_place_is_not_waited_for() throws Exception {
      full(ExecutionMode.EXECUTION);
      Files.delete(file(PageName.HISTORY));
      Process made = new ProcessBuilder("mkfifo", file(PageName.HISTORY).toString()).start();
      assertThat(made.waitFor(30, TimeUnit.SECONDS)).isTrue();
      inTheWay(PageName.HISTORY);
      assertThat(Files.isRegularFile(file(PageName.HISTORY), LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    /** The file cannot be read; the others are, and the store is what it was. */
    private void inTheWay(PageName page) throws IOException {
      Dossier before = view().dossier();
      Map<String, String> shown = contents();
      Report report = sync();
      Finding fault = found(report, Kind.FAULT);
      assertThat(fault.file()).isEqualTo(page.file());
      assertThat(view().dossier()).isEqualTo(before);
      assertThat(contents()).isEqualTo(shown);
      edit(PageName.CONSTRAINTS, "**max_web_requests**: 5", "**max_web_requests**: 4");
      assertThat(found(sync(), Kind.FAULT)).isEqualTo(fault);
      assertThat(execution().setting(Setting.MAX_WEB_REQUESTS)).isEqualTo(4L);
      assertThat(directories.check(folder)).contains(fault);
    }

    @Test
    void a_lock_that_is_a_link_is_refused() throws Exception {
      full(ExecutionMode.EXECUTION);
      Files.delete(folder.resolve(".mainstay.lock"));
      Path elsewhere = Files.writeString(temp.resolve("elsewhere"), "mine");
      Files.createSymbolicLink(folder.resolve(".mainstay.lock"), elsewhere);
      refused(Refusal.Code.INVALID, this::sync, "is a link");
      assertThat(elsewhere).hasContent("mine");
    }
  }
}
