/**
 * What is true: task, plan, notebook, task state, directives, constraints, events, {@code Refusal}.
 * Pure: touches the JDK and JSpecify alone.
 */
@NullMarked
package dev.mainstay.domain;

import org.jspecify.annotations.NullMarked;
