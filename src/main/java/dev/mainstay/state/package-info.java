/**
 * Remember and change what is known about a task: notebook, run, checkpoints, earlier moments, and
 * the prompt made of it. Touches the domain, json, render, rules, the queue and the store.
 */
@NullMarked
package dev.mainstay.state;

import org.jspecify.annotations.NullMarked;
