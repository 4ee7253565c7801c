package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.ArtifactFiles;
import dev.mainstay.store.Databases;
import dev.mainstay.workspace.DiskArtifacts;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How artifacts are downloaded; the store has no part in it, so one kind is enough. */
@Timeout(60)
class ArtifactContentTest extends OnServer {
  /** More than the system keeps on the way between two programs. */
  private static final int LARGE_BYTES = 24 * 1024 * 1024;

  ArtifactContentTest() {
    super(Databases.SQLITE);
  }

  private String added(String file) {
    String body = "{\"artifact_type\": \"LOG\", \"file_path\": \"" + file + "\"}";
    return post("/tasks/" + task("one") + "/artifacts", body).header("Location") + "/content";
  }

  private Path sparse(String name) throws IOException {
    Path file = folder.resolve(name);
    try (var made = new RandomAccessFile(file.toFile(), "rw")) {
      made.setLength(LARGE_BYTES);
    }
    return file;
  }

  private static void change(Path file, long at) throws IOException {
    try (var changed = new RandomAccessFile(file.toFile(), "rw")) {
      changed.seek(at);
      changed.write('!');
    }
  }

  private HttpResponse<InputStream> begin(String place) throws Exception {
    var request = HttpRequest.newBuilder(uri(place)).setHeader("Authorization", "Bearer " + person);
    return CLIENT.send(request.build(), BodyHandlers.ofInputStream());
  }

  @Test
  void a_file_that_changes_while_it_is_sent_is_cut_off() throws Exception {
    Path file = sparse("large");
    HttpResponse<InputStream> answer = begin(added("large"));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValueAsLong("Content-Length")).hasValue(LARGE_BYTES);
    try (InputStream body = answer.body()) {
      assertThat(body.read()).isZero();
      change(file, LARGE_BYTES - 1);
      assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
    }
  }

  @Test
  void a_file_that_is_replaced_while_it_is_sent_is_sent_as_it_was() throws Exception {
    Path file = sparse("large");
    try (InputStream body = begin(added("large")).body()) {
      assertThat(body.read()).isZero();
      Files.delete(file);
      Files.writeString(file, "another");
      assertThat(body.readAllBytes()).hasSize(LARGE_BYTES - 1).containsOnly(0);
    }
  }

  /** With one that kept its turn, the next would be sent away. */
  @Test
  void large_bodies_take_turns_and_give_them_back() {
    String large = "x".repeat(2 * Bodies.SMALL_BYTES_MAX);
    for (int i = 0; i <= Bodies.LARGE_MAX; i++) {
      Answer tooLong = post("/tasks", "{\"title\": \"one\", \"description\": \"" + large + "\"}");
      assertThat(tooLong.status()).isEqualTo(413);
      assertThat(post("/tasks", large).status()).isEqualTo(400);
    }
  }

  @Test
  void an_error_is_told_and_gives_the_place_back() throws IOException {
    Files.writeString(folder.resolve("small"), "small");
    String place = added("small");
    rooms.otherFiles().set(new Exhausted(DiskArtifacts.below(store, folder).host()));
    for (int i = 0; i <= ArtifactRoutes.READERS_MAX; i++) {
      Answer failed = get(place);
      assertThat(failed.status()).isEqualTo(500);
      assertThat(failed.json().text("detail")).contains("the server's log says more");
    }
    rooms.otherFiles().set(null);
    assertThat(get(place).text()).isEqualTo("small");
  }

  /** A machine without any memory left. */
  private record Exhausted(String host) implements ArtifactFiles {
    @Override
    public Seen look(String path) {
      throw new OutOfMemoryError("as a test wants it");
    }

    @Override
    public Held hold(String path, long bytesMax) {
      throw new OutOfMemoryError("as a test wants it");
    }
  }
}
