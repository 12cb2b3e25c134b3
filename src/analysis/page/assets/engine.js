// What browsers have and the embedded engine lacks. Runs before vega;
// `mathematics` is the host's.
"use strict";

// The engine's own take these from the system, which need not round alike.
for (const [name, f] of Object.entries(mathematics)) Math[name] = f;

// Of the plain values that specifications are made of.
globalThis.structuredClone = (value) => {
  if (Array.isArray(value)) return value.map(structuredClone);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, structuredClone(inner)]));
};
