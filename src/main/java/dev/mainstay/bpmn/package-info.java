/**
 * Processes: a definition, its tokens and one happening in; new tokens and wanted work out. Pure;
 * may touch {@code domain}, {@code rules} and {@code calendar}.
 */
@NullMarked
package dev.mainstay.bpmn;

import org.jspecify.annotations.NullMarked;
