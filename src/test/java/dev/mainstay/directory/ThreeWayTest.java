package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ThreeWayTest {
  private static final int CASES = 800;
  private static final Items PLAN =
      Items.builder()
          .put("meta/goal", "tea")
          .put("meta/status", "PLANNING")
          .put("steps", List.of("boil#0", "pour#0"))
          .put("step/boil#0/status", "PENDING")
          .put("step/boil#0/component", "kettle")
          .put("step/pour#0/status", "PENDING")
          .build();

  @Test
  void different_items_changed_on_both_sides_are_both_kept() {
    Items file = PLAN.with("meta/goal", "green tea");
    Items store = PLAN.with("step/boil#0/status", "COMPLETED");
    Merged merged = ThreeWay.merge(PLAN, file, store);
    assertThat(merged.clashes()).isEmpty();
    assertThat(merged.file())
        .isEqualTo(file.with("step/boil#0/status", "COMPLETED"))
        .isEqualTo(merged.store())
        .isEqualTo(merged.base());
  }

  @Test
  void an_item_changed_differently_stays_on_each_side_and_is_told() {
    Items file = PLAN.with("meta/goal", "green tea");
    Items store = PLAN.without("meta/goal");
    Merged merged = ThreeWay.merge(PLAN, file, store);
    assertThat(merged.clashes()).containsExactly(new Clash("meta/goal", "tea", "green tea", null));
    assertThat(merged.file()).isEqualTo(file);
    assertThat(merged.store()).isEqualTo(store);
    assertThat(merged.base()).isEqualTo(PLAN);
  }

  @Test
  void a_step_that_one_side_removed_is_gone_with_all_its_items() {
    Items file = PLAN.with("steps", List.of("boil#0")).without("step/pour#0/status");
    Merged merged = ThreeWay.merge(PLAN, file, PLAN);
    assertThat(merged.clashes()).isEmpty();
    assertThat(merged.store()).isEqualTo(file);
  }

  @Test
  void a_removed_step_that_was_changed_meanwhile_stays_on_both_sides_and_is_told_once() {
    Items file = PLAN.with("steps", List.of("boil#0")).without("step/pour#0/status");
    Items store = PLAN.with("step/pour#0/status", "RUNNING").with("step/pour#0/note", "hot");
    Merged merged = ThreeWay.merge(PLAN, file, store);
    assertThat(merged.file()).isEqualTo(store);
    assertThat(merged.store()).isEqualTo(store);
    JsonObject before = JsonObject.of("status", "PENDING");
    JsonObject now = JsonObject.of("status", "RUNNING", "note", "hot");
    assertThat(merged.clashes()).containsExactly(new Clash("step/pour#0", before, null, now));
    // Removing it once more is then the file's change alone.
    Merged again = ThreeWay.merge(merged.base(), file, merged.store());
    assertThat(again.clashes()).isEmpty();
    assertThat(again.store()).isEqualTo(file);
  }

  @Test
  void new_elements_go_behind_their_predecessors_and_the_file_decides_the_order() {
    assertThat(Sequences.merged(of("a b c"), of("a x b c"), of("a b y c")))
        .isEqualTo(of("a x b y c"));
    assertThat(Sequences.merged(of("a b c"), of("a b c"), of("c a b"))).isEqualTo(of("c a b"));
    assertThat(Sequences.merged(of("a b c"), of("b a c"), of("c b a z"))).isEqualTo(of("b a z c"));
    assertThat(Sequences.merged(of("a b"), of("a b"), of("y a b"))).isEqualTo(of("y a b"));
  }

  private static List<String> of(String words) {
    return List.of(words.split(" "));
  }

  @Test
  void entries_that_only_the_file_has_are_given_back_and_altered_ones_are_named() {
    JsonObject one = JsonObject.of("step", 1, "at", "t1");
    JsonObject two = JsonObject.of("step", 2, "at", "t2");
    JsonObject own = JsonObject.of("step", 3, "at", "t3");
    Items base = Items.EMPTY.with("entries", 2).with("entry/1", one).with("entry/2", two);
    Items file =
        base.with("entries", 3).with("entry/1", one.with("notes", "no")).with("entry/3", own);
    Items store = base.with("entries", 3).with("entry/3", JsonObject.of("step", 9));
    Merged merged = ThreeWay.merge(base, file, store);
    assertThat(merged.appended()).containsExactly(own);
    assertThat(merged.tampered()).containsExactly(1);
    assertThat(merged.file()).isEqualTo(store);
    assertThat(merged.base()).isEqualTo(store);
    Items shorter = Items.EMPTY.with("entries", 1).with("entry/1", one);
    assertThat(ThreeWay.merge(base, shorter, base).tampered()).containsExactly(2);
    assertThat(ThreeWay.merge(base, store, store).appended()).isEmpty();
  }

  @Test
  void a_variable_that_became_a_value_here_and_a_tree_there_clashes_as_a_whole() {
    Items base = Items.EMPTY.with("var/a/b", 1);
    Items file = Items.EMPTY.with("var/a", 5);
    Items store = base.with("var/a/c", 2);
    Merged merged = ThreeWay.merge(base, file, store);
    assertThat(merged.file()).isEqualTo(file);
    assertThat(merged.store()).isEqualTo(store);
    assertThat(merged.clashes())
        .containsExactly(
            new Clash("var/a", JsonObject.of("b", 1), 5L, JsonObject.of("b", 1, "c", 2)));
    Merged emptied =
        ThreeWay.merge(base, base.with("var/a/c", 2), Items.EMPTY.with("var/a", JsonObject.EMPTY));
    assertThat(emptied.store()).isEqualTo(Items.EMPTY.with("var/a/c", 2));
  }

  @Test
  void what_one_side_alone_changed_is_taken_and_what_both_changed_alike_is_no_clash() {
    Seeds.forAll(
        CASES,
        random -> {
          Items base = dossier(random);
          Items other = random.nextBoolean() ? dossier(random) : mixed(random, base);
          Items told = other.where(key -> !key.startsWith("entr"));
          assertThat(plain(ThreeWay.merge(base, other, base).store())).isEqualTo(told);
          assertThat(plain(ThreeWay.merge(base, other, base).file())).isEqualTo(told);
          assertThat(ThreeWay.merge(base, other, base).clashes()).isEmpty();
          assertThat(ThreeWay.merge(base, base, other).file()).isEqualTo(other);
          assertThat(ThreeWay.merge(base, base, other).clashes()).isEmpty();
          Merged alike = ThreeWay.merge(base, other, other);
          assertThat(alike.clashes()).isEmpty();
          assertThat(alike.base()).isEqualTo(other);
        });
  }

  @Test
  void clashes_are_the_same_seen_from_the_other_side_and_nothing_else_differs() {
    Seeds.forAll(
        CASES,
        random -> {
          Items base = dossier(random);
          Items file = mixed(random, base);
          Items store = mixed(random, base);
          Merged merged = ThreeWay.merge(base, file, store);
          Merged mirrored = ThreeWay.merge(base, store, file);
          List<Clash> turned = new ArrayList<>();
          for (Clash each : mirrored.clashes()) {
            turned.add(new Clash(each.key(), each.base(), each.store(), each.file()));
          }
          assertThat(merged.clashes()).containsExactlyInAnyOrderElementsOf(turned);
          assertThat(uncounted(differing(merged))).isSubsetOf(uncounted(keys(merged.clashes())));
          for (PageName page : List.of(PageName.PLAN, PageName.CONSTRAINTS)) {
            for (Items side : List.of(merged.file(), merged.store())) {
              Items own = side.of(page);
              assertThat(Page.read(page, Page.write(page, own, null)).items()).isEqualTo(own);
            }
          }
        });
  }

  /** The items in which the sides differ, apart from lists, which follow their items. */
  private static Set<String> differing(Merged merged) {
    Set<String> keys = new TreeSet<>(merged.file().keys());
    keys.addAll(merged.store().keys());
    keys.removeIf(Items::isOrder);
    keys.removeIf(key -> Objects.equals(merged.file().get(key), merged.store().get(key)));
    // A variable that clashes as a whole is told once, by the name above.
    keys.removeIf(
        key ->
            key.startsWith("var/")
                && merged.clashes().stream().anyMatch(each -> key.startsWith(each.key() + "/")));
    return keys;
  }

  /** Equal names are counted on each side for itself. */
  private static Set<String> uncounted(Set<String> keys) {
    Set<String> names = new TreeSet<>();
    for (String key : keys) names.add(key.replaceFirst("#\\d+$", ""));
    return names;
  }

  private static Set<String> keys(List<Clash> clashes) {
    Set<String> keys = new TreeSet<>();
    for (Clash each : clashes) keys.add(each.key());
    return keys;
  }

  private static Items plain(Items items) {
    return items.where(key -> !key.startsWith("entr"));
  }

  private static Items dossier(Random random) {
    Items.Builder all = Items.builder();
    for (PageName page : PageName.values()) all.putAll(new RandomItems(random).of(page));
    return all.build();
  }

  private static Items mixed(Random random, Items base) {
    Items other = dossier(random);
    return Items.builder()
        .putAll(new RandomLayout(random, PageName.PLAN).mixed(base, other))
        .putAll(base.of(PageName.HISTORY).where(key -> !key.startsWith("training")))
        .putAll((random.nextBoolean() ? base : other).of(PageName.VARIABLES))
        .putAll((random.nextBoolean() ? base : other).of(PageName.CONTEXT))
        .build();
  }
}
