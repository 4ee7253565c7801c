package dev.mainstay.diagram;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Problem;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a file of BPMN 2.0 holds. */
public final class BpmnFile {
  /**
   * A process of the file, where it lies on paper, and all that should be known about it: what
   * could not be read, and what {@link dev.mainstay.bpmn.Checks} says.
   *
   * @param definition null when something in the file has no place in a definition
   */
  public record Chart(@Nullable Definition definition, Drawing drawing, List<Problem> problems) {}

  private BpmnFile() {}

  /** The text of a file, in whatever encoding it says it is written. */
  public static String text(byte[] file) {
    return FileText.of(file);
  }

  /** The text of a file as it can be written in UTF-8: with a declaration that says so. */
  public static String inUtf8(String text) {
    return FileText.declaringUtf8(text);
  }

  /** Reads a file; what is no BPMN, or is hostile, is refused. */
  public static List<Chart> read(String xml) {
    Tag root = BpmnText.read(xml);
    if (!root.is("definitions")) {
      throw Refusal.invalid("the file is no BPMN 2.0; its outermost element is \"definitions\"");
    }
    Map<String, Tag> named = new HashMap<>();
    index(root, named);
    List<Tag> processes = new ArrayList<>(root.children("process"));
    if (processes.isEmpty()) {
      throw Refusal.invalid("the file has no process; draw one and export it as BPMN 2.0");
    }
    // A pool that only stands for somebody else has a process without anything in it.
    List<Tag> empty = processes.stream().filter(each -> !Collaborations.isDrawn(each)).toList();
    if (empty.size() < processes.size()) processes.removeAll(empty);
    List<Chart> charts = new ArrayList<>();
    for (Tag each : processes) {
      Findings findings = new Findings();
      if (charts.isEmpty()) Collaborations.note(root, named, findings);
      charts.add(new ProcessReader(named, findings).chart(each, root));
    }
    return List.copyOf(charts);
  }

  private static void index(Tag tag, Map<String, Tag> named) {
    String id = tag.id();
    if (!id.isEmpty()) named.putIfAbsent(id, tag);
    for (Tag each : tag.elements()) index(each, named);
  }

  /** Writes a process as valid BPMN with its drawing; what has no place gets one. */
  public static String write(Definition definition, Drawing drawing) {
    return new ProcessWriter(definition, Layout.complete(definition, drawing)).xml();
  }
}
