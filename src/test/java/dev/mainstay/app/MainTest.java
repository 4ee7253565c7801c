package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MainTest {
  private static String told(Throwable fault) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(Main.told(fault, new PrintStream(err, true, StandardCharsets.UTF_8))).isEqualTo(70);
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whoever_lacks_memory_is_told_how_to_give_more() {
    assertThat(told(new OutOfMemoryError("Java heap space")))
        .contains("MAINSTAY_JAVA_OPTS=-Xmx1g")
        .hasLineCount(1);
  }

  @Test
  void a_bug_is_told_with_its_place() {
    assertThat(told(new IllegalStateException("odd")))
        .contains("please report", "odd", "MainTest")
        .hasSizeGreaterThan(200);
  }
}
