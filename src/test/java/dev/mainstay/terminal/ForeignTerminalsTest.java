package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForeignTerminalsTest {
  @TempDir Path folder;

  @Test
  void a_store_from_elsewhere_names_no_tmux_socket_but_its_own() {
    TmuxSocket own = TmuxSocket.at(folder.resolve("s"));
    String persons = folder.resolve("tmux-1000/default").toString();
    try (TerminalHost host = new TerminalHost("here", own, folder.resolve("run"), false)) {
      var window = new Seat.Window("here", persons, "0", "bash");
      assertThatThrownBy(() -> host.tmuxOf(window))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("not one of this store");
    }
  }
}
