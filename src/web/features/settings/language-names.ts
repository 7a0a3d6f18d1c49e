import { locales, type ShippedLocale } from '#contract/locales.ts';

export interface LanguageName {
  locale: ShippedLocale;
  /** What the interface language calls it. */
  nameHere: string;
  /** Everything somebody might type to find it. */
  searchText: string;
}

/** The languages of the interface for a picker: by what their speakers call them, in the order of the interface language. */
export function languageNames(interfaceTag: string): LanguageName[] {
  const here = new Intl.DisplayNames(interfaceTag, { type: 'language' });
  const english = new Intl.DisplayNames('en', { type: 'language' });
  const collator = new Intl.Collator(interfaceTag, { sensitivity: 'base', numeric: true });
  return locales
    .map((locale) => {
      const nameHere = here.of(locale.tag) ?? locale.autonym;
      const searchText = [locale.autonym, nameHere, english.of(locale.tag) ?? '', locale.tag].join(' ');
      return { locale, nameHere, searchText };
    })
    .toSorted((a, b) => collator.compare(a.locale.autonym, b.locale.autonym));
}
