package dev.mainstay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Corpora;
import dev.mainstay.Corpora.Case;
import dev.mainstay.domain.Refusal;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JsonSuiteTest {
  /** Valid, and refused nevertheless: a key twice would lose one of its values. */
  private static final Set<String> REFUSED_ON_PURPOSE =
      Set.of("y_object_duplicated_key", "y_object_duplicated_key_and_value");

  private static String written(Case each) {
    String text = each.input().strip();
    if (text.startsWith("{")) return JsonText.write(JsonText.object(each.input()));
    return JsonText.write(JsonText.list(each.input()));
  }

  private static boolean isScalar(Case each) {
    String text = each.input().strip();
    return !text.startsWith("[") && !text.startsWith("{");
  }

  @Test
  void what_is_valid_is_read_and_written_again_the_same() {
    List<Case> valid =
        Corpora.json().stream()
            .filter(Case::isValid)
            .filter(each -> !isScalar(each) && !REFUSED_ON_PURPOSE.contains(each.name()))
            .toList();
    assertThat(valid).hasSizeGreaterThan(80);
    for (Case each : valid) {
      String once = written(each);
      Case again = new Case(each.name(), once);
      assertThat(written(again)).as(each.name()).isEqualTo(once);
    }
  }

  @Test
  void what_is_invalid_or_no_object_is_refused_with_a_sentence() {
    List<Case> cases = Corpora.json();
    assertThat(cases.stream().filter(Case::isInvalid)).hasSizeGreaterThan(180);
    for (Case each : cases) {
      boolean refused =
          each.isInvalid()
              || REFUSED_ON_PURPOSE.contains(each.name())
              || (each.isValid() && isScalar(each));
      if (!refused) continue;
      assertThatThrownBy(() -> written(each)).as(each.name()).isInstanceOf(Refusal.class);
    }
  }

  @Test
  void what_nobody_prescribes_is_read_or_refused() {
    for (Case each : Corpora.json()) {
      try {
        written(each);
      } catch (Refusal no) {
        assertThat(no.sentence()).as(each.name()).isNotBlank();
      }
    }
  }
}
