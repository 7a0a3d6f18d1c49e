import { written } from '#base/nearest-language.ts';
import { locales, type ShippedLocale } from '#contract/locales.ts';

export interface LanguageName {
  locale: ShippedLocale;
  /** What the interface language calls it. */
  nameHere: string;
  /** Everything somebody might type to find it. */
  searchText: string;
}

/**
 * Whether a browser that wants one tag would be served by a locale: the same language, in the same script.
 */
const serves = (locale: ShippedLocale, wanted: string): boolean => written(wanted) === written(locale.tag);

/**
 * The languages of the interface for a picker: by what their speakers call them, in the order of the
 * interface language; but the one shown and those that the browser asks for come before all others.
 * @param preferred the languages of the browser, most wanted first
 */
export function languageNames(
  interfaceTag: string,
  preferred: readonly string[] = globalThis.navigator?.languages ?? [],
): LanguageName[] {
  const here = new Intl.DisplayNames(interfaceTag, { type: 'language' });
  const english = new Intl.DisplayNames('en', { type: 'language' });
  const collator = new Intl.Collator(interfaceTag, { sensitivity: 'base', numeric: true });
  const likely = [interfaceTag, ...preferred];
  const rank = (locale: ShippedLocale) => {
    const place = likely.findIndex((wanted) => serves(locale, wanted));
    return place === -1 ? likely.length : place;
  };
  return locales
    .map((locale) => {
      const nameHere = here.of(locale.tag) ?? locale.autonym;
      const searchText = [locale.autonym, nameHere, english.of(locale.tag) ?? '', locale.tag].join(' ');
      return { locale, nameHere, searchText, rank: rank(locale) };
    })
    .toSorted((a, b) => a.rank - b.rank || collator.compare(a.locale.autonym, b.locale.autonym))
    .map(({ locale, nameHere, searchText }) => ({ locale, nameHere, searchText }));
}
