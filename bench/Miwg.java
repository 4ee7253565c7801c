import dev.mainstay.bpmn.Problem;
import dev.mainstay.diagram.BpmnFile;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Which elements the files of a folder have, and which of them are run; see the script beside it.
 */
public final class Miwg {
  private static final String BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL";
  private static final Set<String> DRAWN =
      Set.of(
          "lane",
          "textAnnotation",
          "group",
          "association",
          "dataObject",
          "dataObjectReference",
          "dataStoreReference",
          "messageFlow");

  /** In how many files a kind of element is, how often, and how often it was said not to be run. */
  private static final class Row {
    final Set<Path> files = new TreeSet<>();
    int count;
    int refused;
  }

  private static final Map<String, Row> ROWS = new TreeMap<>();
  private static final Map<String, Integer> REFUSALS = new TreeMap<>();

  private Miwg() {}

  public static void main(String[] args) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(args[0]))) {
      files = all.filter(Files::isRegularFile).filter(Miwg::isBpmn).sorted().toList();
    }
    int read = 0;
    int crashed = 0;
    int charts = 0;
    int runnable = 0;
    for (Path each : files) {
      try {
        String xml = BpmnFile.text(Files.readAllBytes(each));
        List<BpmnFile.Chart> found = BpmnFile.read(xml);
        read++;
        charts += found.size();
        runnable += (int) found.stream().filter(Miwg::isRunnable).count();
        count(each, xml, found);
      } catch (Refusal | IOException refused) {
        String why = String.valueOf(refused.getMessage()).replaceFirst("^line \\d+: ", "");
        REFUSALS.merge(why, 1, Integer::sum);
      } catch (RuntimeException crash) {
        crashed++;
        System.err.println(each + " crashed the import: " + crash);
      }
    }
    System.out.printf(Locale.ROOT, "%-60s %6s %8s  %s%n", "element", "files", "elements", "run");
    ROWS.forEach(
        (kind, row) ->
            System.out.printf(
                Locale.ROOT,
                "%-60s %6d %8d  %s%n",
                kind,
                row.files.size(),
                row.count,
                run(kind, row)));
    System.out.printf(
        Locale.ROOT,
        "%n%d files, %d read, %d refused, %d crashed; %d processes, %d can be run as they are%n",
        files.size(),
        read,
        files.size() - read - crashed,
        crashed,
        charts,
        runnable);
    REFUSALS.forEach((why, times) -> System.out.printf(Locale.ROOT, "%5d  %s%n", times, why));
    if (crashed > 0) System.exit(1);
  }

  private static boolean isBpmn(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".bpmn") || name.endsWith(".bpmn20.xml") || name.endsWith(".bpmn2");
  }

  private static boolean isRunnable(BpmnFile.Chart chart) {
    return chart.problems().stream().noneMatch(Problem::isFatal);
  }

  private static String run(String kind, Row row) {
    if (DRAWN.contains(kind)) return "only drawn";
    if (row.refused == 0) return "yes";
    return row.refused == row.count ? "no" : "all but " + row.refused;
  }

  private static void count(Path file, String xml, List<BpmnFile.Chart> charts) {
    Set<String> refused = new TreeSet<>();
    for (BpmnFile.Chart chart : charts) {
      for (Problem each : chart.problems()) {
        boolean misplaced = each.what().matches("an? .*(event|task) cannot be .*");
        boolean unknown = misplaced || each.what().contains("not run");
        if (each.isFatal() && unknown) refused.add(each.element());
      }
    }
    kinds(xml)
        .forEach(
            (id, kind) -> {
              Row row = ROWS.computeIfAbsent(kind, each -> new Row());
              row.files.add(file);
              row.count++;
              if (refused.contains(id)) row.refused++;
            });
  }

  /**
   * Every node and everything drawn, by id; an event with what sets it off, a task with its loop.
   */
  private static Map<String, String> kinds(String xml) {
    Map<String, String> kinds = new HashMap<>();
    Deque<String> open = new ArrayDeque<>();
    int skippedFrom = Integer.MAX_VALUE; // nobody looks into a sub-process that is not run
    try {
      XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
      factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
      XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(undeclared(xml)));
      while (reader.hasNext()) {
        int event = reader.next();
        if (event == XMLStreamConstants.END_ELEMENT) {
          open.pop();
          if (open.size() <= skippedFrom) skippedFrom = Integer.MAX_VALUE;
        }
        if (event != XMLStreamConstants.START_ELEMENT) continue;
        String name = BPMN.equals(reader.getNamespaceURI()) ? reader.getLocalName() : "";
        String id = String.valueOf(reader.getAttributeValue(null, "id"));
        if (name.endsWith("EventDefinition") || name.endsWith("LoopCharacteristics")) {
          String what = name.replaceFirst("(EventDefinition|LoopCharacteristics)$", "");
          kinds.computeIfPresent(open.peek(), (node, kind) -> kind + ", " + what);
        } else if (isCounted(name) && open.size() <= skippedFrom) {
          boolean inner = "true".equals(reader.getAttributeValue(null, "triggeredByEvent"));
          if (inner) skippedFrom = open.size();
          kinds.put(id, inner ? name + ", triggered by an event" : name);
        }
        open.push(id);
      }
    } catch (XMLStreamException broken) {
      throw new IllegalStateException("it was read before", broken);
    }
    return kinds;
  }

  /** What it says about its encoding is no longer true. */
  private static String undeclared(String xml) {
    return xml.replaceFirst("\\A\\uFEFF?\\s*(<\\?xml\\s[^>]*\\?>)?", "");
  }

  private static boolean isCounted(String name) {
    return DRAWN.contains(name)
        || name.matches(
            "(?!global).*(Task|Event|Gateway|SubProcess)|task|subProcess|transaction|callActivity");
  }
}
