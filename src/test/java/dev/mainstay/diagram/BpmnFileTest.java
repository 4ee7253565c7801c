package dev.mainstay.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing.Point;
import dev.mainstay.bpmn.Drawing.Shape;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Hands;
import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.diagram.BpmnFile.Chart;
import dev.mainstay.domain.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;

class BpmnFileTest {
  /** A file with this in its only process, and this beside it. */
  static String file(String beside, String process) {
    return """
        <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
          xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI"
          xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"
          xmlns:di="http://www.omg.org/spec/DD/20100524/DI"
          xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xmlns:camunda="http://camunda.org/schema/1.0/bpmn"
          xmlns:mainstay="https://mainstay.dev/schema/bpmn/1.0" targetNamespace="urn:test">
        %s<process id="p" name="Title">
        %s
        </process></definitions>
        """
        .replaceFirst("%s", Matcher.quoteReplacement(beside))
        .replaceFirst("%s", Matcher.quoteReplacement(process));
  }

  /** Start, the given node with the id {@code a}, and an end. */
  static String around(String node) {
    return """
        <startEvent id="s"/>
        %s
        <endEvent id="z"/>
        <sequenceFlow id="sa" sourceRef="s" targetRef="a"/>
        <sequenceFlow id="az" sourceRef="a" targetRef="z"/>
        """
        .replace("%s", node);
  }

  private static Definition definition(String beside, String process) {
    Chart chart = BpmnFile.read(file(beside, process)).get(0);
    assertThat(chart.problems()).isEmpty();
    return Objects.requireNonNull(chart.definition());
  }

  private static Node node(String node) {
    return definition("", around(node)).node("a");
  }

  @Test
  void an_order_is_read_from_attributes_and_documentation() {
    Node node =
        node(
            """
            <serviceTask id="a" name="Code" mainstay:type="REVIEW" mainstay:title="Do {{x}}"
              mainstay:priority="7" mainstay:profile="coder" mainstay:provider="codex"
              mainstay:worktree="true" mainstay:result="made" mainstay:language="python"
              mainstay:strict="true" mainstay:retries="3" mainstay:version="01">
              <documentation>
                First line
                  indented
              </documentation>
            </serviceTask>
            """);
    Order order = Objects.requireNonNull(node.traits().order());
    assertThat(order.type()).isEqualTo("REVIEW");
    assertThat(order.priority()).isEqualTo(7);
    assertThat(order.wording().title()).isEqualTo("Do {{x}}");
    assertThat(order.wording().description()).isEqualTo("First line\n  indented");
    assertThat(order.hands()).isEqualTo(new Hands("coder", "codex", true));
    assertThat(order.metadata())
        .isEqualTo(
            JsonObject.of("language", "python", "strict", true, "retries", 3, "version", "01"));
    assertThat(node.result()).isEqualTo("made");
  }

  @Test
  void a_task_about_which_nothing_is_said_orders_the_usual() {
    assertThat(node("<task id=\"a\"/>")).isEqualTo(Node.of("a", NodeKind.TASK));
  }

  @Test
  void conditions_are_unwrapped_and_defaults_are_known() {
    Definition definition =
        definition(
            "",
            """
            <startEvent id="s"/><exclusiveGateway id="g" default="gz"/>
            <task id="t"/><task id="u"/><endEvent id="z"/>
            <sequenceFlow id="sg" sourceRef="s" targetRef="g"/>
            <sequenceFlow id="gt" name="if" sourceRef="g" targetRef="t">
              <conditionExpression xsi:type="tFormalExpression" language="juel">${ a > 1 }</conditionExpression>
            </sequenceFlow>
            <sequenceFlow id="gu" sourceRef="g" targetRef="u">
              <conditionExpression>= b == 2</conditionExpression>
            </sequenceFlow>
            <sequenceFlow id="gz" sourceRef="g" targetRef="z"/>
            """);
    assertThat(definition.outgoing("g"))
        .containsExactly(
            new Edge("gt", "if", "g", "t", new Edge.Guard("a > 1", false)),
            Edge.of("gu", "g", "u").when("b == 2"),
            Edge.of("gz", "g", "z").otherwise());
  }

