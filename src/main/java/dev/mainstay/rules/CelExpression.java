package dev.mainstay.rules;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelMutableAst;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.Operator;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.navigation.CelNavigableMutableAst;
import dev.cel.common.navigation.CelNavigableMutableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.Program;
import dev.mainstay.rules.Condition.Outcome;
import java.util.List;
import java.util.Map;

/** CEL, cut down to what a condition needs. The only class that knows how CEL is called. */
final class CelExpression {
  static final int NESTING_MAX = 32;
  static final int NODES_MAX = 300;
  private static final String DIVIDED = "mainstay_divided";
  private static final String REMAINDER = "mainstay_remainder";
  private static final String BY_ZERO = "division by zero";

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .maxExpressionCodePointSize(Condition.EXPRESSION_CHARS_MAX)
          .maxParseRecursionDepth(NESTING_MAX)
          .maxParseExpressionNodeCount(NODES_MAX)
          .maxParseErrorRecoveryLimit(1)
          .enableComprehension(false)
          .comprehensionMaxIterations(0)
          .build();

  /**
   * No {@code matches}: the pattern of a few characters {@code (((a{1000}){1000}){1000})} takes all
   * memory before CEL's own limit is asked. No conversions, so that all numbers stay decimals.
   */
  private static final CelStandardDeclarations FUNCTIONS =
      CelStandardDeclarations.newBuilder()
          .includeFunctions(
              List.of(
                  StandardFunction.CONDITIONAL,
                  StandardFunction.LOGICAL_NOT,
                  StandardFunction.LOGICAL_OR,
                  StandardFunction.LOGICAL_AND,
                  StandardFunction.EQUALS,
                  StandardFunction.NOT_EQUALS,
                  StandardFunction.LESS,
                  StandardFunction.LESS_EQUALS,
                  StandardFunction.GREATER,
                  StandardFunction.GREATER_EQUALS,
                  StandardFunction.ADD,
                  StandardFunction.SUBTRACT,
                  StandardFunction.MULTIPLY,
                  StandardFunction.NEGATE,
                  StandardFunction.IN,
                  StandardFunction.CONTAINS,
                  StandardFunction.STARTS_WITH,
                  StandardFunction.ENDS_WITH))
          .build();

  private static final CelCompiler COMPILER =
      CelCompilerFactory.standardCelCompilerBuilder()
          .setOptions(OPTIONS)
          .setStandardMacros()
          .setStandardEnvironmentEnabled(false)
          .setStandardDeclarations(FUNCTIONS)
          .addFunctionDeclarations(
              ofTwoNumbers(Operator.DIVIDE, DIVIDED), ofTwoNumbers(Operator.MODULO, REMAINDER))
          .build();

  /** CEL's decimals divide by zero into infinity, which would be more than any limit. */
  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.standardCelRuntimeBuilder()
          .setOptions(OPTIONS)
          .addFunctionBindings(
              CelFunctionBinding.from(
                  DIVIDED, Double.class, Double.class, (a, b) -> a / notZero(b)),
              CelFunctionBinding.from(
                  REMAINDER, Double.class, Double.class, (a, b) -> a % notZero(b)))
          .build();

  private CelExpression() {}

  private static CelFunctionDecl ofTwoNumbers(Operator operator, String overload) {
    return CelFunctionDecl.newFunctionDeclaration(
        operator.getFunction(),
        CelOverloadDecl.newGlobalOverload(
            overload, SimpleType.DOUBLE, SimpleType.DOUBLE, SimpleType.DOUBLE));
  }

  private static double notZero(double divisor) {
    if (divisor == 0) throw new ArithmeticException(BY_ZERO);
    return divisor;
  }

  static Condition.Question compile(String expression, Map<String, Figure> figures) {
    CelCompilerBuilder builder = COMPILER.toCompilerBuilder();
    figures.forEach((name, figure) -> builder.addVar(name, type(figure)));
    CelCompiler compiler = builder.build();
    Complaint complaint = new Complaint(figures.keySet());
    try {
      CelAbstractSyntaxTree parsed = parse(compiler, expression, complaint);
      CelAbstractSyntaxTree checked = check(compiler, parsed, complaint);
      Program program = RUNTIME.createProgram(checked);
      return values -> ask(program, values);
    } catch (CelValidationException | CelEvaluationException fault) {
      throw new IllegalStateException("a condition without errors is no program", fault);
    }
  }

  private static CelAbstractSyntaxTree parse(
      CelCompiler compiler, String expression, Complaint complaint) throws CelValidationException {
    CelValidationResult parsed = compiler.parse(expression);
    if (parsed.hasError()) throw complaint.unreadable(parsed.getErrors().get(0), expression);
    return parsed.getAst();
  }

  private static CelAbstractSyntaxTree check(
      CelCompiler compiler, CelAbstractSyntaxTree parsed, Complaint complaint)
      throws CelValidationException {
    CelMutableAst ast = CelMutableAst.fromCelAst(parsed);
    List<CelMutableExpr> nodes =
        CelNavigableMutableAst.fromAst(ast)
            .getRoot()
            .allNodes()
            .map(CelNavigableMutableExpr::expr)
            .toList();
    // The copy below forgets where its nodes stood; the parsed one knows.
    Map<Long, Integer> offsets = parsed.getSource().getPositionsMap();
    nodes.forEach(node -> complaint.refuseUnknownFunction(node, offsets));
    nodes.forEach(node -> complaint.refuseUnknownName(node, offsets));
    nodes.forEach(CelExpression::makeDecimal);
    CelValidationResult checked = compiler.check(ast.toParsedAst());
    if (checked.hasError()) throw complaint.mistyped(checked.getErrors().get(0), offsets);
    CelType result = checked.getAst().getResultType();
    if (!result.equals(SimpleType.BOOL)) throw complaint.noAnswer(result.name());
    return checked.getAst();
  }

  private static CelType type(Figure figure) {
    return switch (figure) {
      case NUMBER -> SimpleType.DOUBLE;
      case TEXT -> SimpleType.STRING;
      case FLAG -> SimpleType.BOOL;
    };
  }

  /** CEL has no arithmetic of an integer and a decimal, so every number becomes a decimal. */
  private static void makeDecimal(CelMutableExpr node) {
    if (node.getKind() != Kind.CONSTANT) return;
    CelConstant constant = node.constant();
    switch (constant.getKind()) {
      case INT64_VALUE -> node.setConstant(CelConstant.ofValue((double) constant.int64Value()));
      case UINT64_VALUE ->
          node.setConstant(CelConstant.ofValue(constant.uint64Value().doubleValue()));
      default -> {}
    }
  }

  private static Outcome ask(Program program, Map<String, Object> values) {
    try {
      return new Outcome(Boolean.TRUE.equals(program.eval(values)), null);
    } catch (CelEvaluationException fault) {
      boolean byZero = fault.getCause() instanceof ArithmeticException;
      return new Outcome(false, byZero ? BY_ZERO : String.valueOf(fault.getMessage()));
    }
  }
}
