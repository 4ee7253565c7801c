package dev.mainstay.rules;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelErrorCode;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelMutableAst;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.Operator;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.Program;
import dev.mainstay.domain.Phrase;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * CEL for expressions: read and checked as it is written, then asked with the operations of {@link
 * Operation} in the place of CEL's own.
 */
final class CelFormula {
  private static final TypeParamType A = TypeParamType.create("A");
  private static final TypeParamType B = TypeParamType.create("B");
  private static final int OPERANDS_MAX = 3;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .maxExpressionCodePointSize(Expression.EXPRESSION_CHARS_MAX)
          .maxParseRecursionDepth(CelExpression.NESTING_MAX)
          .maxParseExpressionNodeCount(CelExpression.NODES_MAX)
          .maxParseErrorRecoveryLimit(1)
          .comprehensionMaxIterations(Expression.ROUNDS_MAX)
          .build();

  /** Without patterns, for the reason that {@link CelExpression} has none. */
  private static final CelCompiler AS_WRITTEN =
      CelCompilerFactory.standardCelCompilerBuilder()
          .setOptions(OPTIONS)
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .setStandardEnvironmentEnabled(false)
          .setStandardDeclarations(
              declarations(
                  StandardFunction.CONDITIONAL,
                  StandardFunction.NOT_STRICTLY_FALSE,
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
          .addFunctionDeclarations(
              ofNumbers(Operator.DIVIDE), ofNumbers(Operator.MODULO), index(), size(), string())
          .build();

  /** Only what CEL decides itself is left to it: what follows what, and the lists of loops. */
  private static final CelCompiler AS_ASKED =
      CelCompilerFactory.standardCelCompilerBuilder()
          .setOptions(OPTIONS)
          .setStandardEnvironmentEnabled(false)
          .setStandardDeclarations(
              declarations(
                  StandardFunction.CONDITIONAL,
                  StandardFunction.NOT_STRICTLY_FALSE,
                  StandardFunction.LOGICAL_OR,
                  StandardFunction.LOGICAL_AND,
                  StandardFunction.ADD))
          .addVar(Rewriting.GIVEN, SimpleType.DYN)
          .addFunctionDeclarations(operations())
          .build();

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.standardCelRuntimeBuilder()
          .setOptions(OPTIONS)
          .addFunctionBindings(bindings())
          .build();

  private CelFormula() {}

  private static CelStandardDeclarations declarations(StandardFunction... functions) {
    return CelStandardDeclarations.newBuilder().includeFunctions(List.of(functions)).build();
  }

  private static CelFunctionDecl ofNumbers(Operator operator) {
    CelType number = SimpleType.DOUBLE;
    return CelFunctionDecl.newFunctionDeclaration(
        operator.getFunction(),
        CelOverloadDecl.newGlobalOverload("of_numbers_" + operator, number, number, number));
  }

  private static CelFunctionDecl index() {
    return CelFunctionDecl.newFunctionDeclaration(
        Operator.INDEX.getFunction(),
        CelOverloadDecl.newGlobalOverload("item_of_list", A, ListType.create(A), SimpleType.DOUBLE),
        CelOverloadDecl.newGlobalOverload("item_of_map", B, MapType.create(A, B), A));
  }

  private static CelFunctionDecl size() {
    CelType number = SimpleType.DOUBLE;
    CelType text = SimpleType.STRING;
    CelType list = ListType.create(A);
    CelType map = MapType.create(A, B);
    return CelFunctionDecl.newFunctionDeclaration(
        "size",
        CelOverloadDecl.newGlobalOverload("size_of_text", number, text),
        CelOverloadDecl.newGlobalOverload("size_of_list", number, list),
        CelOverloadDecl.newGlobalOverload("size_of_map", number, map),
        CelOverloadDecl.newMemberOverload("text_size", number, text),
        CelOverloadDecl.newMemberOverload("list_size", number, list),
        CelOverloadDecl.newMemberOverload("map_size", number, map));
  }

  private static CelFunctionDecl string() {
    CelType text = SimpleType.STRING;
    return CelFunctionDecl.newFunctionDeclaration(
        "string",
        CelOverloadDecl.newGlobalOverload("string_of_text", text, text),
        CelOverloadDecl.newGlobalOverload("string_of_number", text, SimpleType.DOUBLE),
        CelOverloadDecl.newGlobalOverload("string_of_flag", text, SimpleType.BOOL));
  }

  private static CelFunctionDecl operations() {
    CelOverloadDecl[] overloads = new CelOverloadDecl[OPERANDS_MAX + 1];
    for (int operands = 0; operands <= OPERANDS_MAX; operands++) {
      List<CelType> types = Collections.nCopies(2 + operands, SimpleType.DYN);
      overloads[operands] =
          CelOverloadDecl.newGlobalOverload(Rewriting.DO + operands, SimpleType.DYN, types);
    }
    return CelFunctionDecl.newFunctionDeclaration(Rewriting.DO, overloads);
  }

  private static List<CelFunctionBinding> bindings() {
    CelFunctionBinding[] bindings = new CelFunctionBinding[OPERANDS_MAX + 1];
    for (int operands = 0; operands <= OPERANDS_MAX; operands++) {
      List<Class<?>> types = Collections.nCopies(2 + operands, Object.class);
      bindings[operands] =
          CelFunctionBinding.from(Rewriting.DO + operands, types, CelFormula::apply);
    }
    return List.of(bindings);
  }

  private static Object apply(Object[] given) throws CelEvaluationException {
    try {
      return Operation.valueOf((String) given[1])
          .apply((Given) given[0], Arrays.asList(given).subList(2, given.length));
    } catch (Unanswered unanswered) {
      // Of any other exception CEL makes a message with all that was given in it, however large.
      throw new CelEvaluationException(unanswered.sentence(), unanswered);
    }
  }

  static Expression.Question compile(String text) {
    Remark remark = new Remark(text);
    try {
      CelValidationResult read = AS_WRITTEN.parse(text);
      if (read.hasError()) throw remark.unreadable(read.getErrors().get(0));
      CelAbstractSyntaxTree parsed = read.getAst();
      Rewriting rewriting = new Rewriting(remark, parsed.getSource().getPositionsMap());
      CelMutableAst ast = CelMutableAst.fromCelAst(parsed);
      Set<String> names = rewriting.prepare(ast.expr());
      CelCompilerBuilder builder = AS_WRITTEN.toCompilerBuilder();
      names.forEach(name -> builder.addVar(name, SimpleType.DYN));
      CelValidationResult checked = builder.build().check(ast.toParsedAst());
      if (checked.hasError()) {
        throw remark.mistyped(checked.getErrors().get(0), parsed.getSource().getPositionsMap());
      }
      rewriting.rewrite(ast.expr());
      CelAbstractSyntaxTree asked = AS_ASKED.check(ast.toParsedAst()).getAst();
      Program program = RUNTIME.createProgram(asked);
      return given -> ask(program, given);
    } catch (CelValidationException | CelEvaluationException fault) {
      throw new IllegalStateException("an expression without errors is no program", fault);
    }
  }

  private static Object ask(Program program, Given given) {
    try {
      return program.eval(Map.of(Rewriting.GIVEN, given));
    } catch (CelEvaluationException fault) {
      for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
        if (cause instanceof Unanswered unanswered) throw unanswered;
      }
      if (fault.getErrorCode() == CelErrorCode.ITERATION_BUDGET_EXCEEDED) {
        throw new Unanswered(
            Phrase.of("its loops take more than %d rounds", Expression.ROUNDS_MAX));
      }
      throw new Unanswered(
          String.valueOf(fault.getMessage()).lines().findFirst().orElse("it has no answer"));
    }
  }
}
