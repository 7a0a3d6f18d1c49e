import { monthNames } from './month-names.ts';

export interface NamedDay {
  year: number;
  month: number;
  date: number | undefined;
  rest: string;
}

let patterns: readonly RegExp[] | null = null;

function patternsOfNames(): readonly RegExp[] {
  if (patterns !== null) return patterns;
  const names = [...monthNames().keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.]/g, '\\.'));
  // Hebrew writes "in" and the month as one word.
  const month = `(?<![\\p{L}\\p{M}])ב?(?<name>${names.join('|')})(?![\\p{L}\\p{M}])\\.?`;
  const year = String.raw`(?<year>(?:18[6-9]|19\d|20\d)\d)(?!\d)`;
  const date = String.raw`(?<!\d)(?<date>0?[1-9]|[12]\d|3[01])`;
  const of = '(?:de |di |del? )?';
  patterns = [
    // 17 May 2024, 17. Mai 2024, 17 de mayo de 2024, 1er mai 2024.
    new RegExp(`${date}(?:\\.|er|º|ª|st|nd|rd|th)?[ _-]${of}${month}[,،]?[ _-]${of}${year}`, 'iu'),
    // May 17, 2024.
    new RegExp(`${month}[ _-]${date}(?:st|nd|rd|th)?[,،]?[ _-]${year}`, 'iu'),
    // May 2024.
    new RegExp(`${month}[ _-]${of}${year}`, 'iu'),
  ];
  return patterns;
}

function namedDay({ groups = {}, index, 0: found }: RegExpExecArray, name: string): NamedDay | null {
  const month = monthNames().get((groups['name'] ?? '').toLowerCase());
  const { date } = groups;
  return month === undefined
    ? null
    : {
        year: Number(groups['year']),
        month,
        date: date === undefined ? undefined : Number(date),
        rest: name.slice(index + found.length),
      };
}

/** A day or month in a file name that spells out the month in a language of the interface; null if there is none. */
export function dayWithMonthName(name: string): NamedDay | null {
  // The names in all languages are only built if one can match: a year with letters before it.
  if (!/[\p{L}\p{M}][^\d]{0,6}(?:\d{1,2}\D{1,4})?(?:18[6-9]|19\d|20\d)\d(?!\d)/u.test(name)) return null;
  for (const pattern of patternsOfNames()) {
    const found = pattern.exec(name);
    const day = found === null ? null : namedDay(found, name);
    if (day !== null) return day;
  }
  return null;
}