  @Test
  void messages_and_errors_go_by_their_names_and_codes() {
    String beside =
        """
        <message id="m1" name="paid"/><message id="m2"/>
        <error id="e1" name="n" errorCode="C1"/><error id="e2" name="N2"/>
        """;
    Definition definition =
        definition(
            beside,
            """
            <startEvent id="s"><messageEventDefinition messageRef="m1"/></startEvent>
            <receiveTask id="a" messageRef="m2" mainstay:correlation="order.id"/>
            <sendTask id="b" messageRef="m1" mainstay:content="{'id': order.id}"/>
            <endEvent id="z"><errorEventDefinition errorRef="e2"/></endEvent>
            <boundaryEvent id="x" attachedToRef="a"><errorEventDefinition errorRef="e1"/></boundaryEvent>
            <boundaryEvent id="y" attachedToRef="a"><errorEventDefinition/></boundaryEvent>
            <endEvent id="w"><terminateEventDefinition/></endEvent>
            <sequenceFlow id="sa" sourceRef="s" targetRef="a"/>
            <sequenceFlow id="ab" sourceRef="a" targetRef="b"/>
            <sequenceFlow id="bz" sourceRef="b" targetRef="z"/>
            <sequenceFlow id="xw" sourceRef="x" targetRef="w"/>
            <sequenceFlow id="yw" sourceRef="y" targetRef="w"/>
            """);
    assertThat(definition.nodes())
        .extracting(each -> each.traits().trigger())
        .containsExactly(
            new Trigger.Message("paid", null, null),
            new Trigger.Message("m2", "order.id", null),
            new Trigger.Message("paid", null, "{'id': order.id}"),
            new Trigger.Fault("N2"),
            new Trigger.Fault("C1"),
            new Trigger.Fault(null),
            new Trigger.Terminate());
  }

  @Test
  void timers_say_which_kind_they_are() {
    String catching =
        "<intermediateCatchEvent id=\"a\"><timerEventDefinition>%s</timerEventDefinition></intermediateCatchEvent>";
    assertThat(
            node(catching.replace("%s", "<timeDuration> PT5M </timeDuration>")).traits().trigger())
        .isEqualTo(new Trigger.Timer(TimerKind.DURATION, "PT5M"));
    assertThat(node(catching.replace("%s", "<timeDate>${due}</timeDate>")).traits().trigger())
        .isEqualTo(new Trigger.Timer(TimerKind.DATE, "=due"));
    assertThat(node(catching.replace("%s", "<timeCycle>= every</timeCycle>")).traits().trigger())
        .isEqualTo(new Trigger.Timer(TimerKind.CYCLE, "=every"));
  }

  private static Loop loop(String characteristics) {
    String task = "<serviceTask id=\"a\">" + characteristics + "</serviceTask>";
    Chart chart = BpmnFile.read(file("<!---->", around(task))).get(0);
    return Objects.requireNonNull(
        Objects.requireNonNull(chart.definition()).node("a").traits().loop());
  }

  @Test
  void loops_are_read_in_our_words_those_of_the_standard_and_of_other_engines() {
    assertThat(
            loop(
                "<multiInstanceLoopCharacteristics isSequential=\"true\" mainstay:collection=\"xs\""
                    + " mainstay:item=\"x\" mainstay:results=\"all\"><completionCondition>${x > 2}"
                    + "</completionCondition></multiInstanceLoopCharacteristics>"))
        .isEqualTo(new Loop(true, "xs", "x", "x > 2", "all"));
    assertThat(
            loop(
                "<multiInstanceLoopCharacteristics camunda:collection=\"${xs}\""
                    + " camunda:elementVariable=\"x\"/>"))
        .isEqualTo(new Loop(false, "xs", "x", null, null));
    assertThat(
            loop(
                "<multiInstanceLoopCharacteristics><loopDataInputRef>xs</loopDataInputRef>"
                    + "<inputDataItem id=\"i\" name=\"x\"/></multiInstanceLoopCharacteristics>"))
        .isEqualTo(new Loop(false, "xs", "x", null, null));
    assertThat(
            loop(
                "<multiInstanceLoopCharacteristics><loopCardinality>3</loopCardinality>"
                    + "</multiInstanceLoopCharacteristics>"))
        .isEqualTo(new Loop(false, "[1, 2, 3]", "item", null, null));
  }

