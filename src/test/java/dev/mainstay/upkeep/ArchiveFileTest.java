package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Raw;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ArchiveFileTest extends OnRetention {
  ArchiveFileTest() {
    super(Databases.SQLITE);
  }

  @BeforeEach
  void anArchive() {
    done();
    done();
    timePasses();
    // Long enough for several parts, and so that a part would end in the middle of a character.
    Raw.run(
        store,
        """
        INSERT INTO task_artifacts (task_id, artifact_type, content)
        VALUES ('T-001', 'TEXT', 'xx' || replace(hex(zeroblob(150000)), '0', 'a🙂'))""");
    gc();
  }

  private void refused(byte[] bytes, String as) throws IOException {
    Path copy = folder.resolve("copy");
    Files.write(copy, bytes);
    assertThatThrownBy(() -> ArchiveFile.read(copy, ArchiveFile.Reader.NOBODY))
        .as(as)
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("no sound archive");
  }

  private List<String> lines() throws IOException {
    byte[] packed = Files.readAllBytes(file());
    try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static byte[] packed(List<String> lines) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      for (String line : lines) out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void a_text_that_is_too_long_for_a_line_comes_back_whole() {
    List<String> contents = new ArrayList<>();
    ArchiveFile.read(
        file(),
        new ArchiveFile.Reader() {
          @Override
          public void row(JsonObject row) {
            if (row.text("table").equals("task_artifacts"))
              contents.add(row.object("values").text("content"));
          }
        });
    assertThat(contents).containsExactly("xx" + "a🙂".repeat(300_000));
  }

  @Test
  void every_line_is_json_of_bounded_length() throws IOException {
    assertThat(lines()).allSatisfy(line -> assertThat(JsonText.object(line).has("line")).isTrue());
    assertThat(lines()).allMatch(line -> line.length() < 1_000_000);
  }

  @Test
  void a_file_cut_off_anywhere_is_refused() throws IOException {
    byte[] whole = Files.readAllBytes(file());
    for (int length = 0; length < whole.length; length += Math.max(1, whole.length / 60)) {
      refused(Arrays.copyOf(whole, length), "cut at " + length);
    }
    refused(Arrays.copyOf(whole, whole.length - 1), "cut by one byte");
  }

  @Test
  void a_file_that_goes_on_after_its_end_is_refused() throws IOException {
    byte[] whole = Files.readAllBytes(file());
    refused(Arrays.copyOf(whole, whole.length + 1), "one byte more");
    refused(Arrays.copyOf(whole, whole.length + 100_000), "many bytes more");
    byte[] twice = Arrays.copyOf(whole, 2 * whole.length);
    System.arraycopy(whole, 0, twice, whole.length, whole.length);
    refused(twice, "twice");
  }

  @Test
  void a_line_that_is_missing_doubled_or_changed_is_refused() throws IOException {
    List<String> lines = lines();
    for (int i = 0; i < lines.size(); i++) {
      List<String> fewer = new ArrayList<>(lines);
      fewer.remove(i);
      refused(packed(fewer), "without line " + i);
      List<String> more = new ArrayList<>(lines);
      more.add(i, lines.get(i));
      refused(packed(more), "with line " + i + " twice");
      List<String> other = new ArrayList<>(lines);
      other.set(i, lines.get(i).replaceFirst("(\\d)(?=\\D)", "7$1"));
      if (!other.equals(lines)) refused(packed(other), "another line " + i);
    }
  }

  @Test
  void something_else_is_refused_and_so_is_nothing() throws IOException {
    refused("hello".getBytes(StandardCharsets.UTF_8), "text");
    refused(packed(List.of()), "empty");
    refused(packed(List.of("{\"line\":\"row\"}")), "no header");
    assertThatThrownBy(() -> ArchiveFile.read(folder.resolve("none"), ArchiveFile.Reader.NOBODY))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("there is no archive");
  }
}
