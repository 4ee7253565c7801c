package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.HostileTexts;
import dev.mainstay.context.SnapshotPrompt;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.FilledRecord;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepeatFuse;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskState;
import dev.mainstay.render.TaskPrompt.Surroundings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every field with text of all that is remembered, with every hostile text in it, in every
 * rendering: the text stays where a plain one would stand.
 */
class HostileFieldsTest {
  private static final int SOME = 2;

  private static final Map<String, Function<FilledRecord, String>> RENDERINGS = renderings();

  /** What no rendering here shows; the five files and the command line have their own tests. */
  private static final Set<String> NOT_SHOWN =
      Set.of(
          "Behaviour.name",
          "Brief.alias",
          "Brief.metadata",
          "Brief.metadata key",
          "Conflict.ours",
          "Conflict.theirs",
          "Constraints.rules",
          "FileMeta.hash",
          "Lease.helpers",
          "Lease.holder",
          "Links.workflow",
          "Outlook.sideEffects",
          "Param.name",
          "Param.value",
          "Proposal.wanted",
          "Review.approved",
          "Review.standing",
          "Running.inputs",
          "Running.inputs key",
          "StepDetails.component",
          "StepDetails.tool",
          "Tree.hash",
          "Tree.workspace",
          "Turn.argumentsHash",
          "Turn.resultHash",
          "Work.preservedRefs");

  private static Map<String, Function<FilledRecord, String>> renderings() {
    Map<String, Function<FilledRecord, String>> all = new LinkedHashMap<>();
    all.put("claude-code", filled -> prompt(filled, Budget.CLAUDE_CODE));
    all.put("codex", filled -> prompt(filled, Budget.CODEX));
    all.put("api", filled -> prompt(filled, Budget.API));
    all.put("dump", filled -> TaskStateText.compact(filled.of(TaskState.class)));
    all.put("reminder", filled -> TaskStateText.footer(filled.of(TaskState.class), fuse(filled)));
    all.put("handover", HostileFieldsTest::handover);
    all.put("notebook", HostileFieldsTest::notebook);
    all.put("repostate", f -> RepoStateText.of(f.of(RepoState.class), List.of()).text());
    all.put("snapshot prompt", HostileFieldsTest::snapshotPrompt);
    return all;
  }

  private static String prompt(FilledRecord filled, Budget budget) {
    var sections =
        TaskPrompt.sections(
            filled.of(Task.class), filled.of(Dossier.class), Surroundings.NONE, fuse(filled), null);
    return new PromptRenderer("mainstay prompt T-001").render(sections, budget).text();
  }

  private static RepeatFuse fuse(FilledRecord filled) {
    return new RepeatFuse(Set.of(), filled.of(RepeatFuse.Turn.class), RepeatFuse.NOTICE_REPEATS);
  }

  private static String handover(FilledRecord filled) {
    return Handover.of(filled.of(Dossier.class), "mainstay prompt T-001");
  }

  private static String notebook(FilledRecord filled) {
    return NotebookText.wrapped(
        filled.of(Dossier.class).notebook(), filled.of(Task.class).id(), null);
  }

  private static String snapshotPrompt(FilledRecord filled) {
    return SnapshotPrompt.build("Rules.", filled.of(RepoState.class), "").stream()
        .map(message -> message.role() + "\n" + message.content())
        .collect(Collectors.joining("\n"));
  }

  private static Set<String> fields() {
    Set<String> fields = new TreeSet<>(FilledRecord.fields(Dossier.class));
    fields.addAll(FilledRecord.fields(Task.class));
    fields.addAll(FilledRecord.fields(RepoState.class));
    fields.addAll(FilledRecord.fields(RepeatFuse.Turn.class));
    return fields;
  }

  @Tag("long")
  @Test
  void hostile_text_in_any_field_stays_in_its_place_in_every_rendering() {
    Set<String> shown = new TreeSet<>();
    int looked = 0;
    int refused = 0;
    for (String field : fields()) {
      for (var rendering : RENDERINGS.entrySet()) {
        if (!isShown(field, rendering.getValue())) continue;
        shown.add(field);
        String what = field + " in " + rendering.getKey();
        for (String hostile : texts(rendering.getKey(), looked)) {
          try {
            stays(what, field, hostile, rendering.getValue());
            looked++;
          } catch (Refusal cannotBeStored) {
            refused++;
          }
        }
      }
    }
    Set<String> notShown = fields();
    notShown.removeAll(shown);
    assertThat(notShown).isEqualTo(new TreeSet<>(NOT_SHOWN));
    assertThat(looked).isGreaterThan(refused);
  }

  /** Whether a word in the field makes a difference. */
  private static boolean isShown(String field, Function<FilledRecord, String> rendering) {
    return !rendering
        .apply(new FilledRecord(field, "aword"))
        .equals(rendering.apply(new FilledRecord(field, "another")));
  }

  /** Counting tokens takes its time, so where that is done each text meets some of the fields. */
  private static List<String> texts(String rendering, int turn) {
    if (!Set.of("codex", "api", "snapshot prompt").contains(rendering)) return HostileTexts.ALL;
    int from = turn % (HostileTexts.ALL.size() - SOME);
    return HostileTexts.ALL.subList(from, from + SOME);
  }

  private static void stays(
      String what, String field, String hostile, Function<FilledRecord, String> rendering) {
    String with = rendering.apply(new FilledRecord(field, hostile));
    String one = rendering.apply(new FilledRecord(field, HostileTexts.plain(hostile, 'x')));
    String other = rendering.apply(new FilledRecord(field, HostileTexts.plain(hostile, 'q')));
    try {
      HostileTexts.assertStays(one, other, with);
    } catch (AssertionError failure) {
      throw new AssertionError(what + ": " + failure.getMessage(), failure);
    }
  }

  /** A rendering that puts text as it is between its marks. */
  private static String unquoted(String text) {
    return "<goal>\n" + text + " (by agent:coder)\n</goal>\n<now>\ngo on\n</now>\n";
  }

  @Test
  void a_rendering_that_does_not_quote_is_found_out() {
    for (String hostile : HostileTexts.ALL) {
      assertThatThrownBy(
              () -> HostileTexts.assertStays(unquoted("xxx"), unquoted("qqq"), unquoted(hostile)))
          .as(hostile)
          .isInstanceOf(AssertionError.class);
    }
  }
}
