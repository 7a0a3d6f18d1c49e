import { i18n } from '@lingui/core';
import { shippedLocale } from '#contract/locales.ts';

declare const isolated: unique symbol;
/** User text that may stand inside a message. */
export type Isolated = string & { readonly [isolated]: true };

const firstStrongIsolate = '\u2068';
const leftToRightIsolate = '\u2066';
const popIsolate = '\u2069';
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;
/**
 * Hebrew, Arabic and the other scripts that run from right to left, with their digits and presentation forms.
 */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const letterOfOtherDirection = /\p{L}/u;

/** Whether text takes nothing out of its place among words of a language: all of it runs their way. */
function runsAlong(text: string, locale: string): boolean {
  // A locale may name a region, too: "ar-EG".
  const isRightToLeft = (shippedLocale(locale) ?? shippedLocale(locale.split('-')[0] ?? ''))?.dir === 'rtl';
  if (!isRightToLeft) return !rightToLeft.test(text);
  // Numbers beside those of the message would change places.
  return (
    !/\p{N}/u.test(text) &&
    rightToLeft.test(text) &&
    !letterOfOtherDirection.test(text.replaceAll(new RegExp(rightToLeft, 'gu'), ''))
  );
}

function wrapped(text: string, mark: string, locale: string): Isolated {
  const bare = text.replace(bidiControls, '');
  return (runsAlong(bare, locale) ? bare : mark + bare + popIsolate) as Isolated;
}

/**
 * Wraps a person's words in FSI … PDI where they could reorder the message around them (Unicode TR9 §2.7).
 * Words that run the way of the language stay plain: voice control and exact searches find a button by what
 * is seen. Controls of their own, which could undo the wrapping, are taken out.
 */
export const iso = (text: string, locale = i18n.locale): Isolated =>
  wrapped(text, firstStrongIsolate, locale);

/** The same for what is left to right in every language: sizes, codes, file names, addresses. */
export const isoLeftToRight = (text: string, locale = i18n.locale): Isolated =>
  wrapped(text, leftToRightIsolate, locale);
