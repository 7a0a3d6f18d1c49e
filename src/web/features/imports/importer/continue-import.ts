import type { UnfinishedImport } from '#contract/storage-api.ts';
import { type ImportRecord, recordingIdOf } from '#workers/import/import-record.ts';
import { isActive, type ImportJob } from './import-item.ts';
import { lockContinued, removeImport } from './import-storage.ts';

/**
 * Makes an import send the rest of an unfinished one. Nobody can continue half-sent peaks, because decoding a second
 * time need not give the same bytes, so the server makes them.
 */
export function continued(record: ImportRecord, unfinished: UnfinishedImport): Partial<ImportRecord> {
  const isOwn = recordingIdOf(record) === unfinished.id;
  return {
    ...(record.id !== unfinished.id && { continuedRecordingId: unfinished.id }),
    audioUploadId: unfinished.audioUploadId ?? record.audioUploadId,
    peaksUploadId: unfinished.peaksUploadId ?? record.peaksUploadId,
    peaks: unfinished.peaksUploadId === null || isOwn ? record.peaks : 'server',
    epoch: Math.max(record.epoch, unfinished.epoch),
  };
}

/**
 * What becomes of a file that was chosen again while this page has an unfinished import of it: the older one continues
 * if it still has its bytes, otherwise the file that was just chosen takes its place. `separate`: the older one was
 * cancelled.
 */
export function resolveRepeated(older: ImportJob): 'resume-older' | 'replace-older' | 'separate' {
  if (older.state.step === 'cancelled') return 'separate';
  const hasBytes = older.record.hasCopy || older.file !== null;
  return hasBytes || isActive(older.state) ? 'resume-older' : 'replace-older';
}

/**
 * What to do with an import of which the server has a part: send the rest with these changes of its record, let the
 * older import of this page continue, or leave it to another page of this browser.
 */
type Continuation =
  | { kind: 'send'; changes: Partial<ImportRecord> }
  | { kind: 'older'; older: ImportJob }
  | { kind: 'elsewhere' };

/** Decides how an unfinished import continues, and locks it for this page. */
export async function continueImport(
  job: ImportJob,
  unfinished: UnfinishedImport,
  jobs: Map<string, ImportJob>,
): Promise<Continuation> {
  const { id } = job.record;
  const older = [...jobs.values()].find(
    (each) => each !== job && recordingIdOf(each.record) === unfinished.id,
  );
  if (older !== undefined) {
    const resolution = resolveRepeated(older);
    if (resolution === 'resume-older') return { kind: 'older', older };
    if (resolution === 'separate') return { kind: 'send', changes: {} };
    jobs.delete(older.record.id);
    await removeImport(older.record.id);
  }
  const isFree = unfinished.id === id || (await lockContinued(id, unfinished.id));
  return isFree ? { kind: 'send', changes: continued(job.record, unfinished) } : { kind: 'elsewhere' };
}

/**
 * Whether a file that was just chosen is the one that an earlier page had not read completely. Its hash is not
 * known, so name and size decide.
 */
export const isCutOffImportOf = ({ record, state }: ImportJob, file: File, name: string): boolean =>
  state.step === 'failed' &&
  state.error === 'cut-off' &&
  record.sha256 === null &&
  record.name === name &&
  record.sizeBytes === file.size;
