package dev.mainstay.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Both;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalTokenTest {
  @TempDir Path project;

  private LocalToken token() {
    return new LocalToken(project.resolve(".mainstay"), "ada");
  }

  private Path file() {
    return project.resolve(".mainstay/token");
  }

  @Test
  void it_is_made_once_for_its_owner_alone_and_is_not_committed() throws IOException {
    String made = token().get();
    assertThat(token().get()).isEqualTo(made);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    assertThat(file().resolveSibling(".gitignore")).hasContent("*");
    try (var files = Files.list(file().getParent())) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("token", ".gitignore");
    }
  }

  @Test
  void those_who_make_it_at_once_get_the_same() throws Exception {
    Files.createDirectory(project.resolve(".mainstay"));
    assertThat(Both.atOnce(8, () -> token().get()).stream().distinct()).hasSize(1);
  }

  @Test
  void it_is_the_persons_and_ends_when_it_is_rotated() {
    LocalToken token = token();
    String old = token.get();
    Caller caller = token.who(old).orElseThrow();
    assertThat(caller.actor()).isEqualTo(Actor.person("ada"));
    assertThat(token.who(old + "x")).isEmpty();
    String fresh = token.rotate();
    assertThat(fresh).isNotEqualTo(old);
    assertThat(token.who(old)).isEmpty();
    assertThat(token.isAlive(caller.credential())).isFalse();
    assertThat(token.who(fresh)).isPresent();
  }

  @Test
  void one_that_others_may_read_is_refused() throws IOException {
    token().get();
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> token().get())
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("chmod 600");
  }

  @Test
  void a_link_is_refused_wherever_it_leads() throws IOException {
    token().get();
    Path elsewhere = project.resolve("elsewhere");
    Files.move(file(), elsewhere);
    Files.createSymbolicLink(file(), elsewhere);
    assertThatThrownBy(() -> token().get()).hasMessageContaining("not a plain file");
    assertThatThrownBy(() -> token().rotate()).hasMessageContaining("not a plain file");
  }

  @Test
  void an_empty_one_is_refused() throws IOException {
    token().get();
    Files.writeString(file(), "\n");
    assertThatThrownBy(() -> token().get()).hasMessageContaining("is empty");
  }
}
