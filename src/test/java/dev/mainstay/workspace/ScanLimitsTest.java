package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.domain.ScannedFile;
import dev.mainstay.workspace.LeftOut.Reason;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ScanLimitsTest extends OnFiles {
  private static final long MANY = Long.MAX_VALUE / 2;

  @Test
  void a_scan_holds_no_more_files_than_it_may_and_keeps_those_it_has() throws IOException {
    for (int i = 0; i < 30; i++) create("f" + i, "d/f" + i);
    index = index(limits(10, MANY, MANY, 9));
    ScanResult first = index.refresh();
    assertThat(first.added()).hasSize(10);
    assertThat(first.leftOut().count(Reason.TOO_MANY)).isPositive();
    assertThat(first.leftOut().sentence()).contains("beyond the number of files a scan may hold");
    ScanResult again = index.refresh();
    assertThat(again.isNothing()).isTrue();
    String held = paths().get(0);
    Files.delete(root.resolve(held));
    assertThat(paths(index.refresh().gone())).containsExactly(held);
    assertThat(index.refresh().added()).hasSize(1);
  }

  @Test
  void folders_are_counted_as_well() throws IOException {
    for (int i = 0; i < 30; i++) Files.createDirectory(root.resolve("d" + i));
    index = index(limits(10, MANY, MANY, 9));
    assertThat(index.refresh().leftOut().count(Reason.TOO_MANY)).isPositive();
  }

  @Test
  void what_is_too_deep_is_counted() throws IOException {
    create("1", "a/2", "a/b/3", "a/b/c/4");
    index = index(limits(99, MANY, MANY, 2));
    for (int i = 0; i < 2; i++) { // told each time, not only when it is found
      String told = index.refresh().leftOut().sentence();
      assertThat(told).isEqualTo("Not looked at in full: 1 too deep (a/b).");
    }
    assertThat(paths()).containsExactly("1", "a/2");
  }

  @Test
  void a_file_too_large_is_known_without_a_hash() throws IOException {
    write("large", "12345678901");
    write("small", "1234567890");
    index = index(limits(99, 10, MANY, 9));
    for (int i = 0; i < 2; i++) {
      ScanResult result = index.refresh();
      assertThat(result.leftOut().count(Reason.TOO_LARGE)).isEqualTo(1);
      assertThat(index.files().iterator().next().hash()).isNull();
    }
    assertThat(index.refresh().isNothing()).isTrue();
    write("large", "now short");
    assertThat(told(index.refresh())).isEqualTo("added [], changed [large], gone []");
    assertThat(index.files()).extracting(ScannedFile::hash).doesNotContainNull();
  }

  @Test
  void a_sparse_file_of_ten_gigabytes_is_not_read() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(root.resolve("huge").toFile(), "rw")) {
      file.setLength(10L << 30);
    }
    ScanResult result = index.refresh();
    assertThat(result.work()).isEqualTo(new ScanResult.Work(1, 0, 0));
    assertThat(result.leftOut().sentence())
        .isEqualTo("Not looked at in full: 1 too large to hash (huge).");
  }

  @Test
  void what_the_bytes_of_one_scan_did_not_reach_the_next_ones_do() throws IOException {
    for (int i = 0; i < 10; i++) write("f" + i, "1234567890");
    index = index(limits(99, MANY, 35, 9));
    ScanResult first = index.refresh();
    assertThat(first.added()).hasSize(10);
    assertThat(first.work().filesHashed()).isEqualTo(3);
    assertThat(first.leftOut().count(Reason.BYTES)).isEqualTo(7);
    assertThat(index.refresh().changed()).hasSize(3);
    assertThat(index.refresh().changed()).hasSize(3);
    ScanResult last = index.refresh();
    assertThat(last.changed()).hasSize(1);
    assertThat(last.leftOut().isNothing()).isTrue();
    assertThat(index.refresh().isNothing()).isTrue();
  }

  @Test
  void a_hash_in_doubt_that_there_are_no_bytes_to_check_stands() throws IOException {
    for (int i = 0; i < 3; i++) write("f" + i, "1234567890");
    index.refresh();
    List<ScannedFile> rows = List.copyOf(index.files());
    index = index(limits(99, MANY, 15, 9));
    index.load(rows);
    ScanResult verified = index.verify();
    assertThat(verified.isNothing()).isTrue();
    assertThat(verified.leftOut().count(Reason.BYTES)).isEqualTo(2);
    assertThat(index.files()).extracting(ScannedFile::hash).doesNotContainNull();
  }

  @Test
  void without_time_nothing_is_looked_at_and_nothing_forgotten() throws IOException {
    create("a", "b/c");
    index.refresh();
    List<ScannedFile> rows = List.copyOf(index.files());
    index = index(new ScanLimits(99, MANY, MANY, 9, Duration.ZERO));
    index.load(rows);
    create("new");
    ScanResult result = index.refresh();
    assertThat(result.isNothing()).isTrue();
    assertThat(result.leftOut().count(Reason.TIME)).isPositive();
    assertThat(paths()).containsExactly("a", "b/c");
  }

  @Test
  void a_thread_that_hangs_is_left_behind() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Crew crew = new Crew(1);
    crew.add(
        () -> {
          try {
            never.await();
          } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
          }
        });
    assertThat(crew.finish(TimeUnit.MILLISECONDS.toNanos(1))).isEqualTo(1);
  }

  @Test
  void names_that_cannot_be_written_down_are_counted_and_spelt_out() throws Exception {
    create("fine", "with space", "ünïcode/日本");
    Files.writeString(root.resolve("new\nline"), "x");
    Files.writeString(root.resolve("esc\u001b[31m"), "x");
    Files.createDirectory(root.resolve("right\u202eleft"));
    ScanResult result = index.refresh();
    assertThat(paths()).containsExactly("fine", "with space", "ünïcode/日本");
    assertThat(result.leftOut().count(Reason.ODD_NAME)).isEqualTo(3);
    assertThat(result.leftOut().sentence()).contains("new\\u000aline", "esc\\u001b[31m");
  }

  @Test
  void a_name_that_is_no_text_does_not_end_the_scan() throws Exception {
    create("fine");
    Process made =
        new ProcessBuilder("sh", "-c", "printf x > \"$(printf 'bad\\377name')\"")
            .directory(root.toFile())
            .start();
    assumeTrue(made.waitFor() == 0, "the disk takes no such name");
    ScanResult result = index.refresh();
    assertThat(paths()).containsExactly("fine");
    assertThat(result.leftOut().count(Reason.ODD_NAME)).isEqualTo(1);
  }

  @Test
  void pipes_are_never_opened() throws Exception {
    create("fine");
    Process made = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
    assumeTrue(made.waitFor() == 0);
    assertThat(told(index.refresh())).isEqualTo("added [fine], changed [], gone []");
    assertThat(told(look("pipe"))).isEqualTo("added [], changed [], gone []");
  }

  @Test
  void what_cannot_be_read_is_counted_and_what_was_known_stands() throws IOException {
    assumeFalse("root".equals(System.getProperty("user.name")), "root reads everything");
    create("a/b", "c");
    index.refresh();
    Files.setPosixFilePermissions(root.resolve("a"), PosixFilePermissions.fromString("---------"));
    Files.setPosixFilePermissions(write("d", "x"), PosixFilePermissions.fromString("---------"));
    try {
      ScanResult result = index.refresh();
      assertThat(told(result)).isEqualTo("added [d], changed [], gone []");
      assertThat(result.leftOut().count(Reason.UNREADABLE)).isGreaterThanOrEqualTo(2);
    } finally {
      Files.setPosixFilePermissions(
          root.resolve("a"), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    assertThat(paths()).containsExactly("a/b", "c", "d");
  }

  @Test
  void the_files_of_the_store_are_never_opened_by_whatever_name() throws IOException {
    Path database = write("data/state.sqlite3", "database");
    Path log = root.resolve("data/state.sqlite3-wal");
    Files.createLink(root.resolve("other-name"), database);
    create("data/fine");
    index = index(ScanLimits.DEFAULT, database, log);
    ScanResult result = index.refresh();
    assertThat(told(result)).isEqualTo("added [data/fine], changed [], gone []");
    assertThat(result.work().filesHashed()).isEqualTo(1);
    Files.writeString(log, "log");
    assertThat(index.verify().work().filesHashed()).isEqualTo(1);
    assertThat(told(look("data/state.sqlite3", "other-name")))
        .isEqualTo("added [], changed [], gone []");
  }

  @Test
  void a_folder_with_very_many_files_is_shared_out() throws IOException {
    for (int i = 0; i < 1_500; i++) {
      Files.write(root.resolve("f" + i), Integer.toString(i).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(index.refresh().work().filesHashed()).isEqualTo(1_500);
    write("f700", "other");
    Files.delete(root.resolve("f1400"));
    ScanResult result = index.refresh();
    assertThat(told(result)).isEqualTo("added [], changed [f700], gone [f1400]");
    assertThat(index.files()).hasSize(1_499).extracting(ScannedFile::hash).doesNotHaveDuplicates();
  }
}
