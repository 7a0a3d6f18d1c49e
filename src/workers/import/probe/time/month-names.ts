import { locales } from '#contract/locales.ts';

const styles: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { month: 'short' },
  { month: 'long', day: 'numeric' },
  { month: 'short', day: 'numeric' },
  { month: 'long', day: 'numeric', year: 'numeric' },
];

function namesIn(locale: string): [string, number][] {
  return styles.flatMap((style) => {
    const format = new Intl.DateTimeFormat(locale, { ...style, calendar: 'gregory', timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, index): [string, number] => {
      const part =
        format.formatToParts(Date.UTC(2024, index, 15)).find(({ type }) => type === 'month')?.value ?? '';
      return [part.toLowerCase().replace(/\.$/, ''), index + 1];
    });
  });
}

let known: ReadonlyMap<string, number> | null = null;

/**
 * Names of months in the languages of the interface, in lower case and without a full stop. A name that means two
 * different months in two languages is left out.
 */
export function monthNames(): ReadonlyMap<string, number> {
  if (known !== null) return known;
  const names = new Map<string, number>();
  const ambiguous = new Set<string>();
  for (const [name, month] of locales.flatMap(({ tag }) => namesIn(tag))) {
    // Skips numbers.
    if (!/^[\p{L}\p{M}.' \u200c\u200d]{2,}$/u.test(name)) continue;
    if ((names.get(name) ?? month) !== month) ambiguous.add(name);
    names.set(name, month);
  }
  for (const name of ambiguous) names.delete(name);
  known = names;
  return known;
}
