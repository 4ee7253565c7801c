package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.imageio.ImageIO;

/** What the official conformance suite wants to find on a server. */
public final class ConformanceOffer implements Registry {
  private static final String PNG = png();

  private static final String WAV = wav();

  private static final String SCHEMA_2020_12 =
      """
      {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
       "$defs": {"address": {"$anchor": "addressDef", "type": "object",
         "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
       "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
         "contactMethod": {"type": "string", "enum": ["phone", "email"]},
         "phone": {"type": "string"}, "email": {"type": "string"}},
       "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
       "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
       "then": {"required": ["phone"]}, "else": {"required": ["email"]},
       "additionalProperties": false}
      """;

  private final Set<Consumer<String>> listeners = ConcurrentHashMap.newKeySet();

  @Override
  public String instructions() {
    return "Fixtures of the conformance suite.";
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        saying("test_simple_text", text("This is a simple text response for testing.")),
        saying("test_image_content", image()),
        saying(
            "test_audio_content",
            JsonObject.of("type", "audio", "data", WAV, "mimeType", "audio/wav")),
        saying(
            "test_embedded_resource",
            embedded(
                "test://embedded-resource", "text/plain", "This is an embedded resource content.")),
        saying(
            "test_multiple_content_types",
            text("Multiple content types test:"),
            image(),
            embedded(
                "test://mixed-content-resource",
                "application/json",
                "{\"test\":\"data\",\"value\":123}")),
        doing("test_tool_with_logging", ConformanceOffer::log),
        doing("test_logging_tool", ConformanceOffer::log),
        doing(
            "test_error_handling",
            (asking, arguments) -> {
              throw Refusal.invalid("This tool intentionally returns an error for testing");
            }),
        doing("test_tool_with_progress", ConformanceOffer::progress),
        doing(
            "test_missing_capability",
            (asking, arguments) -> {
              if (!asking.line().clientCan("sampling")) throw WireError.missing("sampling");
              return Reply.text("sampling could be asked for");
            }),
        doing(
            "test_streaming_elicitation",
            (asking, arguments) -> Reply.text("nothing is asked of the client on a stream")),
        new Tool(
            "json_schema_2020_12_tool",
            "Tool with JSON Schema 2020-12 features",
            JsonText.object(SCHEMA_2020_12),
            new Tool.Hints(true, true),
            (asking, arguments) -> Reply.text("ok")));
  }

  /** One red pixel. */
  private static String png() {
    BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
    image.setRGB(0, 0, 0xff0000);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /** A sound without samples: 8 bits, 8,000 a second, one channel. */
  private static String wav() {
    ByteBuffer head = ByteBuffer.allocate(44).order(ByteOrder.LITTLE_ENDIAN);
    head.put(ascii("RIFF")).putInt(36).put(ascii("WAVEfmt ")).putInt(16);
    head.putShort((short) 1).putShort((short) 1).putInt(8_000).putInt(8_000);
    head.putShort((short) 1).putShort((short) 8).put(ascii("data")).putInt(0);
    return Base64.getEncoder().encodeToString(head.array());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static Reply log(Asking asking, JsonObject arguments) {
    asking.line().log("info", "Tool execution started");
    asking.line().log("info", "Tool processing data");
    asking.line().log("info", "Tool execution completed");
    return Reply.text("logged");
  }

  private static Reply progress(Asking asking, JsonObject arguments) {
    for (int done = 0; done <= 100; done += 50) {
      asking.line().progress(done, 100.0, "Completed step " + done + " of 100");
    }
    return Reply.text("progress was told");
  }

  private static Tool saying(String name, JsonObject... content) {
    return doing(name, (asking, arguments) -> new Reply(List.of(content), null, false));
  }

  private static Tool doing(String name, Tool.Doing doing) {
    return TestOffer.tool(name, true, doing);
  }

  private static JsonObject text(String text) {
    return JsonObject.of("type", "text", "text", text);
  }

  private static JsonObject image() {
    return JsonObject.of("type", "image", "data", PNG, "mimeType", "image/png");
  }

  private static JsonObject embedded(String uri, String type, String text) {
    JsonObject resource = JsonObject.of("uri", uri, "mimeType", type, "text", text);
    return JsonObject.of("type", "resource", "resource", resource);
  }

  @Override
  public List<Resource> resources() {
    return List.of(
        resource(
            "test://static-text",
            "text/plain",
            "text",
            "This is the content of the static text resource."),
        resource("test://static-binary", "image/png", "blob", PNG),
        resource("test://watched-resource", "text/plain", "text", "Watched."),
        new Resource(
            "test://template/{id}/data",
            "template",
            "Data by its id.",
            "application/json",
            (asking, uri) -> List.of(template(uri))));
  }

  private static JsonObject template(String uri) {
    String id = uri.replaceFirst("test://template/", "").replaceFirst("/data$", "");
    JsonObject data = JsonObject.of("id", id, "templateTest", true, "data", "Data for ID: " + id);
    return JsonObject.of("uri", uri, "mimeType", "application/json", "text", JsonText.write(data));
  }

  private static Resource resource(String uri, String type, String field, String content) {
    JsonObject contents = JsonObject.of("uri", uri, "mimeType", type, field, content);
    return new Resource(
        uri, uri.substring(7), "A fixture.", type, (asking, any) -> List.of(contents));
  }

  @Override
  public List<Prompt> prompts() {
    return List.of(
        new Prompt(
            "test_simple_prompt",
            "A simple prompt.",
            List.of(),
            (asking, arguments) -> List.of(user(text("This is a simple prompt for testing.")))),
        new Prompt(
            "test_prompt_with_arguments",
            "A prompt with arguments.",
            List.of(argument("arg1"), argument("arg2")),
            (asking, arguments) ->
                List.of(
                    user(
                        text(
                            "Prompt with arguments: arg1='"
                                + arguments.text("arg1")
                                + "', arg2='"
                                + arguments.text("arg2")
                                + "'")))),
        new Prompt(
            "test_prompt_with_embedded_resource",
            "A prompt with a resource.",
            List.of(argument("resourceUri")),
            (asking, arguments) ->
                List.of(
                    user(
                        embedded(
                            arguments.text("resourceUri"),
                            "text/plain",
                            "Embedded resource content for testing.")),
                    user(text("Please process the embedded resource above.")))),
        new Prompt(
            "test_prompt_with_image",
            "A prompt with an image.",
            List.of(),
            (asking, arguments) ->
                List.of(user(image()), user(text("Please analyze the image above.")))));
  }

  private static Prompt.Argument argument(String name) {
    return new Prompt.Argument(name, "A test argument.", true);
  }

  private static JsonObject user(JsonObject content) {
    return JsonObject.of("role", "user", "content", content);
  }

  @Override
  public List<String> complete(Asking asking, String reference, String argument, String typed) {
    return List.of("paris", "park", "party").stream().filter(v -> v.startsWith(typed)).toList();
  }

  @Override
  public Subscription listen(Consumer<String> changed) {
    listeners.add(changed);
    return () -> listeners.remove(changed);
  }
}
