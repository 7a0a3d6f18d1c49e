import type { ImportRecord } from '#workers/import/import-record.ts';
import { type ImportJob, proposedTimeOf } from './import-item.ts';
import { setUnknownTime } from './server-calls.ts';

/** What the user's answer changes in the record of a file whose date was proposed. */
export function dateChoice(job: ImportJob | undefined, isUsed: boolean): Partial<ImportRecord> {
  const time = job ? proposedTimeOf(job) : null;
  const facts = job?.record.facts ?? null;
  if (time === null || facts === null) return {};
  return isUsed ? { facts: { ...facts, recordedTime: time } } : { isDateLeftUnknown: true };
}

/** Sends the date of a file to a recording that was registered without it. Others are registered with it. */
export function sendTime(job: ImportJob | undefined, onSent: () => void): void {
  const time = job?.record.facts?.recordedTime;
  if (job?.record.isRegistered === true && time?.kind === 'moment' && time.source === 'file')
    void setUnknownTime(job.record, time).then(onSent);
}
