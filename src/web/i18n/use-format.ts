import { useLingui } from '@lingui/react';
import { formatsFor, type Formats } from './format.ts';
import { regionalLocale } from './regional-locale.ts';

/** Dates, lengths, sizes and numbers in the interface language, the way the browser's region writes them. */
export function useFormat(): Formats {
  return formatsFor(regionalLocale(useLingui().i18n.locale));
}
