declare const isolated: unique symbol;
/** User text that may stand inside a message. */
export type Isolated = string & { readonly [isolated]: true };

const firstStrongIsolate = '\u2068';
const popIsolate = '\u2069';
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Wraps a person's words in FSI … PDI, so that they reorder nothing of the message around them (Unicode TR9 §2.7).
 * Controls of their own, which could undo the wrapping, are taken out.
 */
export function iso(text: string): Isolated {
  const wrapped = firstStrongIsolate + text.replace(bidiControls, '') + popIsolate;
  return wrapped as Isolated;
}

/** The same for what is left to right in every language: sizes, codes, file names, addresses. */
export function isoLeftToRight(text: string): Isolated {
  return `\u2066${text.replace(bidiControls, '')}\u2069` as Isolated;
}
