import { useLingui } from '@lingui/react';
import { formatsFor, type Formats } from './format.ts';

/** Dates, lengths, sizes and numbers in the interface language. */
export function useFormat(): Formats {
  return formatsFor(useLingui().i18n.locale);
}
