package dev.mainstay.faults;

import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.SecretForms;
import dev.mainstay.domain.UsualLines;
import java.util.Locale;
import java.util.Random;

/**
 * For {@code faults/redaction}: how many random values of each form the redactor lets through, and
 * how many usual lines it changes. Fails if it misses more than one in a hundred of a form.
 */
public final class RedactedForms {
  private static final int VALUES = Integer.getInteger("values", 1_000);
  private static final double MISSED_SHARE_MAX = 0.01;

  private RedactedForms() {}

  public static void main(String[] args) {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    long all = 0;
    long missedOfAll = 0;
    int bad = 0;
    for (SecretForms.Form form : SecretForms.all()) {
      long values = 0;
      long missed = 0;
      for (SecretForms.Kind kind : form.kinds()) {
        for (int i = 0; i < VALUES; i++, values++) {
          String value = form.value(kind, random);
          if (SecretForms.leaks(value, Redactor.DEFAULT.redact(form.with(value)))) missed++;
        }
      }
      boolean tooMany = missed > values * MISSED_SHARE_MAX;
      if (tooMany) bad++;
      if (tooMany || Boolean.getBoolean("examples")) {
        System.out.printf(Locale.ROOT, "%6d of %6d kept: %s%n", missed, values, form.name());
      }
      all += values;
      missedOfAll += missed;
    }
    long changed =
        UsualLines.all().stream()
            .filter(line -> !Redactor.DEFAULT.redact(line).equals(line))
            .count();
    System.out.printf(
        Locale.ROOT,
        "seed %d: %d forms, %d values, %d kept (%.2f %%), %d forms above 1 %%;"
            + " %d usual lines, %d changed%n",
        seed,
        SecretForms.all().size(),
        all,
        missedOfAll,
        100.0 * missedOfAll / all,
        bad,
        UsualLines.all().size(),
        changed);
    if (bad > 0 || changed > 0) System.exit(1);
  }
}
