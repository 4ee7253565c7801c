// The one place that imports the libraries of every page; those of a single page are loaded when it is opened.

import { h, render, createContext, Component, Fragment } from "./lib/preact.js";
import {
  useState,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useCallback,
  useReducer,
  useContext,
  useId,
} from "./lib/hooks.js";
import htm from "./lib/htm.js";
import { contained } from "./parts/contained.js";

/** An element, with what is text in it kept from turning around what stands beside it. */
function element(type, properties, ...children) {
  return h(type, properties, ...children.map(kept));
}

/** @param {any} child */
function kept(child) {
  if (typeof child === "string") return contained(child);
  return Array.isArray(child) ? child.map(kept) : child;
}

/** Markup in a template: html`<p class="soft">${text}</p>`. What is put in is text, never markup. */
export const html = htm.bind(element);

export {
  render,
  createContext,
  Component,
  Fragment,
  useState,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useCallback,
  useReducer,
  useContext,
  useId,
};
