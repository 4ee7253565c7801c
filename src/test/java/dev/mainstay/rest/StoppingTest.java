package dev.mainstay.rest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.mainstay.Pause;
import dev.mainstay.store.Databases;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
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
            () -> post("/tasks/claim", "{\"worker\": \"bot\", \"wait_seconds\": 1}"));
    while (rooms.dispatcher().waiting() == 0 && !claim.isDone()) Thread.onSpinWait();
    server.close();
    assertThat(claim.join().status()).isEqualTo(200);
  }

  @Test
  void a_request_whose_body_is_still_coming_is_answered_to_its_end() throws IOException {
    String body = "{\"title\": \"sent in two parts\"}";
    try (Socket client = new Socket("127.0.0.1", server.port())) {
      OutputStream out = client.getOutputStream();
      String head =
          "POST /tasks HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
              + "Content-Type: application/json\r\nContent-Length: %d\r\n"
              + "Expect: 100-continue\r\n\r\n";
      out.write(head.formatted(server.port(), person, body.length()).getBytes(US_ASCII));
      BufferedReader in =
          new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
      assertThat(in.readLine()).startsWith("HTTP/1.1 100"); // somebody waits for the body now
      assertThat(in.readLine()).isEmpty();
      CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
      out.write(body.substring(0, 5).getBytes(US_ASCII));
      for (int i = 0; i < 150; i++) Pause.briefly(); // it takes its time
      out.write(body.substring(5).getBytes(US_ASCII));
      assertThat(in.readLine()).startsWith("HTTP/1.1 201");
      closing.join();
    }
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
