package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.store.Databases;
import dev.mainstay.store.MigrationStep;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.upkeep.Verification.Finding;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Foreign triggers, rules and views on Mainstay's tables. */
class ForeignObjectsTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(
          Databases.SQLITE,
          List.of(
              "CREATE TRIGGER slow BEFORE INSERT ON journal BEGIN SELECT 1; END",
              "CREATE TRIGGER rights AFTER INSERT ON access_tokens BEGIN UPDATE access_tokens SET role = 'person'; END"),
          "CREATE TRIGGER own AFTER INSERT ON own_notes BEGIN DELETE FROM own_notes; END");
    }

    @Test
    void a_trigger_or_table_that_was_changed_or_removed_is_a_finding() {
      MigrationStep.change(store, "DROP TRIGGER journal_loses_no_entries");
      MigrationStep.change(
          store,
          "CREATE TRIGGER journal_loses_no_entries BEFORE DELETE ON journal BEGIN SELECT 1; END");
      MigrationStep.change(store, "DROP TRIGGER journal_keeps_its_entries");
      MigrationStep.change(store, "ALTER TABLE journal ADD COLUMN more TEXT");
      assertThat(findings())
          .containsExactlyInAnyOrder(
              "the trigger journal_loses_no_entries on journal is not as Mainstay made it",
              "the trigger journal_keeps_its_entries on journal is missing",
              "the table journal is not as Mainstay made it");
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(
          Databases.POSTGRESQL,
          List.of(
              "CREATE TRIGGER slow BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
              "CREATE RULE rights AS ON INSERT TO access_tokens DO ALSO UPDATE access_tokens SET role = 'person'"),
          "CREATE RULE own AS ON DELETE TO own_notes DO INSTEAD NOTHING");
    }
  }

  abstract static class Contract extends OnDatabase {
    private final List<String> foreign;
    private final String allowed;

    Contract(Databases database, List<String> foreign, String allowed) {
      super(database);
      this.foreign = foreign;
      this.allowed = allowed;
    }

    List<String> findings() {
      return Verification.of(store).findings().stream()
          .filter(found -> found.where().equals("the schema"))
          .map(Finding::problem)
          .toList();
    }

    @Test
    void what_mainstay_made_is_no_finding() {
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    @Test
    void those_on_its_tables_are_findings_and_those_of_an_embedder_are_not() {
      MigrationStep.change(store, "CREATE TABLE own_notes (note TEXT)");
      MigrationStep.change(store, allowed);
      MigrationStep.change(store, "CREATE VIEW own_view AS SELECT note FROM own_notes");
      assertThat(findings()).isEmpty();
      for (String each : foreign) MigrationStep.change(store, each);
      MigrationStep.change(store, "CREATE VIEW titles AS SELECT title FROM tasks");
      assertThat(findings())
          .hasSize(3)
          .anyMatch(each -> each.startsWith("the trigger slow on journal was not made by Mainstay"))
          .anyMatch(each -> each.contains(" rights on access_tokens was not made by Mainstay"))
          .anyMatch(each -> each.startsWith("the view titles was not made by Mainstay"));
    }
  }
}
