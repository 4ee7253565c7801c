package dev.mainstay.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Problem;
import dev.mainstay.diagram.BpmnFile.Chart;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnknownElementsTest {
  private static Chart read(String process) {
    return BpmnFile.read(BpmnFileTest.file("", process)).get(0);
  }

  /** The one thing that keeps a process with this node from running is said about the node. */
  private static void isNamed(String node, String what, String advice) {
    Chart chart = read(BpmnFileTest.around(node));
    assertThat(chart.definition()).as(what).isNull();
    List<Problem> fatal = chart.problems().stream().filter(Problem::isFatal).toList();
    assertThat(fatal).as(node).hasSize(1);
    assertThat(fatal.get(0).element()).isEqualTo("a");
    assertThat(fatal.get(0).what()).contains(what);
    assertThat(fatal.get(0).advice()).contains(advice);
  }

  @Test
  void activities_and_gateways_that_are_not_run_are_named() {
    isNamed("<scriptTask id=\"a\"><script>x</script></scriptTask>", "script tasks", "service task");
    isNamed("<complexGateway id=\"a\"/>", "complex gateways", "inclusive");
    isNamed(
        "<transaction id=\"a\"><startEvent id=\"i\"/></transaction>",
        "transactions",
        "sub-process");
    isNamed(
        "<subProcess id=\"a\" triggeredByEvent=\"true\"><startEvent id=\"i\"/></subProcess>",
        "event sub-processes",
        "boundary event");
    isNamed(
        "<task id=\"a\"><standardLoopCharacteristics/></task>",
        "standard loop",
        "exclusive gateway behind the activity");
    isNamed("<task id=\"a\" isForCompensation=\"true\"/>", "compensation", "undo");
    isNamed("<task id=\"a\" startQuantity=\"2\"/>", "startQuantity=\"2\"", "leave it out");
    isNamed(
        "<receiveTask id=\"a\" instantiate=\"true\"/>", "only start events begin", "message start");
  }

  @Test
  void events_that_are_not_run_are_named() {
    for (String kind : List.of("signal", "escalation", "compensate", "link", "conditional")) {
      String inside =
          switch (kind) {
            case "link" -> "<linkEventDefinition name=\"x\"/>";
            case "conditional" ->
                "<conditionalEventDefinition><condition xsi:type=\"tFormalExpression\">x</condition></conditionalEventDefinition>";
            default -> "<" + kind + "EventDefinition/>";
          };
      isNamed(
          "<intermediateThrowEvent id=\"a\">" + inside + "</intermediateThrowEvent>",
          "events are not run",
          "");
    }
    isNamed(
        "<intermediateCatchEvent id=\"a\"><messageEventDefinition/><timerEventDefinition/>"
            + "</intermediateCatchEvent>",
        "an event with 2 triggers",
        "event-based gateway");
    isNamed(
        "<intermediateThrowEvent id=\"a\"><eventDefinitionRef>nowhere</eventDefinitionRef></intermediateThrowEvent>",
        "not run",
        "");
  }

  @Test
  void wrong_values_are_named() {
    isNamed("<task id=\"a\" mainstay:priority=\"high\"/>", "\"high\" is no whole number", "10");
    isNamed(
        "<task id=\"a\" mainstay:worktree=\"yes\"/>", "\"yes\" is no yes or no", "true or false");
    isNamed("<task id=\"a\" mainstay:metadata=\"{}\"/>", "mainstay:metadata", "mainstay:language");
    isNamed(
        "<task id=\"a\"><multiInstanceLoopCharacteristics><loopCardinality>n</loopCardinality></multiInstanceLoopCharacteristics></task>",
        "cardinality \"n\"",
        "mainstay:collection");
    isNamed(
        "<task id=\"a\"><multiInstanceLoopCharacteristics behavior=\"One\" mainstay:collection=\"xs\"/></task>",
        "behavior \"One\"",
        "leave behavior out");
    isNamed(
        "<task id=\"a\"><dataInputAssociation><targetRef>z</targetRef><assignment><from>x</from><to>y</to></assignment></dataInputAssociation></task>",
        "data that is assigned",
        "as its result");
  }

  @Test
  void a_flow_that_joins_no_two_nodes_is_named() {
    Chart chart =
        read(
            BpmnFileTest.around("<task id=\"a\"/><dataObject id=\"d\"/>")
                + "<sequenceFlow id=\"ad\" sourceRef=\"a\" targetRef=\"d\"/>");
    assertThat(chart.definition()).isNull();
    assertThat(chart.problems().get(0).element()).isEqualTo("ad");
    assertThat(chart.problems().get(0).what()).contains("\"d\"");
  }

  @Test
  void what_is_only_drawn_is_one_note_for_each_kind() {
    Chart chart =
        read(
            """
            <laneSet id="ls"><lane id="l1"/><lane id="l2"/></laneSet>
            <startEvent id="s"/><task id="a" camunda:class="x.Y">
              <ioSpecification id="io"><inputSet/><outputSet/></ioSpecification></task>
            <dataObject id="d1"/><dataObjectReference id="d2" dataObjectRef="d1"/>
            <sequenceFlow id="sa" sourceRef="s" targetRef="a"/>
            <textAnnotation id="t"/><association id="as" sourceRef="a" targetRef="t"/>
            """);
    assertThat(chart.definition()).isNotNull();
    assertThat(chart.problems())
        .noneMatch(Problem::isFatal)
        .extracting(Problem::what)
        .containsExactlyInAnyOrder(
            "lanes are only drawn (l1, l2)",
            "data is only drawn (io, d1, d2)",
            "annotations, groups and associations are only drawn (t, as)",
            "what \"camunda\" says is not read (a)");
  }

  @Test
  void attributes_that_mean_nothing_are_noted() {
    Chart chart = read(BpmnFileTest.around("<parallelGateway id=\"a\" mainstay:profile=\"x\"/>"));
    assertThat(chart.problems())
        .containsExactly(
            new Problem(
                "a",
                "mainstay:profile means nothing there (a)",
                "put it on the task it is meant for",
                false));
  }

  @Test
  void slips_in_the_names_of_attributes_are_noted_with_what_was_probably_meant() {
    isNoted("<task id=\"a\" mainstay:profil=\"x\"/>", "only a field", "mainstay:profile");
    isNoted("<task id=\"a\" mainstay:titel=\"x\"/>", "only a field", "mainstay:title");
    isNoted("<userTask id=\"a\" mainstay:Answers=\"x\"/>", "only a field", "mainstay:answers");
    isNoted("<task id=\"a\" mainstay:prio=\"1\"/>", "only a field", "mainstay:priority");
    isNoted("<task id=\"a\" mainstay:correlation=\"x\"/>", "means nothing", "put it on");
    isNoted(
        "<task id=\"a\"><extensionElements><mainstay:rul/></extensionElements></task>",
        "mainstay:rul is not known",
        "mainstay:rule");
    isNoted(
        "<task id=\"a\"><multiInstanceLoopCharacteristics mainstay:collection=\"xs\""
            + " mainstay:result=\"all\"/></task>",
        "mainstay:result means nothing there",
        "mainstay:results");
  }

  private static void isNoted(String node, String what, String advice) {
    Chart chart = read(BpmnFileTest.around(node));
    assertThat(chart.definition()).as(node).isNotNull();
    assertThat(chart.problems()).as(node).hasSize(1);
    assertThat(chart.problems().get(0).what()).contains(what);
    assertThat(chart.problems().get(0).advice()).contains(advice);
  }

  @Test
  void fields_of_the_metadata_are_not_taken_for_slips() {
    String fields = "language part team model version branch test files scope role owner name";
    StringBuilder node = new StringBuilder("<task id=\"a\"");
    for (String each : fields.split(" ")) node.append(" mainstay:").append(each).append("=\"x\"");
    assertThat(read(BpmnFileTest.around(node + "/>")).problems()).isEmpty();
  }

  @Test
  void each_process_of_a_file_is_a_chart_with_its_own_problems() {
    String other =
        """
        <collaboration id="c"><participant id="p1" processRef="p"/><participant id="p2" processRef="q"/>
          <participant id="black"/><messageFlow id="mf" sourceRef="a" targetRef="b"/></collaboration>
        <process id="q"><startEvent id="qs"/><scriptTask id="b"/>
          <sequenceFlow id="qsb" sourceRef="qs" targetRef="b"/></process>
        <process id="empty"/>
        """;
    List<Chart> charts =
        BpmnFile.read(BpmnFileTest.file(other, BpmnFileTest.around("<task id=\"a\"/>")));
    assertThat(charts).hasSize(2);
    assertThat(charts.get(0).definition()).isNull();
    assertThat(charts.get(0).problems())
        .extracting(Problem::toString)
        .containsExactly(
            "b: script tasks are not run; make it a service task whose documentation says what to do",
            "black: pools without a process are only drawn (black); nothing is to be done",
            "mf: message flows are only drawn (mf); give the event that sends and the one that"
                + " waits the same message");
    assertThat(charts.get(1).definition()).isNotNull();
    assertThat(charts.get(1).problems()).isEmpty();
  }

  @Test
  void what_else_is_wrong_is_said_beside_what_is_not_run() {
    Chart chart =
        read(BpmnFileTest.around("<scriptTask id=\"a\"/>") + "<task id=\"b\"/><task id=\"c\"/>");
    assertThat(chart.problems()).extracting(Problem::element).containsExactly("a", "b", "c");
  }
}
