package dev.mainstay.domain;

import dev.mainstay.domain.Plan.Step;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far an execution may go before a person is asked. */
public final class Limits {
  private Limits() {}

  /** The limits that are passed, a clause each; none while all hold. */
  public static List<String> passed(Execution execution) {
    return passed(execution, execution.figures().total());
  }

  private static List<String> passed(Execution execution, Spent total) {
    List<String> passed = new ArrayList<>();
    check(passed, execution, Setting.MAX_COST_PER_TASK, total.cost(), "cost $%s of $%s");
    check(passed, execution, Setting.MAX_EXECUTION_TIME, total.time(), "time %ss of %ss");
    check(
        passed,
        execution,
        Setting.MAX_FILE_OPERATIONS,
        BigDecimal.valueOf(total.fileOperations()),
        "%s file operations of %s");
    check(
        passed,
        execution,
        Setting.MAX_WEB_REQUESTS,
        BigDecimal.valueOf(total.webRequests()),
        "%s web requests of %s");
    return passed;
  }

  private static void check(
      List<String> passed, Execution execution, Setting limit, BigDecimal used, String words) {
    BigDecimal most = execution.constraints().settings().number(limit);
    if (used.compareTo(most) <= 0) return;
    boolean money = limit == Setting.MAX_COST_PER_TASK;
    passed.add(
        limit.key()
            + " is passed ("
            + Phrase.of(
                words,
                money ? Amount.plain(used) : used.toPlainString(),
                money ? Amount.plain(most) : most.toPlainString())
            + ")");
  }

  /**
   * Why a person must agree before the step is started, or null when nobody need be asked. The
   * level says how soon: low asks for every step, medium for one that has side effects or failed
   * before, high only for one whose estimate would pass a limit.
   */
  public static @Nullable String approvalFor(Execution execution, Step step) {
    if (execution.review().approved().contains(step.approval())) return null;
    String level = execution.constraints().settings().text(Setting.HUMAN_REVIEW_TRIGGER_LEVEL);
    StepDetails.Outlook outlook = step.details().outlook();
    List<String> would = wouldPass(execution, outlook);
    if (!would.isEmpty()) return "by its estimate " + String.join(" and ", would);
    if (level.equals("high")) return null;
    if (level.equals("low")) return "human_review_trigger_level is \"low\"";
    if (outlook.hasSideEffects()) {
      return "it has side effects and human_review_trigger_level is \"medium\"";
    }
    boolean failed = step.status() == StepStatus.FAILED;
    return failed ? "it failed before and human_review_trigger_level is \"medium\"" : null;
  }

  private static List<String> wouldPass(Execution execution, StepDetails.Outlook outlook) {
    Spent total = execution.figures().total();
    BigDecimal cost = outlook.cost() == null ? BigDecimal.ZERO : outlook.cost();
    BigDecimal time = outlook.time() == null ? BigDecimal.ZERO : outlook.time();
    List<String> now = passed(execution, total);
    List<String> then = new ArrayList<>(passed(execution, total.plus(new Spent(cost, time, 0, 0))));
    then.removeAll(now);
    return then;
  }
}
