package dev.mainstay.diagram;

import dev.mainstay.bpmn.Node.Hands;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Wording;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a task orders, by its attributes and its documentation. */
final class OrderReader {
  static final String ANSWER = "answer";

  private final Findings findings;

  OrderReader(Findings findings) {
    this.findings = findings;
  }

  /** The order of a node; null when nothing is said, which is the usual one. */
  @Nullable Order order(Tag node, String id) {
    if (node.own("metadata") != null) {
      findings.fatal(
          id,
          "mainstay:metadata is not read",
          "write one attribute for each field, such as mainstay:language=\"python\"");
    }
    Order order =
        new Order(
            Objects.requireNonNullElse(node.own("type"), Order.TYPE),
            priority(node, id),
            wording(node),
            hands(node, id),
            metadata(node));
    return order.equals(Order.USUAL) ? null : order;
  }

  private static JsonObject metadata(Tag node) {
    return Metadata.read(node);
  }

  private static Wording wording(Tag node) {
    String title = node.own("title");
    String description = node.own("description");
    return new Wording(
        title == null ? "" : title,
        description == null ? documentation(node) : description,
        answers(node));
  }

  private static String documentation(Tag node) {
    return node.child("documentation").map(each -> outdented(each.text())).orElse("");
  }

  /** A text as it was meant: without the indentation of the file around it. */
  static String outdented(String text) {
    // Without its last line, which is as far in as the end tag and says nothing about the text.
    return text.stripTrailing().stripIndent().strip();
  }

  private static List<String> answers(Tag node) {
    String listed = node.own("answers");
    if (listed != null) return answers(listed);
    return node.ownExtensions(ANSWER).stream().map(Tag::text).toList();
  }

  static List<String> answers(String listed) {
    return Arrays.stream(listed.split(",")).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  private int priority(Tag node, String id) {
    String text = node.own("priority");
    if (text == null) return 0;
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException none) {
      findings.fatal(
          id,
          Phrase.of("the priority \"%s\" is no whole number", text),
          "write one such as 10; the higher, the more urgent");
      return 0;
    }
  }

  private Hands hands(Tag node, String id) {
    String worktree = Objects.requireNonNullElse(node.own("worktree"), "false").strip();
    if (!worktree.equals("true") && !worktree.equals("false")) {
      findings.fatal(
          id, Phrase.of("the worktree \"%s\" is no yes or no", worktree), "write true or false");
    }
    return new Hands(node.own("profile"), node.own("provider"), worktree.equals("true"));
  }
}
