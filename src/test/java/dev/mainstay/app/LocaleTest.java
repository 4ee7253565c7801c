package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import dev.mainstay.cli.Io.Screen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A machine that writes its digits in Arabic shows and keeps the same texts as any other. */
@Isolated("the locale belongs to the whole process")
class LocaleTest {
  @TempDir Path folder;
  private final Locale before = Locale.getDefault();

  @BeforeEach
  void elsewhere() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    assertThat("%d".formatted(7)).as("digits of the locale").isEqualTo("٧");
  }

  @AfterEach
  void home() {
    Locale.setDefault(before);
  }

  @Test
  void the_whole_demo_has_the_same_digits_everywhere() {
    var out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
    Map<String, String> env = Map.of("USER", "ada");
    Io io = new Io(new ByteArrayInputStream(new byte[0]), stream, stream, env, Screen.PIPE);
    String place = folder.resolve("demo").toString();
    String[] words = {"demo", "--story", "commands", "--dir", place};
    int code = Door.run(words, io, new Wiring(env, folder));
    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("[done] 1. List the endpoints", "T-001 #11")
        .doesNotContainPattern("[\\p{Nd}&&[^0-9]]");
  }
}
