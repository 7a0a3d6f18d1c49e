import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { formatsFor } from '#web/i18n/format.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { isInMemory } from '#web/features/recorder/take/take-safety.ts';
import type { Take } from '#web/features/recorder/take/take.ts';

/** That a recording was stopped, how long it is, and where it is saved at this moment. */
export function stoppedWords(take: Take): string {
  const length = formatsFor(regionalLocale(i18n.locale)).duration(take.progress.capturedMs);
  if (take.safety === 'server') return i18n._(msg`Recording stopped. ${length}, saved on the server`);
  if (isInMemory(take)) return i18n._(msg`Recording stopped. ${length}, only in this page’s memory`);
  return i18n._(msg`Recording stopped. ${length}, saved on this device`);
}
