package dev.mainstay;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.testutil.TestResources;
import org.commonmark.testutil.example.Example;
import org.commonmark.testutil.example.ExampleReader;

/** Texts that others collected because programs choke on them. */
public final class Corpora {
  private Corpora() {}

  /** One case of JSONTestSuite; its name begins with what must become of it: y, n or i. */
  public record Case(String name, String input) {
    public boolean isValid() {
      return name.startsWith("y_");
    }

    public boolean isInvalid() {
      return name.startsWith("n_");
    }
  }

  private static String read(String name) {
    try (InputStream in = Corpora.class.getResourceAsStream("/corpora/" + name)) {
      if (in == null) throw new IllegalStateException(name + " is missing");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  public static List<String> naughtyStrings() {
    return JsonText.list(read("naughty-strings.json")).stream().map(String::valueOf).toList();
  }

  public static List<String> commonMark() {
    return ExampleReader.readExamples(TestResources.getSpec()).stream()
        .map(Example::getSource)
        .toList();
  }

  public static List<Case> json() {
    List<Case> cases = new ArrayList<>();
    for (String line : read("json-test-suite.jsonl").lines().toList()) {
      JsonObject json = JsonText.object(line);
      cases.add(new Case(json.text("name"), json.text("input")));
    }
    cases.add(new Case("n_structure_100000_opening_arrays", "[".repeat(100_000)));
    cases.add(new Case("n_structure_open_array_object", "[{\"\":".repeat(50_000)));
    return cases;
  }
}
