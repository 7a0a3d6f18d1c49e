import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';

const refused = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** "Recording, {date, time}" in the interface language, without the direction marks that a title may not hold. */
export function defaultTitle(startedAtMs: number): string {
  const when = new Intl.DateTimeFormat(regionalLocale(i18n.locale), { dateStyle: 'medium', timeStyle: 'short' }).format(startedAtMs).replace(refused, '');
  return i18n._(msg`Recording ${when}`);
}

/** What was typed, made a title the server accepts; null when nothing is left of it. */
export function cleanTitle(typed: string): string | null {
  const text = typed.replace(refused, ' ').trim();
  if (text === '') return null;
  return codePointLength(text) <= limits.titleLength ? text : Array.from(text).slice(0, limits.titleLength).join('').trim();
}
