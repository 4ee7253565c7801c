package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official client of the SDK, which we did not write, talks to the server over HTTP. */
class SdkClientTest {
  @TempDir Path folder;

  @Test
  void the_official_client_lists_calls_hears_progress_and_is_told_of_changes() throws Exception {
    TestOffer offer = new TestOffer();
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    try (McpServer server = new McpServer(offer, folder)) {
      var transport =
          HttpClientStreamableHttpTransport.builder("http://127.0.0.1:" + server.server.port())
              .requestBuilder(
                  HttpRequest.newBuilder().header("Authorization", "Bearer " + server.person))
              .openConnectionOnStartup(true)
              .build();
      try (var client =
          McpClient.sync(transport)
              .progressConsumer(notice -> heard.add("progress " + notice.message()))
              .loggingConsumer(notice -> heard.add("log " + notice.data()))
              .resourcesUpdateConsumer(contents -> heard.add("changed " + contents.get(0).uri()))
              .build()) {
        McpSchema.InitializeResult greeting = client.initialize();
        assertThat(greeting.serverInfo().name()).isEqualTo("mainstay");
        assertThat(client.listTools().tools())
            .extracting(McpSchema.Tool::name)
            .contains("echo", "report");
        var call =
            McpSchema.CallToolRequest.builder("report")
                .arguments(Map.of())
                .progressToken("p1")
                .build();
        assertThat(client.callTool(call).isError()).isNotEqualTo(Boolean.TRUE);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("progress half");
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("log look out");
        client.subscribeResource(McpSchema.SubscribeRequest.builder(TestOffer.NOTE).build());
        offer.changed(TestOffer.NOTE);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("changed " + TestOffer.NOTE);
      }
    }
  }
}
