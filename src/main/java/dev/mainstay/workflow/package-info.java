/**
 * Workflows: kept, started, and moved one step in the same transaction as the work that moves them.
 * May touch {@code domain}, {@code json}, {@code bpmn}, {@code diagram}, {@code store} and {@code
 * queue}.
 */
@NullMarked
package dev.mainstay.workflow;

import org.jspecify.annotations.NullMarked;
