import { type ImportRecord, recordingIdOf } from '#workers/import/import-record.ts';
import { hasArrived, type ImportJob } from './import-item.ts';
import { saveImport } from './import-storage.ts';
import { visibleJobs } from './job-queue.ts';

/**
 * What the server found in a file that it has; null if it is not known yet. `gone`: its recording was deleted
 * permanently.
 */
export type ImportJudgement = 'playable' | 'unplayable' | 'gone' | null;

/**
 * Asks what the server found in the files that it has, one after another.
 * @param recordingId only in the file of this recording, also if it was judged before: the server may judge a file again;
 * in all files that are not judged yet if undefined
 */
export async function judgeImports(
  jobs: ReadonlyMap<string, ImportJob>,
  recordingId: string | undefined,
  {
    judgementOf,
    onJudged,
  }: {
    judgementOf: (record: ImportRecord) => Promise<ImportJudgement>;
    onJudged: (job: ImportJob, judgement: NonNullable<ImportJudgement>) => void;
  },
): Promise<void> {
  for (const job of visibleJobs(jobs)) {
    const id = recordingIdOf(job.record);
    const isAsked = () =>
      recordingId === undefined ? job.state.step === 'checking' : id === recordingId && hasArrived(job.state);
    if (!isAsked()) continue;
    // Without an answer, the next event of the server asks again.
    const judgement = await judgementOf(job.record).catch(() => null);
    if (judgement === null || !isAsked()) continue;
    // One that counted as imported until now is no longer stored on this device.
    if (judgement === 'unplayable') void saveImport(job.record);
    onJudged(job, judgement);
  }
}
