/** The languages the interface ships, in one table: BCP 47 tag, what its speakers call it, and its direction. */
export const locales = [
  { tag: 'en', autonym: 'English', dir: 'ltr' },
  { tag: 'de', autonym: 'Deutsch', dir: 'ltr' },
  { tag: 'ar', autonym: 'العربية', dir: 'rtl' },
] as const satisfies readonly { tag: string; autonym: string; dir: 'ltr' | 'rtl' }[];

export type ShippedLocale = (typeof locales)[number];
export type LocaleTag = ShippedLocale['tag'];

/** The language the source strings are written in, and the last resort of every negotiation. */
export const sourceLocale = locales[0];

/** The shipped locale of a tag, or null. */
export const shippedLocale = (tag: string): ShippedLocale | null => locales.find((locale) => locale.tag === tag) ?? null;
