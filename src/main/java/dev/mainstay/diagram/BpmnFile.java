package dev.mainstay.diagram;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a file of BPMN 2.0 holds. */
public final class BpmnFile {
  /** A process of the file, where it lies on paper, and all that should be known about it. */
  public record Chart(@Nullable Definition definition, Drawing drawing, List<Problem> problems) {}

  private BpmnFile() {}

  /** Reads a file; what is no BPMN, or is hostile, is refused. */
  public static List<Chart> read(String xml) {
    throw new UnsupportedOperationException("being written: " + xml.length());
  }

  /** Writes a process as valid BPMN with its drawing; what has no place gets one. */
  public static String write(Definition definition, Drawing drawing) {
    throw new UnsupportedOperationException("being written: " + definition + drawing);
  }
}
