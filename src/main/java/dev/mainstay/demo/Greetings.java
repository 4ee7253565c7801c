package dev.mainstay.demo;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.json.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The story "hello": a program that greets in many languages. Each file is written once and then
 * checked a number of times; the plan has one step for each of both.
 */
record Greetings(int files, int checks) {
  static final String STORY = "hello-001";
  static final int FILES_MIN = 3;
  static final int FILES_MAX = 40;

  private static final List<String> WORDS =
      List.of(
          "en Hello",
          "fr Bonjour",
          "de Hallo",
          "es Hola",
          "it Ciao",
          "pt Olá",
          "nl Hoi",
          "sv Hej",
          "fi Hei",
          "pl Cześć",
          "cs Ahoj",
          "sk Ahoj",
          "hu Szia",
          "ro Salut",
          "el Γεια",
          "ru Привет",
          "uk Привіт",
          "bg Здравей",
          "sr Здраво",
          "hr Bok",
          "sl Živjo",
          "tr Merhaba",
          "ar مرحبا",
          "he שלום",
          "fa سلام",
          "hi नमस्ते",
          "bn হ্যালো",
          "ta வணக்கம்",
          "th สวัสดี",
          "vi Xin",
          "id Halo",
          "ja こんにちは",
          "ko 안녕",
          "zh 你好",
          "sw Jambo",
          "eo Saluton",
          "la Salve");

  Greetings {
    if (files < FILES_MIN || files > FILES_MAX || checks < 1) {
      throw new IllegalArgumentException(files + " files, " + checks + " checks");
    }
  }

  /** As the story is told by default: short enough to watch. */
  static final Greetings SHORT = new Greetings(8, 4);

  /** So long that a thousand turns do not end it early. */
  static final Greetings LONG = new Greetings(FILES_MAX, 24);

  /** Every file with the content it shall have, in the order in which they are written. */
  Map<String, String> contents() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("go.mod", "module example.com/hello\n\ngo 1.22\n");
    all.put("cmd/main.go", MAIN);
    all.put("README.md", Phrase.of("# Hello\n\nGreets in %d languages.\n", files - FILES_MIN));
    for (String word : WORDS.subList(0, files - FILES_MIN)) {
      String code = word.substring(0, 2);
      all.put(
          "greetings/" + code + ".json",
          JsonText.write(JsonObject.of("language", code, "greeting", word.substring(3))) + "\n");
    }
    return all;
  }

  private static final String MAIN =
      """
      package main

      import (
      \t"fmt"
      \t"os"
      )

      func main() {
      \tname := "world"
      \tif len(os.Args) > 1 {
      \t\tname = os.Args[1]
      \t}
      \tfmt.Printf("Hello, %s!\\n", name)
      }
      """;

  static String writeStep(String path) {
    return "Write " + path;
  }

  static String checkStep(String path) {
    return "Check " + path;
  }

  List<String> steps() {
    List<String> steps = new ArrayList<>();
    for (String path : contents().keySet()) {
      steps.add(writeStep(path));
      steps.add(checkStep(path));
    }
    return steps;
  }

  /** A prompt's first part, with the specification of every file. */
  String template() {
    StringBuilder text = new StringBuilder(RULES);
    contents().keySet().forEach(path -> text.append("- ").append(path).append('\n'));
    return text.toString();
  }

  private static final String RULES =
      """
      You are a coder agent. Use TOOL CALLS ONLY. Never output explanatory text.

      Tools:
      - write_file(path, content): writes a file of the workspace.
      - check_file(path): checks a file that was written; a file counts as checked when the tool says so.
      - done(): ends the story. It is refused while something is left to do.

      The story: a command line program in Go that greets its user, with its greetings in JSON files, one for each
      language. Write each of these files and check it until it counts as checked:
      """;

  /** What a check prints: as long-winded as build and test tools are. */
  String checkLog(String path, int number) {
    StringBuilder log = new StringBuilder();
    log.append(Phrase.of("=== CHECK %s (%d of %d)\n", path, number, checks));
    for (int i = 1; i <= 36; i++) {
      log.append(
          Phrase.of(
              "--- PASS: rule %02d of %s: well-formed, encoded as UTF-8, line ends as agreed (0.%02ds)\n",
              i, path, (i * 7 + number) % 60));
    }
    boolean last = number >= checks;
    log.append(last ? "checked: " + path + "\n" : "not all checks ran yet: " + path + "\n");
    return log.toString();
  }
}
