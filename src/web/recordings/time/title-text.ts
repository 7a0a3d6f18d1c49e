import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { timeTitle } from './reader-time.ts';

/** A recording of the server or of this device; its title is empty where the user gave none. */
export type Titled = { title: string } & ({ recordedTime: RecordedTime } | { startedAtMs: number });

/** The name of a recording in the reader's language and zone: its title, else when it was made. */
export function titleText(recording: Titled, nowMs?: number): string {
  if (recording.title !== '') return recording.title;
  const time =
    'recordedTime' in recording
      ? recording.recordedTime
      : momentOf(new Date(recording.startedAtMs).toISOString(), null);
  return (
    timeTitle(time, { locale: regionalLocale(i18n.locale), ...(nowMs === undefined ? {} : { nowMs }) }) ??
    i18n._(msg`Untitled recording`)
  );
}
