package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code --db} takes. */
class StoreAddressTest {
  private static StoreAddress.Server server(String text) {
    return (StoreAddress.Server) StoreAddress.parse(text);
  }

  @Test
  void several_hosts_are_tried_for_the_primary() {
    var address = server("postgresql://ada@10.0.0.1:27501,db_2/ms?schema=a");
    assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://10.0.0.1:27501,db_2:5432/ms");
    assertThat(address.login())
        .containsEntry("user", "ada")
        .containsEntry("targetServerType", "primary")
        .containsEntry("connectTimeout", "3");
    assertThat(address.hasSeveralHosts()).isTrue();
    assertThat(address.shown()).isEqualTo("postgresql://10.0.0.1:27501,db_2:5432/ms?schema=a");
  }

  @Test
  void what_the_address_says_of_hosts_reaches_the_driver() {
    var address =
        server(
            "postgresql://h1,h2/ms?targetServerType=any&hostRecheckSeconds=2&loadBalanceHosts=true");
    assertThat(address.login())
        .containsEntry("targetServerType", "any")
        .containsEntry("hostRecheckSeconds", "2")
        .containsEntry("loadBalanceHosts", "true");
  }

  @Test
  void one_host_is_taken_as_it_is() {
    var address = server("postgresql://h1/a,b?targetServerType=primary");
    assertThat(address.hasSeveralHosts()).isFalse();
    assertThat(address.login()).containsOnlyKeys("targetServerType");
    assertThat(server("postgresql://h1/ms").login()).isEmpty();
    assertThat(server("postgresql://[::1]:5433/ms").jdbcUrl())
        .isEqualTo("jdbc:postgresql://[::1]:5433/ms");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://h1,/ms",
        "postgresql://h1:0/ms",
        "postgresql://h1:99999,h2/ms",
        "postgresql://h1:x,h2/ms",
        "postgresql://h1,h2",
        "postgresql:///ms",
        "postgresql://h1/ms?targetServerType=master1",
        "postgresql://h1/ms?hostRecheckSeconds=soon",
        "postgresql://h1/ms?loadBalanceHosts=yes"
      })
  void what_names_no_usable_hosts_is_refused(String text) {
    assertThatThrownBy(() -> server(text))
        .isInstanceOfSatisfying(
            Refusal.class, r -> assertThat(r.code()).isEqualTo(Refusal.Code.INVALID));
  }

  @Test
  void a_refused_host_does_not_show_the_password() {
    assertThatThrownBy(() -> server("postgresql://ada:" + "s3cret" + "word@h1:x,h2/ms"))
        .hasMessageContaining("h1:x")
        .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("s3cretword"));
  }

  @Test
  void only_a_slip_of_a_parameter_is_taken_for_one() {
    assertThatThrownBy(() -> server("postgresql://h1/ms?targetServerTyp=primary"))
        .hasMessageContaining("did you mean \"targetServerType\"?");
    assertThatThrownBy(() -> server("postgresql://h1/ms?application_name=me"))
        .hasMessageContaining("it knows schema, sslmode, sslrootcert")
        .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("did you mean"));
  }
}
