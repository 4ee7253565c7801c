package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Pause;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.NewTask;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class StopTest extends OnServer {
  StopTest() {
    super(Databases.SQLITE);
  }

  @Test
  void a_request_in_flight_is_answered_before_the_server_is_gone() throws Exception {
    String body = "{\"worker\": \"coder-1\", \"wait_seconds\": 60}";
    var request =
        HttpRequest.newBuilder(uri("/tasks/claim"))
            .header("Authorization", "Bearer " + person)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    var answer = CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
    while (rooms.dispatcher().waiting() == 0) Pause.briefly();
    int port = server.port();
    Thread stopping = new Thread(server::close);
    stopping.start();
    while (listens(port)) Pause.briefly();
    rooms.tasks().create(NewTask.titled("late"), ADA);
    assertThat(answer.get().statusCode()).isEqualTo(200);
    assertThat(JsonText.object(answer.get().body()).objects("tasks"))
        .extracting(task -> task.text("title"))
        .containsExactly("late");
    stopping.join();
  }

  private static boolean listens(int port) {
    try (Socket tried = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return tried.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }
}
