package dev.mainstay.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.demo.ApiBoard.Look;
import dev.mainstay.demo.ApiBoard.Row;
import dev.mainstay.demo.ApiBoard.Scene;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiBoardTest {
  private static final Scene SCENE =
      new Scene(
          List.of(
              new Row("code_supervisor-1a2b3c", "idle", "", 0, 0),
              new Row("developer-1a2b3c", "at work", "T-004 DELETE /users/:id", 1, 3),
              new Row("developer-4d5e6f", "killed", "", 0, 0)),
          3,
          6,
          9);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private String shown(Look look) {
    ApiBoard board = new ApiBoard(out, look);
    board.chapter("One of them is killed.");
    board.show(SCENE);
    board.say("developer-1a2b3c completes T-004: DELETE /users/:id, and this goes on for long");
    board.show(SCENE);
    board.end();
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 80, 100})
  void on_a_terminal_no_row_is_wider_than_it(int columns) {
    String shown = shown(new Look(true, columns, true));
    String plain = shown.replaceAll("\u001b\\[[0-9;?]*[A-Za-z]", "");
    assertThat(plain.split("\r\n|\r"))
        .allSatisfy(row -> assertThat(Columns.width(row)).isLessThan(columns));
    assertThat(plain).contains("■■■■■■□□□□□□  3 of 6", "developer-4d5e6f        killed");
  }

  @Test
  void on_a_pipe_there_are_only_the_lines() {
    assertThat(shown(new Look(false, 80, false)))
        .startsWith("\nOne of them is killed.\n")
        .endsWith(
            " s  developer-1a2b3c completes T-004: DELETE /users/:id, and this goes on for long\n")
        .doesNotContain("\u001b", "■", "\r");
  }

  @ParameterizedTest
  @EnumSource(Endpoint.class)
  void the_reviewer_approves_whole_code_and_neither_a_half_nor_another(Endpoint endpoint) {
    String code = endpoint.code();
    assertThat(endpoint.faultsOf(code)).isEmpty();
    assertThat(endpoint.faultsOf(code.substring(0, code.length() / 2))).isNotEmpty();
    for (Endpoint other : Endpoint.values()) {
      if (other != endpoint) assertThat(endpoint.faultsOf(other.code())).isNotEmpty();
    }
  }
}
