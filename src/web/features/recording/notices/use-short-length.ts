import { useLingui } from '@lingui/react';
import { hour, minute, second } from '#base/duration.ts';

/** Short words for a length, in Latin digits or the locale's own: 0.4s, 3m 12s. */
export function useShortLength(): (ms: number) => string {
  const { i18n: { locale } } = useLingui();
  return (ms) => {
    if (ms < 10 * second) {
      const tenths = Math.max(0, Math.floor(ms / 100)) / 10;
      return new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'narrow', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(tenths);
    }
    return new Intl.DurationFormat(locale, { style: 'narrow' }).format({
      hours: Math.floor(ms / hour), minutes: Math.floor(ms / minute) % 60, seconds: Math.floor(ms / second) % 60,
    });
  };
}
