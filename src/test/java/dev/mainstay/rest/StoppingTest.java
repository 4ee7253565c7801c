package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.mainstay.store.Databases;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StoppingTest extends OnServer {
  StoppingTest() {
    super(Databases.SQLITE);
  }

  @Test
  void a_request_that_is_being_answered_is_answered_to_its_end() {
    CompletableFuture<Answer> claim =
        CompletableFuture.supplyAsync(
            () -> post("/tasks/claim", "{\"worker\": \"bot\", \"wait_seconds\": 2}"));
    while (rooms.dispatcher().waiting() == 0) Thread.onSpinWait();
    server.close();
    assertThat(claim.join().status()).isEqualTo(200);
  }

  /** The dispatcher is closed by whoever closes the server; here nobody does. */
  @Test
  void a_request_that_takes_too_long_to_end_is_cut_off_and_the_server_is_closed_well() {
    CompletableFuture<Void> claim =
        CompletableFuture.runAsync(
            () -> {
              try {
                post("/tasks/claim", "{\"worker\": \"bot\", \"wait_seconds\": 60}");
              } catch (UncheckedIOException cutOff) {
                return;
              }
            });
    while (rooms.dispatcher().waiting() == 0) Thread.onSpinWait();
    assertThatCode(server::close).doesNotThrowAnyException();
    rooms.dispatcher().close();
    claim.join();
  }
}
