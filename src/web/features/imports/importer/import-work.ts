import { SpeedMeter } from '#web/api/connection/speed-meter.ts';
import type { FileFormat } from '#workers/import/import-record.ts';
import type { FromImportWorker } from '#workers/import/messages.ts';
import { decodeInPage } from './decode-in-page.ts';
import type { ImportJob, ImportState } from './import-item.ts';
import { type ImportWorkerClient, startImportWorkerClient } from './import-worker-client.ts';
import type { RetryReason } from './server-calls.ts';

/**
 * A worker that reads or sends the file of an import. `retryReason`: the reason why the import is not registered
 * yet.
 */
export interface Work {
  job: ImportJob;
  thread: ImportWorkerClient;
  speed: SpeedMeter;
  retryReason: RetryReason;
}

/** What a worker reports of its import. */
export type ImportReport = Exclude<FromImportWorker, { type: 'decode-wanted' | 'decoded' }>;

const unknownFormat: FileFormat = { container: 'other', codec: 'unknown', sampleRateHz: 48_000, channels: 1 };

/** Starts a worker for an import, and decides when it asks whether it may decode the file. */
export function startWork(job: ImportJob, onMessage: (message: ImportReport) => void): Work {
  const { promise: hasDecoded, resolve: endDecoding } = Promise.withResolvers<undefined>();
  const answerDecode = async (): Promise<void> => {
    const isRun = await decodeInPage(job.record.facts?.format ?? unknownFormat, async (signal) => {
      signal.addEventListener('abort', () => thread.post({ type: 'stop-decoding' }));
      thread.post({ type: 'decode', isAllowed: true });
      await hasDecoded;
    });
    if (!isRun) thread.post({ type: 'decode', isAllowed: false });
  };
  const thread = startImportWorkerClient((message) => {
    if (message.type === 'decode-wanted') void answerDecode();
    else if (message.type === 'decoded') endDecoding(undefined);
    else onMessage(message);
  });
  const end = (): void => {
    endDecoding(undefined);
    thread.end();
  };
  return { job, speed: new SpeedMeter(), retryReason: null, thread: { ...thread, end } };
}

/** The state of an import after its worker reported progress, or why there is none. */
export function sendingState(
  { job, speed, retryReason }: Work,
  { sentBytes, condition }: Pick<Extract<FromImportWorker, { type: 'sending' }>, 'sentBytes' | 'condition'>,
): ImportState {
  speed.mark(sentBytes, performance.now());
  return {
    step: 'sending',
    sentBytes,
    condition: condition === 'unattached' ? (retryReason ?? condition) : condition,
    bytesPerSecond: speed.bytesPerSecond,
    leftMs: speed.leftMs(job.record.sizeBytes - sentBytes),
  };
}
