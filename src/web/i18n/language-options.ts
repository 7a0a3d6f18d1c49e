import { locales } from '#contract/locales.ts';

/** The interface languages and the current language, by their localised names. */
export function languageOptions(locale: string, present: string | null): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  const collator = new Intl.Collator(locale);
  const tags = [...new Set([...locales.map(({ tag }) => tag), ...(present === null ? [] : [present])])];
  return tags
    .map((tag) => ({ value: tag, label: names.of(tag) ?? tag }))
    .toSorted((a, b) => collator.compare(a.label, b.label));
}
