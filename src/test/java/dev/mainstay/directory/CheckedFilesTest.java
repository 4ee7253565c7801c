package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.directory.Finding.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckedFilesTest {
  @TempDir Path folder;

  @BeforeEach
  void files() throws IOException {
    Items items =
        Items.EMPTY
            .with("meta/execution_id", "exec_1_2")
            .with("steps", List.of())
            .with("var/known", 1L);
    for (PageName page : PageName.values()) {
      Files.writeString(folder.resolve(page.file()), Page.write(page, items, null));
    }
  }

  private List<String> missing(int references) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < references; i++) text.append("\n{{knwon_%d}}\n".formatted(i));
    Path context = folder.resolve(PageName.CONTEXT.file());
    Files.writeString(context, Files.readString(context) + text);
    return StateDirectories.checkFiles(folder).stream()
        .filter(finding -> finding.kind() == Kind.REFERENCE)
        .map(Finding::sentence)
        .toList();
  }

  @Test
  void of_many_references_that_lead_nowhere_the_first_are_told_and_the_rest_counted()
      throws IOException {
    List<String> told = missing(Inspection.REFERENCES_TOLD_MAX + 480);
    assertThat(told).hasSize(Inspection.REFERENCES_TOLD_MAX + 1);
    assertThat(told.subList(0, Inspection.REFERENCES_TOLD_MAX))
        .allMatch(sentence -> sentence.contains("did you mean \"known\""));
    assertThat(told.get(Inspection.REFERENCES_TOLD_MAX)).contains("480 more references");
  }

  @Test
  void as_many_as_are_told_leave_nothing_to_count() throws IOException {
    assertThat(missing(Inspection.REFERENCES_TOLD_MAX)).hasSize(Inspection.REFERENCES_TOLD_MAX);
  }
}
