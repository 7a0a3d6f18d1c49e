import { useLingui } from '@lingui/react';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { shortLengthFor, type ShortLength } from '#web/i18n/short-length.ts';

/** Formats a length in short form: 0.4 s, 3 min 12 s. */
export const useShortLength = (): ShortLength => shortLengthFor(regionalLocale(useLingui().i18n.locale));
