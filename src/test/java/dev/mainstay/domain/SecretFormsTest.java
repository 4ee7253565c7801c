package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counts what the rules find; {@code faults/redaction} does the same with other values. */
class SecretFormsTest {
  private static final long SEED = Long.getLong("seed", 20_261_119);
  private static final int VALUES = 100;
  private static final int FORMS_MIN = 58;
  private static final int LINES_MIN = 76;

  static List<SecretForms.Form> forms() {
    return SecretForms.all();
  }

  static List<String> lines() {
    return UsualLines.all();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void ninety_nine_of_a_hundred_values_of_each_form_are_redacted(SecretForms.Form form) {
    var random = new Random(SEED ^ form.name().hashCode());
    var kept = new ArrayList<String>();
    for (var kind : form.kinds()) {
      for (int i = 0; i < VALUES; i++) {
        var value = form.value(kind, random);
        var redacted = Redactor.DEFAULT.redact(form.with(value));
        if (SecretForms.leaks(value, redacted)) kept.add(redacted);
        else if (i == 0) assertThat(Redactor.DEFAULT.redact(redacted)).isEqualTo(redacted);
      }
    }
    int keptMax = form.kinds().size() * VALUES / 100;
    assertThat(kept).as("seed %d", SEED).hasSizeLessThanOrEqualTo(keptMax);
  }

  @ParameterizedTest
  @MethodSource("lines")
  void a_usual_line_is_unchanged(String line) {
    assertThat(Redactor.DEFAULT.redact(line)).isEqualTo(line);
  }

  @Test
  void forms_and_lines_are_as_many_as_the_documentation_says() {
    assertThat(SecretForms.all()).hasSizeGreaterThanOrEqualTo(FORMS_MIN).doesNotHaveDuplicates();
    assertThat(UsualLines.all()).hasSizeGreaterThanOrEqualTo(LINES_MIN).doesNotHaveDuplicates();
  }

  @Test
  void a_checksum_tells_an_address_from_a_key() {
    assertThat(PublicIds.isCoinAddress("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")).isTrue();
    assertThat(PublicIds.isCoinAddress("1A1zP1eP5QGefi2D" + "MPTfTL5SLmv7DivfNb")).isFalse();
    var random = new Random(SEED);
    for (int i = 0; i < 1_000; i++) {
      var key =
          "1" + SecretSamples.token(random, SecretSamples.CAPITALS.replaceAll("[IO]", "2"), 33);
      assertThat(PublicIds.isCoinAddress(key)).as(key).isFalse();
    }
    assertThat(PublicIds.isKsuid("0ujtsYcgvSTl8PAuAdqWYSMnLOv")).isTrue();
    assertThat(PublicIds.isKsuid("aWgEPTl1tmebfs" + "QzFP4bxwgy80V")).isFalse();
  }
}
