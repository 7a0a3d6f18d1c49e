import { senderId } from '#web/api/session-state.ts';
import type { ImportJob } from './import-item.ts';

const concurrency = { reading: 1, sending: 2 } as const;

type Jobs = ReadonlyMap<string, ImportJob>;

/** The imports that the current user may see. */
export function visibleJobs(jobs: Jobs): ImportJob[] {
  const user = senderId();
  return [...jobs.values()].filter(({ record }) => record.ownerId === null || record.ownerId === user);
}

/** The next import to read or to send; undefined if none waits, or as many as may run at once are running. */
export function nextJob(jobs: Jobs, step: 'reading' | 'sending'): ImportJob | undefined {
  const busy = [...jobs.values()].filter(({ state }) => state.step === step).length;
  if (busy >= concurrency[step]) return undefined;
  return visibleJobs(jobs).find(
    ({ state, record, file }) =>
      state.step === 'waiting' &&
      (step === 'sending' ? record.sha256 !== null : record.sha256 === null && file !== null),
  );
}
