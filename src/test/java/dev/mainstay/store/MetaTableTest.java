package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MetaTableTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnDatabase {
    Contract(Databases database) {
      super(database);
    }

    private Optional<String> find(String name) {
      return store.reading(tx -> tx.meta().find(name));
    }

    private static String epoch(Store of) {
      return of.reading(tx -> tx.meta().epoch());
    }

    @Test
    void what_is_set_is_found_and_what_is_set_again_replaces_it() {
      assertThat(find("colour")).isEmpty();
      given(tx -> tx.meta().set("colour", "grün ✓ 😀"));
      assertThat(find("colour")).contains("grün ✓ 😀");
      given(tx -> tx.meta().set("colour", ""));
      assertThat(find("colour")).contains("");
      assertThat(find("Colour")).isEmpty();
    }

    @Test
    void a_new_store_has_an_epoch_that_everybody_sees_and_that_stays() {
      String first = epoch(store);
      assertThat(first).isNotBlank();
      given(tx -> tx.meta().set("colour", "red"));
      try (Store other = open(address)) {
        assertThat(epoch(other)).isEqualTo(first);
      }
      store.close();
      store = open(address);
      assertThat(epoch(store)).isEqualTo(first);
    }

    @Test
    void two_stores_have_two_epochs() {
      try (Store other = open(database().fresh())) {
        assertThat(epoch(other)).isNotEqualTo(epoch(store));
      }
    }

    @Test
    void a_new_epoch_is_another_one_and_touches_nothing_else() {
      String first = epoch(store);
      given(tx -> tx.meta().set("colour", "red"));
      given(tx -> tx.meta().newEpoch());
      assertThat(epoch(store)).isNotEqualTo(first);
      assertThat(find("colour")).contains("red");
    }

    @Test
    void a_store_that_lost_its_epoch_says_what_to_do() {
      given(tx -> tx.sql("DELETE FROM store_meta WHERE name = 'epoch'").update());
      assertThatThrownBy(() -> epoch(store))
          .isInstanceOfSatisfying(
              Refusal.class, r -> assertThat(r.code()).isEqualTo(Refusal.Code.STORE_UNAVAILABLE))
          .hasMessageContaining("mainstay doctor");
    }

    @Test
    void the_table_itself_keeps_a_name_once_and_never_without_a_value() {
      given(tx -> tx.meta().set("colour", "red"));
      for (String change :
          List.of(
              "INSERT INTO store_meta (name, value) VALUES ('colour', 'blue')",
              "INSERT INTO store_meta (name) VALUES ('shape')",
              "UPDATE store_meta SET value = NULL")) {
        assertThatThrownBy(() -> given(tx -> tx.sql(change).update()))
            .as(change)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("constraint");
      }
      assertThat(find("colour")).contains("red");
    }
  }
}
