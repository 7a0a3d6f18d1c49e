import { useLingui } from '@lingui/react';
import { formatsFor, type Formats } from './format.ts';
import { regionalLocale } from './regional-locale.ts';

/** Dates, durations, sizes and numbers in the interface language, formatted for the browser's region. */
export function useFormat(): Formats {
  return formatsFor(regionalLocale(useLingui().i18n.locale));
}
