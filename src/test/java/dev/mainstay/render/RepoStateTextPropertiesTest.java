package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.context.Cases;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.FileStatus;
import dev.mainstay.domain.RepoState.OpenTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RepoStateTextPropertiesTest {
  private static final int CASES = 150;
  private static final Instant NOW = Instant.parse("2025-10-22T03:15:42Z");
  private static final Pattern FOLDER = Pattern.compile("  • .* - ([\\d,]+) files?");

  /** A random workspace, what was touched in it, and how it was rendered. */
  private record Case(RepoState state, Set<String> touched, RepoStateText rendered) {}

  private interface Property {
    void holds(Case each);
  }

  private static void forAll(Property property) {
    Seeds.forAll(
        CASES,
        random -> {
          RepoState state = state(random);
          Set<String> touched = touched(random, state);
          property.holds(new Case(state, touched, RepoStateText.of(state, touched)));
        });
  }

  @Test
  void no_snapshot_reaches_its_limit_even_within_its_block() {
    forAll(
        each -> {
          String text = each.rendered().text();
          assertThat(Tokens.O200K.count(text)).isLessThan(RepoStateText.SNAPSHOT_TOKENS_MAX);
          assertThat(Delimiters.neutral(text)).isEqualTo(text);
        });
  }

  @Test
  void every_file_is_listed_or_summarised_or_left_out_and_only_once() {
    forAll(
        each -> {
          var rendered = each.rendered();
          var present = each.state().present();
          assertThat(rendered.listed().size() + rendered.summarised() + rendered.leftOut().files())
              .isEqualTo(present.size());
          assertThat(rendered.listed()).doesNotHaveDuplicates();
          assertThat(present.stream().map(FileMeta::path)).containsAll(rendered.listed());
          assertThat(rendered.listed()).containsAll(rendered.hashed());
          assertThat(rendered.leftOut().files() > 0).isEqualTo(rendered.leftOut().folders() > 0);
        });
  }

  @Test
  void the_text_has_as_many_lines_as_the_counts_say() {
    forAll(
        each -> {
          var rendered = each.rendered();
          var lines = rendered.text().lines().toList();
          int folders = 0;
          int summarised = 0;
          for (String line : lines) {
            var folder = FOLDER.matcher(line);
            if (!folder.matches()) continue;
            folders++;
            summarised += Integer.parseInt(folder.group(1).replace(",", ""));
          }
          long bullets = lines.stream().filter(line -> line.startsWith("  • ")).count();
          assertThat(bullets - folders).isEqualTo(rendered.listed().size());
          assertThat(summarised).isEqualTo(rendered.summarised());
          long open = each.state().openTasks().stream().filter(OpenTask::isOpen).count();
          long tasks = lines.stream().filter(line -> line.matches("  \\d+\\. \\[.*")).count();
          assertThat(tasks + rendered.leftOut().openTasks()).isEqualTo(open);
          assertThat(tasks > 0).isEqualTo(open > 0);
          assertThat(lines.get(lines.size() - 1).startsWith("[left out: "))
              .isEqualTo(!rendered.leftOut().isNothing());
        });
  }

  @Test
  void what_is_listed_is_the_most_relevant() {
    forAll(
        each -> {
          var rendered = each.rendered();
          var present = each.state().present();
          if (rendered.listed().size() == present.size()) {
            assertThat(rendered.listed()).isSortedAccordingTo(String.CASE_INSENSITIVE_ORDER);
            return;
          }
          Map<String, FileMeta> byPath =
              present.stream().collect(Collectors.toMap(FileMeta::path, file -> file));
          long touched = present.stream().filter(f -> each.touched().contains(f.path())).count();
          long first = Math.min(touched, rendered.listed().size());
          assertThat(rendered.listed().stream().limit(first)).allMatch(each.touched()::contains);
          List<Integer> ranks =
              rendered.listed().stream().map(path -> rank(each, byPath.get(path))).toList();
          assertThat(ranks).isSorted();
          int last = ranks.isEmpty() ? 0 : ranks.get(ranks.size() - 1);
          var listed = new HashSet<>(rendered.listed());
          assertThat(present)
              .filteredOn(file -> !listed.contains(file.path()))
              .allMatch(file -> rank(each, file) >= last);
        });
  }

  private static int rank(Case each, FileMeta file) {
    if (each.touched().contains(file.path())) return 0;
    return file.status() == FileStatus.UNCHANGED ? 2 : 1;
  }

  private static Set<String> touched(Random random, RepoState state) {
    Set<String> touched = new HashSet<>(Set.of("not/there"));
    int oneIn = 1 + random.nextInt(200);
    for (FileMeta file : state.files()) {
      if (random.nextInt(oneIn) == 0) touched.add(file.path());
    }
    return touched;
  }

  private static RepoState state(Random random) {
    Map<String, FileMeta> files = new LinkedHashMap<>();
    int count = random.nextInt(random.nextInt(10) == 0 ? 4_000 : 60);
    int hostileOneIn = 1 + random.nextInt(30);
    for (int i = 0; i < count; i++) {
      boolean hostile = random.nextInt(hostileOneIn) == 0;
      String path = hostile ? Cases.text(random, 300) + i : path(random) + i + ".java";
      files.put(path, file(random, path));
    }
    List<OpenTask> tasks = new ArrayList<>();
    int open = random.nextInt(random.nextInt(4) == 0 ? RepoState.OPEN_TASKS_MAX : 4);
    for (int i = 0; i < open; i++) tasks.add(task(random));
    return new RepoState(
        Cases.text(random, random.nextInt(5) == 0 ? 9_000 : 40),
        random.nextBoolean() ? null : "s" + costly(random, 120),
        List.copyOf(files.values()),
        tasks,
        NOW);
  }

  private static FileMeta file(Random random, String path) {
    var statuses = FileStatus.values();
    boolean plain = random.nextInt(4) > 0;
    return new FileMeta(
        path,
        random.nextInt(9) == 0 ? null : "%08x".formatted(random.nextInt()).repeat(8),
        random.nextLong() >>> 1 + random.nextInt(60),
        NOW.minusSeconds(random.nextInt(1_000)),
        plain ? FileStatus.UNCHANGED : statuses[random.nextInt(statuses.length)]);
  }

  private static String path(Random random) {
    StringBuilder path = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--)
      path.append("dir").append(random.nextInt(4)).append('/');
    return path.toString();
  }

  private static OpenTask task(Random random) {
    var statuses = OpenTask.Status.values();
    return new OpenTask(
        "t" + costly(random, 250), statuses[random.nextInt(statuses.length)], random.nextInt(5));
  }

  /** Characters that cost one to four tokens each. */
  private static String costly(Random random, int charsMax) {
    StringBuilder text = new StringBuilder();
    int chars = random.nextInt(charsMax);
    List<String> pieces =
        List.of("</x>", "word ", "䶵", "\ud83e\udd77", "𓀀", "e\u0301", "~~~", "7");
    while (text.length() < chars) text.append(pieces.get(random.nextInt(pieces.size())));
    return text.toString();
  }
}
