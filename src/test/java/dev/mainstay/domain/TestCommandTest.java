package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestCommandTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mvn -B verify",
        "./mvnw -q test -Dtest=OneTest",
        "mvn -B verify -DskipTests=false",
        "/usr/bin/mvn clean install",
        "gradle :app:test",
        "./gradlew check",
        "npm test",
        "npm run test:unit",
        "yarn test --ci",
        "node --test",
        "pytest",
        "pytest -v tests",
        "python -m pytest -q",
        "python3 -m unittest",
        "CI=1 TZ=UTC pytest",
        "timeout 300 cargo test",
        "env CI=1 go test ./...",
        "uv run pytest",
        "npx vitest run",
        "bundle exec rspec",
        "make test",
        "cd app && mvn -B verify",
        "mvn -B verify 2>&1",
        "npm ci && npm test 2>&1",
        "dotnet test 'My App.sln'"
      })
  void these_run_tests(String command) {
    assertThat(TestCommand.isOne(command)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "echo pytest",
        "echo mvn test",
        "mvn compile",
        "mvn -B verify -DskipTests",
        "mvn install -Dmaven.test.skip=true",
        "gradle build -x test",
        "pytest --collect-only",
        "pytest --version",
        "cargo test --no-run",
        "npm test --if-present",
        "mvn test | tail -5",
        "mvn test || true",
        "mvn test; true",
        "pytest &",
        "pytest && echo ok; true",
        "sh -c 'pytest || true'",
        "git commit -m test",
        "npm install",
        "pytest 'open quote",
        "env",
        "timeout 3"
      })
  void these_do_not_or_do_not_say_how_the_tests_ended(String command) {
    assertThat(TestCommand.isOne(command)).isFalse();
  }

  @Test
  void a_requirement_is_tests_or_a_whole_command() {
    assertThat(new Requirement(" Tests ")).isEqualTo(Requirement.TESTS);
    assertThat(new Requirement("mvn  -B verify").text()).isEqualTo("mvn -B verify");
    assertThat(new Requirement("./check.sh").isTests()).isFalse();
    for (String wrong : new String[] {"test", "lint", "", "mvn test | tail", "two\nlines"}) {
      assertThatThrownBy(() -> new Requirement(wrong)).as(wrong).isInstanceOf(Refusal.class);
    }
  }
}
