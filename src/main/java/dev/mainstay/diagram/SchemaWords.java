package dev.mainstay.diagram;

import dev.mainstay.domain.Phrase;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What parsers and the schema of BPMN complain of, in the words of whoever drew the file. */
final class SchemaWords {
  private static final Pattern CODE = Pattern.compile("^cvc-[A-Za-z0-9.-]+: ");
  private static final Pattern DANGLING =
      Pattern.compile("There is no ID/IDREF binding for IDREF '(.+)'");
  private static final Pattern PREFIX = Pattern.compile("(?<=^|\")[A-Za-z0-9_.-]+:(?=[A-Za-z])");
  private static final Map<Pattern, String> PLAIN = plain();

  private SchemaWords() {}

  private static Map<Pattern, String> plain() {
    Map<Pattern, String> plain = new LinkedHashMap<>();
    String element = "(?:\\{\"[^\"]*\":)?([^'}]+)}?";
    say(plain, DANGLING.pattern(), "nothing in the file has the id \"%s\", which is referred to");
    say(plain, "There are multiple occurrences of ID value '(.+)'", "the id \"%s\" is there twice");
    say(
        plain,
        "Attribute '(.+)' must appear on element '(?:[^':]+:)?(.+)'",
        "the attribute \"%s\" of \"%s\" is missing");
    say(
        plain,
        "Attribute '(.+)' is not allowed to appear in element '(?:[^':]+:)?(.+)'",
        "the attribute \"%s\" of \"%s\" does not belong there");
    say(
        plain,
        "Invalid content was found starting with element '" + element + "'.*",
        "\"%s\" does not belong there");
    say(
        plain,
        "The content of element '(?:[^':]+:)?([^']+)' is not complete.*",
        "something is missing in \"%s\"");
    say(plain, "Cannot find the declaration of element '(.+)'", "\"%s\" is no element of BPMN 2.0");
    say(
        plain,
        "UndeclaredPrefix: Cannot resolve '(.+)' as a QName: the prefix '(.+)' is not declared",
        "\"%s\" has the prefix \"%s\", which no xmlns says anything about");
    say(
        plain,
        "http://www\\.w3\\.org/.*#AttributeNotUnique\\?(.+)&(.+)",
        "\"%s\" has the attribute \"%s\" twice");
    say(
        plain,
        "http://www\\.w3\\.org/.*#(?:Element|Attribute)PrefixUnbound\\?([^&]+).*",
        "the prefix \"%s\" is used, and no xmlns says anything about it");
    return plain;
  }

  private static void say(Map<Pattern, String> plain, String complaint, String words) {
    plain.put(Pattern.compile(complaint), words);
  }

  /** One complaint; what nobody has found words for stays as it is. */
  static String of(String complaint) {
    String bare = CODE.matcher(complaint).replaceFirst("");
    for (Map.Entry<Pattern, String> each : PLAIN.entrySet()) {
      Matcher said = each.getKey().matcher(bare);
      if (!said.matches()) continue;
      Object[] named = new Object[said.groupCount()];
      for (int i = 0; i < named.length; i++) {
        named[i] = PREFIX.matcher(said.group(i + 1)).replaceFirst("");
      }
      return Phrase.of(each.getValue(), named);
    }
    return bare;
  }

  /** Where a file refers to what it does not have, which is found out only at its end. */
  static int line(String complaint, String text, int line) {
    Matcher dangling = DANGLING.matcher(CODE.matcher(complaint).replaceFirst(""));
    if (!dangling.matches()) return line;
    String id = Pattern.quote(dangling.group(1));
    Matcher reference = Pattern.compile("(?:=\\s*[\"']|>)\\s*" + id + "\\s*[\"'<]").matcher(text);
    if (!reference.find()) return line;
    return 1 + (int) text.substring(0, reference.start()).chars().filter(c -> c == '\n').count();
  }
}
