import type { RestoredLabels, RestoredRecording, RestoredTranscript } from '#contract/restores-api.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import type { HoldOptions } from '#web/api/hold/hold-client.ts';
import type { RecordingInExport, FromAccountImportWorker } from '#workers/account-import/messages.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { retryUntilAnswered } from './account-import-calls.ts';
import type { NotImportedReason, AccountImportProgress } from './account-import-view.ts';
import { type AccountImportClient, startAccountImportClient } from './account-import-client.ts';

export type ImportOutcome = 'restored' | 'present' | NotImportedReason;
type Current = NonNullable<AccountImportProgress['current']>;

const conflicts = ['id-taken', 'conflict', 'trashed', 'deleted'] as const;
const conflictOf = (code: string | undefined): (typeof conflicts)[number] =>
  conflicts.find((conflict) => conflict === code) ?? 'conflict';
const finalCodes: ReadonlySet<string> = new Set([
  'validation',
  'malformed-request',
  'too-large',
  'not-found',
]);

/** What an error means for this recording alone; null if it would affect every other recording too. */
function outcomeOf(error: unknown): NotImportedReason | null {
  if (!(error instanceof ApiError)) return null;
  const code = error.problem?.errors?.[0]?.code;
  if (error.code === 'restore-conflict') return conflictOf(code);
  return error.problem !== null && finalCodes.has(error.code) ? 'rejected-by-server' : null;
}

/** Restores the recordings of one file, one at a time, with one worker. */
export class AccountImportRun {
  readonly #file: File;
  readonly #ownerId: string | null;
  readonly #ending = new AbortController();
  readonly #onProgress: (current: Current) => void;
  #thread: AccountImportClient | null = null;
  #leftOutWords = 0;
  #handleMessage: (message: FromAccountImportWorker) => void = () => undefined;

  constructor(file: File, ownerId: string | null, onProgress: (current: Current) => void) {
    this.#file = file;
    this.#ownerId = ownerId;
    this.#onProgress = onProgress;
  }

  readonly isWanted = (): boolean => !this.#ending.signal.aborted;

  /** The options of every call of this run: it is aborted with the run and belongs to the run's owner only. */
  get terms(): { signal: AbortSignal; hold: HoldOptions } {
    return { signal: this.#ending.signal, hold: { owner: this.#ownerId } };
  }

  /** The lines and corrections that were left out of the transcript of the newest recording. */
  get leftOutWords(): number {
    return this.#leftOutWords;
  }

  /** Stops at once, including calls that wait for a sign-in. */
  end(): void {
    this.#ending.abort();
    this.#dropThread();
  }

  /**
   * Restores one recording and resolves with its outcome. Rejects with an error that affects all recordings, such
   * as a lost session or a full quota. Never settles once the run has ended.
   */
  one(recording: RecordingInExport): Promise<ImportOutcome> {
    const current: Current = {
      title: titleText(recording),
      sizeBytes: recording.sizeBytes,
      step: 'checking',
      bytes: 0,
      condition: 'syncing',
    };
    this.#onProgress(current);
    this.#leftOutWords = 0;
    return new Promise((resolve, reject) => {
      const settle = (outcome: ImportOutcome) => {
        // The worker waits for a message that will never be sent, so it is replaced.
        if (outcome !== 'restored') this.#dropThread();
        if (this.isWanted()) resolve(outcome);
      };
      const fail = (error: unknown) => {
        const outcome = outcomeOf(error);
        if (outcome !== null) settle(outcome);
        else if (this.isWanted())
          reject(
            error instanceof Error ? error : new Error('the server could not be reached', { cause: error }),
          );
      };
      this.#handleMessage = (message) => {
        switch (message.type) {
          case 'checked':
            this.#onProgress({ ...current, bytes: message.checkedBytes });
            break;
          case 'sending':
            this.#onProgress({
              ...current,
              step: 'sending',
              bytes: message.sentBytes,
              condition: message.condition,
            });
            break;
          case 'attach-needed':
            this.#attach(message.recordingId, message.description).then((isNeeded) => {
              if (!isNeeded) settle('present');
            }, fail);
            break;
          case 'labels':
            this.#label(message.recordingId, message.labels).catch(fail);
            break;
          case 'transcript':
            this.#addTranscript(message.recordingId, message.transcript).catch(fail);
            break;
          case 'unreadable-words':
            this.#leftOutWords += message.count;
            break;
          case 'restored':
            settle('restored');
            break;
          case 'failed':
            settle(message.reason);
            break;
          // Messages about opening a file do not concern its recordings.
          case 'opening':
          case 'opened':
          case 'rejected':
            break;
        }
      };
      this.#ready().post({ type: 'restore', file: this.#file, folder: recording.folder });
    });
  }

  #ready(): AccountImportClient {
    this.#thread ??= startAccountImportClient((message) => {
      this.#handleMessage(message);
    });
    return this.#thread;
  }

  #dropThread(): void {
    this.#thread?.end();
    this.#thread = null;
  }

  /** Requests the upload token; false if the server has the recording already. */
  async #attach(recordingId: string, description: RestoredRecording): Promise<boolean> {
    const { upload } = await retryUntilAnswered(
      () => call('restoreExportedRecording', { params: { recordingId }, body: description, ...this.terms }),
      this.isWanted,
    );
    if (upload !== null) this.#thread?.post({ type: 'attach', upload });
    return upload !== null;
  }

  async #label(recordingId: string, labels: RestoredLabels): Promise<void> {
    await retryUntilAnswered(
      () => call('restoreExportedLabels', { params: { recordingId }, body: labels, ...this.terms }),
      this.isWanted,
    );
    this.#thread?.post({ type: 'stored' });
  }

  async #addTranscript(recordingId: string, transcript: RestoredTranscript): Promise<void> {
    const { rejected } = await retryUntilAnswered(
      () => call('restoreExportedTranscript', { params: { recordingId }, body: transcript, ...this.terms }),
      this.isWanted,
    );
    this.#leftOutWords += rejected.length;
    this.#thread?.post({ type: 'stored' });
  }
}
