/**
 * Stories that scripted agents play with the real parts, to show and to measure what Mainstay does.
 * Touches domain, json, render, context, store, queue, state, terminal, workspace, process.
 */
@NullMarked
package dev.mainstay.demo;

import org.jspecify.annotations.NullMarked;
