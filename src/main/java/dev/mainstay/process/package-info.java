/** Run a program: argv only, time and output limits. Alone starts processes; touches the JDK. */
@NullMarked
package dev.mainstay.process;

import org.jspecify.annotations.NullMarked;
