package dev.mainstay.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.demo.Key.Kind;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys of the bytes of a terminal. */
class KeyboardTest {
  private static final String BEGIN = "\u001b[200~";
  private static final String END = "\u001b[201~";

  private static List<Key> keys(String typed) {
    List<Key> keys = new ArrayList<>();
    byte[] bytes = typed.getBytes(StandardCharsets.UTF_8);
    new Keyboard(keys::add).readAll(new ByteArrayInputStream(bytes));
    assertThat(keys.remove(keys.size() - 1).kind()).isEqualTo(Kind.END);
    return keys;
  }

  @Test
  void what_is_in_brackets_is_text_and_what_is_not_is_keys() {
    String text = "a\r\n\u0003\u001b[2é漢🎉";
    assertThat(keys("é\u001b[A\u001b\u001bOP" + BEGIN + text + END + "\r\u001b[50;200R"))
        .extracting(key -> key.kind() + " " + key.text())
        .containsExactly("TYPED é", "PASTED " + text, "ENTER ", "SIZE 50;200");
  }

  @Test
  void a_paste_of_more_than_a_mebibyte_is_cut_between_two_characters() {
    String most = "x".repeat(Keyboard.PASTE_BYTES_MAX);
    Key whole = keys(BEGIN + most + END).get(0);
    assertThat(whole.kind()).isEqualTo(Kind.PASTED);
    assertThat(whole.text().equals(most)).isTrue();
    for (String more : List.of("y", "é", "漢".repeat(100_000))) {
      List<Key> cut = keys(BEGIN + most.substring(1) + more + "z" + END + "\r");
      assertThat(cut).extracting(Key::kind).containsExactly(Kind.PASTED_CUT, Kind.ENTER);
      assertThat(cut.get(0).text().equals(most.substring(1) + (more.equals("y") ? "y" : "")))
          .as(more.substring(0, 1))
          .isTrue();
    }
  }
}
