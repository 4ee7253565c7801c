package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ParsedSqlTest {
  @Test
  void binds_are_places_in_order_and_casts_and_quoted_colons_are_none() {
    ParsedSql parsed = ParsedSql.of("SELECT ':no', a::text FROM t WHERE a = :one AND b = :two");
    assertThat(parsed.text()).isEqualTo("SELECT ':no', a::text FROM t WHERE a = ? AND b = ?");
    assertThat(parsed.names()).containsExactly("one", "two");
  }

  @Test
  void a_number_of_rows_that_is_bound_is_nothing_that_sqlite_plans_by() {
    assertThat(ParsedSql.of("SELECT 1 FROM t ORDER BY a LIMIT :limit OFFSET :from").text())
        .isEqualTo("SELECT 1 FROM t ORDER BY a LIMIT (? + 0) OFFSET ?");
    assertThat(ParsedSql.of("SELECT 1 FROM t LIMIT 1").text()).endsWith("LIMIT 1");
  }
}
