package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Typed.Removed;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TypedTest {
  @Test
  void plain_text_stays_as_it_is() {
    String text = "two\nlines\tand 漢字, שלום, 👩‍👩‍👧 and 🏴\udb40\udc67\udb40\udc7f";
    assertThat(Typed.of(text).text()).isEqualTo(text);
    assertThat(Typed.of(text).removed()).isEmpty();
    assertThat(Typed.of(text).removedWords()).isEmpty();
  }

  @Test
  void keys_and_escape_sequences_go_and_are_counted() {
    Typed typed = Typed.of("a\u001b[201~\r\nb\u0003\u007f\u009bc\u0085");
    assertThat(typed.text()).isEqualTo("a[201~\nbc");
    assertThat(typed.removed()).isEqualTo(Map.of(Removed.CONTROLS, 6));
  }

  @Test
  void marks_that_turn_the_direction_go_and_separators_become_newlines() {
    Typed typed = Typed.of("a\u202eb\u2066c\u2028d\u2029e\ud800f\u200eg\u200dh");
    assertThat(typed.text()).isEqualTo("abc\nd\nef\u200eg\u200dh");
    assertThat(typed.removedWords())
        .isEqualTo("2 direction marks, 1 lone surrogates, 2 separators");
  }

  @Test
  void too_much_text_is_refused() {
    String most = "x".repeat(Typed.TYPED_CHARS_MAX);
    assertThat(Typed.of(most).text()).isEqualTo(most);
    assertThatThrownBy(() -> Typed.of(most + "x"))
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(Refusal.Code.TOO_LARGE))
        .hasMessageContaining("102,400");
  }

  @Test
  void bytes_that_are_no_text_are_refused() {
    assertThat(Typed.of("grün".getBytes(StandardCharsets.UTF_8)).text()).isEqualTo("grün");
    assertThatThrownBy(() -> Typed.of(new byte[] {'a', (byte) 0xff}))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void whatever_is_given_nothing_harmful_is_left_and_nothing_else_is_lost() {
    Seeds.forAll(
        2_000,
        random -> {
          String given = anything(random);
          Typed typed = Typed.of(given);
          assertThat(typed.text().chars().filter(c -> c != '\n' && c != '\t'))
              .noneMatch(Character::isISOControl);
          assertThat(Typed.of(typed.text())).isEqualTo(new Typed(typed.text(), Map.of()));
          int gone = typed.removed().values().stream().mapToInt(each -> each).sum();
          int back = typed.removed().getOrDefault(Removed.SEPARATORS, 0);
          assertThat(typed.text().codePoints().count())
              .isEqualTo(given.codePoints().count() - gone + back);
        });
  }

  private static String anything(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(60); i > 0; i--) {
      switch (random.nextInt(4)) {
        case 0 -> text.append((char) random.nextInt(0xa0));
        case 1 -> text.append((char) (0x2000 + random.nextInt(0x80)));
        case 2 -> text.append((char) random.nextInt(0x10000));
        default -> text.appendCodePoint(random.nextInt(0x110000));
      }
    }
    return text.toString();
  }
}
