package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.StateDirectory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageNameTest {
  @Test
  void what_the_tracker_passes_over_is_the_five_files_and_the_lock() {
    List<String> files = new ArrayList<>();
    for (PageName page : PageName.values()) files.add(page.file());
    files.add(StateDirectory.LOCK);
    assertThat(StateDirectory.FILES).isEqualTo(files);
  }
}
