package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresProgramsTest {
  @TempDir Path home;
  private Path program;
  private Path link;

  @BeforeEach
  void unpackAPart() throws IOException {
    Path lib = Files.createDirectories(home.resolve("PG-1/lib"));
    program = Files.writeString(lib.resolve("libpq.so.5.18"), "");
    link = Files.createSymbolicLink(lib.resolve("libpq.so"), Path.of("nowhere"));
  }

  @Test
  void what_a_killed_process_left_half_unpacked_is_taken_away() throws IOException {
    PostgresPrograms.tidy(home);
    assertThat(program).doesNotExist();
    assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isFalse();
    assertThat(home.resolve("PG-1")).exists();
  }

  @Test
  void what_is_whole_stays() throws IOException {
    Files.createFile(home.resolve("PG-1/.exists"));
    PostgresPrograms.tidy(home);
    assertThat(program).exists();
  }

  @Test
  void what_somebody_is_unpacking_stays() throws IOException {
    Path lock = home.resolve("PG-1/epg-lock");
    try (FileChannel channel =
        FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.lock();
      PostgresPrograms.tidy(home);
    }
    assertThat(program).exists();
  }

  @Test
  void a_machine_on_which_nothing_was_unpacked_is_left_as_it_is() throws IOException {
    PostgresPrograms.tidy(home.resolve("embedded-pg"));
    assertThat(home.resolve("embedded-pg")).doesNotExist();
  }
}
