import { hour, minute, second } from '#base/duration.ts';

/** No line break, and less than a full space, between a number and its unit (SI brochure, 5.4.3). */
const thinSpace = '\u202f';

const siSymbols = { hour: 'h', minute: 'min', second: 's', millisecond: 'ms' } as const;
type Unit = keyof typeof siSymbols;

export type ShortLength = (ms: number) => string;

/** Languages in Latin script use SI symbols; the others use their own. */
function writeIn(locale: string): (value: number, unit: Unit, tenths?: boolean) => string {
  const isLatin = new Intl.Locale(locale).maximize().script === 'Latn';
  return (value, unit, tenths = false) => {
    const digits = tenths ? { minimumFractionDigits: 1, maximumFractionDigits: 1 } : {};
    if (isLatin)
      return `${new Intl.NumberFormat(locale, digits).format(value)}${thinSpace}${siSymbols[unit]}`;
    return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow', ...digits })
      .format(value)
      .replace(/\s/gu, thinSpace);
  };
}

function shortLengthIn(locale: string): ShortLength {
  const write = writeIn(locale);
  return (ms) => {
    if (ms < 10 * second) return write(Math.max(0, Math.floor(ms / 100)) / 10, 'second', true);
    const parts: readonly [number, Unit][] = [
      [Math.floor(ms / hour), 'hour'],
      [Math.floor(ms / minute) % 60, 'minute'],
      [Math.floor(ms / second) % 60, 'second'],
    ];
    return parts
      .filter(([value]) => value > 0)
      .map(([value, unit]) => write(value, unit))
      .join(' ');
  };
}

/** Formats the length of a gap, which is never zero: below a tenth of a second in milliseconds, 30 ms. */
export function gapLengthFor(locale: string): ShortLength {
  const [write, shortLength] = [writeIn(locale), shortLengthFor(locale)];
  return (ms) => (ms > 0 && ms < 100 ? write(Math.ceil(ms), 'millisecond') : shortLength(ms));
}

const made = new Map<string, ShortLength>();

/** Formats a length in few characters: 0.4 s, 3 min 12 s, 2 h 5 min. */
export function shortLengthFor(locale: string): ShortLength {
  const known = made.get(locale) ?? shortLengthIn(locale);
  made.set(locale, known);
  return known;
}
