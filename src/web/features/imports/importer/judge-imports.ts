import { type ImportRecord, recordingIdOf } from '#workers/import/import-record.ts';
import type { ImportJob } from './import-item.ts';
import { visibleJobs } from './job-queue.ts';

/**
 * What the server found in a file that it has; null if it is not known yet. `gone`: its recording was deleted
 * permanently.
 */
export type ImportJudgement = 'playable' | 'unplayable' | 'gone' | null;

/**
 * Asks what the server found in the files that it has, one after another.
 * @param recordingId only in the file of this recording; in all files if undefined
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
    const isAsked = () => job.state.step === 'checking' && (recordingId === undefined || id === recordingId);
    if (!isAsked()) continue;
    // Without an answer, the next event of the server asks again.
    const judgement = await judgementOf(job.record).catch(() => null);
    if (judgement !== null && isAsked()) onJudged(job, judgement);
  }
}
