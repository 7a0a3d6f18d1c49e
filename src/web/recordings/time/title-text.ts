import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { timeTitle } from './reader-time.ts';

/** A recording of the server or of this device. Its title is empty if the user gave none. */
export type Titled = { title: string } & ({ recordedTime: RecordedTime } | { startedAtMs: number });

/** The title of a recording in the reader's language and time zone: its own title, else the time it was made. */
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
