import { nearestLanguage } from '#base/nearest-language.ts';

/** The languages of the interface: BCP 47 tag, name in the language itself, and direction. */
export const locales = [
  { tag: 'en', autonym: 'English', dir: 'ltr' },
  { tag: 'ar', autonym: 'العربية', dir: 'rtl' },
  { tag: 'bn', autonym: 'বাংলা', dir: 'ltr' },
  { tag: 'cs', autonym: 'Čeština', dir: 'ltr' },
  { tag: 'de', autonym: 'Deutsch', dir: 'ltr' },
  { tag: 'es', autonym: 'Español', dir: 'ltr' },
  { tag: 'fa', autonym: 'فارسی', dir: 'rtl' },
  { tag: 'fi', autonym: 'Suomi', dir: 'ltr' },
  { tag: 'fr', autonym: 'Français', dir: 'ltr' },
  { tag: 'he', autonym: 'עברית', dir: 'rtl' },
  { tag: 'hi', autonym: 'हिन्दी', dir: 'ltr' },
  { tag: 'id', autonym: 'Bahasa Indonesia', dir: 'ltr' },
  { tag: 'it', autonym: 'Italiano', dir: 'ltr' },
  { tag: 'ja', autonym: '日本語', dir: 'ltr' },
  { tag: 'ko', autonym: '한국어', dir: 'ltr' },
  { tag: 'nl', autonym: 'Nederlands', dir: 'ltr' },
  { tag: 'pl', autonym: 'Polski', dir: 'ltr' },
  { tag: 'pt-BR', autonym: 'Português (Brasil)', dir: 'ltr' },
  { tag: 'ru', autonym: 'Русский', dir: 'ltr' },
  { tag: 'sw', autonym: 'Kiswahili', dir: 'ltr' },
  { tag: 'tr', autonym: 'Türkçe', dir: 'ltr' },
  { tag: 'uk', autonym: 'Українська', dir: 'ltr' },
  { tag: 'ur', autonym: 'اردو', dir: 'rtl' },
  { tag: 'zh-Hans', autonym: '简体中文', dir: 'ltr' },
] as const satisfies readonly { tag: string; autonym: string; dir: 'ltr' | 'rtl' }[];

/**
 * Pseudo-locales for tests, generated from English: longer by half and accented, and right to left. No picker
 * lists them and no negotiation selects them; `?lang=` shows them.
 */
const pseudoLocales = [
  { tag: 'en-XA', autonym: '[Éñĝļîšĥ]', dir: 'ltr' },
  { tag: 'ar-XB', autonym: 'hsilgnE', dir: 'rtl' },
] as const satisfies readonly { tag: string; autonym: string; dir: 'ltr' | 'rtl' }[];

export type ShippedLocale = (typeof locales)[number] | (typeof pseudoLocales)[number];
export type LocaleTag = ShippedLocale['tag'];

/** The language of the source strings, and the fallback of every negotiation. */
export const sourceLocale = locales[0];

/** The shipped locale of a tag, or null. */
export const shippedLocale = (tag: string): ShippedLocale | null =>
  [...locales, ...pseudoLocales].find((locale) => locale.tag === tag) ?? null;

/** The shipped locale nearest to the wanted BCP 47 tags, most preferred first; English if none is near. */
export function nearestLocale(wanted: readonly string[]): ShippedLocale {
  return (
    shippedLocale(
      nearestLanguage(
        wanted,
        locales.map(({ tag }) => tag),
      ) ?? '',
    ) ?? sourceLocale
  );
}
