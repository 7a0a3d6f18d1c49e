import { written } from '#base/nearest-language.ts';
import { locales, type ShippedLocale } from '#contract/locales.ts';

export interface LanguageName {
  locale: ShippedLocale;
  /** Its name in the interface language. */
  nameHere: string;
  /** Everything that the user might type to find it. */
  searchText: string;
}

/** Whether a locale matches a preferred tag: the same language in the same script. */
const serves = (locale: ShippedLocale, wanted: string): boolean => written(wanted) === written(locale.tag);

/**
 * The interface languages for a picker, by their own names and in the order of the interface language. The current
 * language and those that the browser prefers come first.
 * @param preferred the languages of the browser, most preferred first
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
