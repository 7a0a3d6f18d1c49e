import type { ExportedRecording } from '#contract/account-export.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { RestoredLabels, RestoredRecording, RestoredTranscript } from '#contract/restores-api.ts';
import { finishUpload } from '#workers/upload/finish-upload.ts';
import { RetryPolicy } from '#workers/upload/retry-policy.ts';
import { statedSilence } from '#workers/upload/stated-silence.ts';
import { StreamUpload } from '#workers/upload/stream-upload.ts';
import { UploadAccess, type UploadDeps } from '#workers/upload/upload-access.ts';
import { type UploadCondition, worstError } from '#workers/upload/upload-condition.ts';
import type { UploadClient } from '#workers/upload/upload-client.ts';
import { type UploadErrorKind, UploadError } from '#workers/upload/upload-error.ts';
import { labelBatches } from './label-batches.ts';
import type { OpenedRecording } from './read-export.ts';
import { transcriptBatches } from './transcript-batches.ts';

/** Errors of the finish request that no retry would change, if the server itself returned them. */
const hopeless: ReadonlySet<UploadErrorKind> = new Set(['invalid', 'too-large', 'digest']);

/** Only this import writes these bytes, and every attempt writes the same, so one epoch is enough. */
const epoch = 1;

/** The parts of an import that need the user's session. */
export interface RecordingParts {
  /** Requests a (new) capability; `attach` delivers it. */
  needAttach: (description: RestoredRecording) => void;
  /** Resolves once the server has stored these labels. */
  storeLabels: (labels: RestoredLabels) => Promise<void>;
  /** Resolves once the server has stored this part of the transcript. */
  storeTranscript: (transcript: RestoredTranscript) => Promise<void>;
  /** So many lines and corrections of the transcript cannot be read. */
  onUnreadableWords: (count: number) => void;
  onProgress: (sentBytes: number, condition: UploadCondition) => void;
}

/** An error that no retry would change. */
export class ImportRejected extends Error {
  constructor(cause: unknown) {
    super('the server does not take this recording', { cause });
    this.name = 'ImportRejected';
  }
}

/** The description that the server receives before the files. */
function descriptionOf({ files, ...described }: ExportedRecording): RestoredRecording {
  const {
    title,
    startedAt,
    timeZone,
    recordedTime,
    format,
    source,
    language,
    file,
    deviceLabel,
    createdAt,
    people,
    tags,
    isFavourite,
    passages,
    position,
  } = described;
  return {
    title,
    startedAt,
    timeZone,
    recordedTime,
    format,
    source,
    language,
    file,
    deviceLabel,
    createdAt,
    people,
    tags,
    isFavourite,
    passages,
    position,
    files: files.map(({ path: _path, ...retained }) => retained),
  };
}

/**
 * Uploads one recording of an export: its labels and words, then every file from the server's offset, then the finish
 * request.
 */
export class RecordingImport {
  readonly #opened: OpenedRecording;
  readonly #parts: RecordingParts;
  readonly #deps: UploadDeps;
  readonly #access: UploadAccess;
  readonly #retryPolicy: RetryPolicy;
  readonly #broken = Promise.withResolvers<never>();
  readonly #streams: readonly StreamUpload[];

  constructor(opened: OpenedRecording, parts: RecordingParts, deps: UploadDeps) {
    this.#opened = opened;
    this.#parts = parts;
    this.#deps = deps;
    const description = descriptionOf(opened.described);
    this.#access = new UploadAccess(deps, () => {
      parts.needAttach(description);
    });
    this.#retryPolicy = new RetryPolicy(this.#access, deps);
    this.#streams = opened.described.files.map((file, index) =>
      this.#streamOf(file, opened.blobs[index] ?? new Blob()),
    );
  }

  attach(upload: UploadCapability): void {
    this.#access.attach(upload);
  }

  /** Retries now, because the network is back or the page became visible. */
  nudge(): void {
    this.#access.remind();
    for (const line of [this.#retryPolicy, ...this.#streams]) line.nudge();
  }

  /** Reports the progress. */
  tell(): void {
    const conditions = [
      this.#access.condition,
      this.#retryPolicy.condition,
      ...this.#streams.map((stream) => stream.condition),
    ];
    const sentBytes = this.#streams.reduce((sum, { offsetBytes }) => sum + offsetBytes, 0);
    this.#parts.onProgress(sentBytes, worstError(conditions) ?? 'syncing');
  }

  /**
   * Resolves once the server has receipted every byte and finished the recording. Rejects with ImportRejected if
   * it never will. Rejects with the error of the file if that can no longer be read; the instance cannot be used
   * after that.
   */
  async run(): Promise<void> {
    await Promise.race([this.#work(), this.#broken.promise]);
  }

  async #work(): Promise<void> {
    this.#access.remind();
    await this.#access.client();
    for (const labels of labelBatches(this.#opened.described)) await this.#parts.storeLabels(labels);
    await this.#storeTranscript();
    await finishUpload(
      { access: this.#access, retryPolicy: this.#retryPolicy, streams: this.#streams },
      {
        send: async () => {
          for (const stream of this.#streams) await stream.run();
        },
        finish: (client) => this.#finish(client),
      },
    );
  }

  async #storeTranscript(): Promise<void> {
    const { described, readWords } = this.#opened;
    const words = await readWords();
    if (words === null) return;
    if (words.unreadable > 0) this.#parts.onUnreadableWords(words.unreadable);
    for (const batch of transcriptBatches(words, described.durationMs))
      await this.#parts.storeTranscript(batch);
  }

  #streamOf(
    { path: _path, sizeBytes, ...file }: ExportedRecording['files'][number],
    bytes: Blob,
  ): StreamUpload {
    const { uploadId, stream, index, startMs, container, sha256 } = file;
    return new StreamUpload(
      {
        uploadId,
        sha256,
        creation: {
          recordingId: this.#opened.described.id,
          stream,
          segmentIndex: index,
          startMs,
          container,
          epoch,
        },
        sizeBytes: () => sizeBytes,
        isSealed: () => true,
        read: (offsetBytes, length) => this.#read(bytes.slice(offsetBytes, offsetBytes + length)),
        acknowledged: () => {
          this.tell();
        },
      },
      this.#access,
      this.#deps,
    );
  }

  async #read(part: Blob): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return new Uint8Array(await part.arrayBuffer());
    } catch (error) {
      this.#broken.reject(error);
      throw error;
    }
  }

  async #finish(client: UploadClient): Promise<void> {
    const { id, durationMs, gaps, pauses, microphoneSilenceMs, files } = this.#opened.described;
    const segmentCount = files.filter(({ stream }) => stream === 'audio').length;
    try {
      await client.finish(id, {
        durationMs,
        segmentCount,
        gaps,
        pauses,
        ...statedSilence(microphoneSilenceMs),
      });
    } catch (error) {
      if (
        error instanceof UploadError &&
        error.code !== null &&
        error.code !== 'request-timeout' &&
        hopeless.has(error.kind)
      )
        this.#broken.reject(new ImportRejected(error));
      throw error;
    }
  }
}
