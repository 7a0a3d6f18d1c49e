import { i18n } from '@lingui/core';
import { shippedLocale } from '#contract/locales.ts';

declare const isolated: unique symbol;
/** User text that is safe to insert into a message. */
export type Isolated = string & { readonly [isolated]: true };

const firstStrongIsolate = '\u2068';
const leftToRightIsolate = '\u2066';
const popIsolate = '\u2069';
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;
/** Hebrew, Arabic and the other right-to-left scripts, with their digits and presentation forms. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const letterOfOtherDirection = /\p{L}/u;

/** Whether text cannot reorder a message of the language, because all of it runs in the same direction. */
function hasSameDirection(text: string, locale: string): boolean {
  // A locale may include a region: "ar-EG".
  const isRightToLeft = (shippedLocale(locale) ?? shippedLocale(locale.split('-')[0] ?? ''))?.dir === 'rtl';
  if (!isRightToLeft) return !rightToLeft.test(text);
  // Numbers could swap places with those of the message.
  return (
    !/\p{N}/u.test(text) &&
    rightToLeft.test(text) &&
    !letterOfOtherDirection.test(text.replaceAll(new RegExp(rightToLeft, 'gu'), ''))
  );
}

function isolate(text: string, mark: string, locale: string): Isolated {
  const bare = text.replace(bidiControls, '');
  return (hasSameDirection(bare, locale) ? bare : mark + bare + popIsolate) as Isolated;
}

/**
 * Isolates user text in FSI … PDI if it could reorder the message around it (Unicode TR9 §2.7). Text in the
 * direction of the language stays plain, because voice control and exact searches find a button by its visible
 * text. Bidi controls within the text, which could undo the isolation, are removed.
 */
export const iso = (text: string, locale = i18n.locale): Isolated =>
  isolate(text, firstStrongIsolate, locale);

/** The same for text that is left to right in every language: sizes, codes, file names, addresses. */
export const isoLeftToRight = (text: string, locale = i18n.locale): Isolated =>
  isolate(text, leftToRightIsolate, locale);