  @Test
  void the_largest_cardinality_makes_a_list_that_can_be_worked_out() {
    Node node =
        node(
            "<task id=\"a\"><multiInstanceLoopCharacteristics><loopCardinality>"
                + LoopReader.CARDINALITY_MAX
                + "</loopCardinality></multiInstanceLoopCharacteristics></task>");
    assertThat(node.traits().loop()).isNotNull();
  }

  @Test
  void an_ad_hoc_sub_process_knows_its_order_its_end_and_what_is_in_it() {
    Definition definition =
        definition(
            "",
            around(
                """
                <adHocSubProcess id="a" ordering="Sequential" cancelRemainingInstances="false"
                    mainstay:profile="lead">
                  <task id="x"/><task id="y"/>
                  <completionCondition>done</completionCondition>
                </adHocSubProcess>
                """));
    assertThat(definition.node("a").traits().inner())
        .isEqualTo(new Inner.AdHoc(true, "done", false));
    assertThat(definition.node("a").traits().order())
        .isEqualTo(Order.USUAL.by(new Hands("lead", null, false)));
    assertThat(definition.inside("a")).extracting(Node::id).containsExactly("x", "y");
  }

  @Test
  void calls_rules_and_borders_are_read() {
    assertThat(node("<callActivity id=\"a\" calledElement=\"other\"/>").traits().inner())
        .isEqualTo(new Inner.Call("other"));
    Node rule =
        node(
            """
            <businessRuleTask id="a"><extensionElements>
              <mainstay:rule when="cost > 5" gives="'ask'"/><mainstay:rule gives="'go'"/>
            </extensionElements></businessRuleTask>
            """);
    assertThat(rule.traits().gives().rules())
        .containsExactly(new Rule("cost > 5", "'ask'"), new Rule(null, "'go'"));
  }

  @Test
  void what_has_no_id_gets_one() {
    String process = around("<task id=\"a\"/>").replace("id=\"az\" ", "").replace("id=\"sa\" ", "");
    assertThat(definition("", process).edges())
        .extracting(Edge::id)
        .containsExactly("flow_s_a", "flow_a_z");
  }

  @Test
  void the_drawing_is_read_where_it_can_be() {
    String drawn =
        file("", around("<subProcess id=\"a\"><startEvent id=\"i\"/></subProcess>"))
            .replace(
                "</definitions>",
                """
                <bpmndi:BPMNDiagram><bpmndi:BPMNPlane bpmnElement="p">
                <bpmndi:BPMNShape bpmnElement="a" isExpanded="true"><dc:Bounds x="1.5" y="-2" width="30" height="4"/></bpmndi:BPMNShape>
                <bpmndi:BPMNShape bpmnElement="s"><dc:Bounds x="NaN" y="2" width="3" height="4"/></bpmndi:BPMNShape>
                <bpmndi:BPMNShape bpmnElement="other"><dc:Bounds x="1" y="2" width="3" height="4"/></bpmndi:BPMNShape>
                <bpmndi:BPMNEdge bpmnElement="sa"><di:waypoint x="1" y="2"/><di:waypoint x="3" y="4"/></bpmndi:BPMNEdge>
                </bpmndi:BPMNPlane></bpmndi:BPMNDiagram></definitions>""");
    Chart chart = BpmnFile.read(drawn).get(0);
    assertThat(chart.drawing().shapes()).containsOnlyKeys("a");
    assertThat(chart.drawing().shapes().get("a")).isEqualTo(new Shape(1.5, -2, 30, 4, true));
    assertThat(chart.drawing().lines().get("sa"))
        .isEqualTo(List.of(new Point(1, 2), new Point(3, 4)));
  }
}
