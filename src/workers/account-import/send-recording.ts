import type { ExportedRecording } from '#contract/account-export.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { RestoredLabels, RestoredRecording } from '#contract/restores-api.ts';
import { finishUpload } from '#workers/upload/finish-upload.ts';
import { RetryPolicy } from '#workers/upload/retry-policy.ts';
import { StreamUpload } from '#workers/upload/stream-upload.ts';
import { UploadAccess, type UploadDeps } from '#workers/upload/upload-access.ts';
import { type UploadCondition, worstError } from '#workers/upload/upload-condition.ts';
import type { UploadClient } from '#workers/upload/upload-client.ts';
import { type UploadErrorKind, UploadError } from '#workers/upload/upload-error.ts';
import { labelBatches } from './label-batches.ts';
import type { OpenedRecording } from './read-export.ts';

/**
 * What the last word can be answered with that the same word would be answered with for ever, where the
 * server says it itself.
 */
const hopeless: ReadonlySet<UploadErrorKind> = new Set(['invalid', 'too-large', 'digest']);

/** Nobody else ever writes these bytes, and whoever writes them writes the same. */
const epoch = 1;

/** What sending a recording needs of whoever has the session. */
export interface RecordingParts {
  /** Wants a (fresh) right to send; the answer is a call of `attach`. */
  needAttach: (description: RestoredRecording) => void;
  /** Resolves once the server has these labels. */
  storeLabels: (labels: RestoredLabels) => Promise<void>;
  onProgress: (sentBytes: number, condition: UploadCondition) => void;
}

/** Something that no further attempt would change. */
export class ImportRejected extends Error {
  constructor(cause: unknown) {
    super('the server does not take this recording', { cause });
    this.name = 'ImportRejected';
  }
}

/** What the server is told of a recording before its bytes. */
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
    position,
    files: files.map(({ path: _path, ...kept }) => kept),
  };
}

/**
 * Brings one recording of an export to the server: what is written beside it, then every file from where the
 * server is, then the word that this is all.
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

  /** The network is back, or somebody looks: try now. */
  nudge(): void {
    this.#access.remind();
    for (const line of [this.#retryPolicy, ...this.#streams]) line.nudge();
  }

  /** Says how far it is. */
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
   * Resolves once the server holds a receipt for every byte and knows that this is all; RestoreRefused where
   * it never will. Where the file can be read no more it rejects with that error, and is of no use from then
   * on.
   */
  async run(): Promise<void> {
    await Promise.race([this.#work(), this.#broken.promise]);
  }

  async #work(): Promise<void> {
    this.#access.remind();
    await this.#access.client();
    for (const labels of labelBatches(this.#opened.described)) await this.#parts.storeLabels(labels);
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
    const { id, durationMs, gaps, pauses, files } = this.#opened.described;
    const segmentCount = files.filter(({ stream }) => stream === 'audio').length;
    try {
      await client.finish(id, { durationMs, segmentCount, gaps, pauses });
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
