import { second } from '#base/duration.ts';
import { peaksFormat } from '#contract/limits.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { UploadStream } from '#contract/uploads-api.ts';
import { finishUpload } from '#workers/upload/finish-upload.ts';
import { RetryPolicy } from '#workers/upload/retry-policy.ts';
import { StreamUpload } from '#workers/upload/stream-upload.ts';
import { UploadAccess, type UploadDeps } from '#workers/upload/upload-access.ts';
import { type UploadCondition, worstError } from '#workers/upload/upload-condition.ts';
import { type ImportRecord, recordingIdOf } from './import-record.ts';

/** The parts of an import that are uploaded. */
export interface ImportParts {
  /** The copy of the file, or the original. */
  file: Blob;
  /** The peaks of its sound; null if the server draws them. Resolves while the file is already being uploaded. */
  peaks: Promise<Blob | null>;
  needAttach: () => void;
  onProgress: (sentBytes: number, condition: UploadCondition) => void;
  /** Called when the file can no longer be read. */
  onUnreadable: (cause: unknown) => void;
}

const lengthOf = (peaks: Blob): number =>
  Math.round((peaks.size / peaksFormat.bytesPerPoint) * (second / peaksFormat.pointsPerSecond));

/** Uploads one imported file and its peaks, from the server's offset to the receipt. */
export class ImportUpload {
  readonly #record: ImportRecord;
  readonly #parts: ImportParts;
  readonly #deps: UploadDeps;
  readonly #access: UploadAccess;
  readonly #retryPolicy: RetryPolicy;
  readonly #streams: StreamUpload[] = [];

  constructor(record: ImportRecord, parts: ImportParts, deps: UploadDeps) {
    this.#record = record;
    this.#parts = parts;
    this.#deps = deps;
    this.#access = new UploadAccess(deps, () => {
      parts.needAttach();
    });
    this.#retryPolicy = new RetryPolicy(this.#access, deps);
    if (record.upload === null) parts.needAttach();
    else this.#access.attach(record.upload);
  }

  /** The state of the upload, or why it waits. */
  get condition(): UploadCondition {
    return (
      worstError([
        this.#access.condition,
        this.#retryPolicy.condition,
        ...this.#streams.map((stream) => stream.condition),
      ]) ?? 'syncing'
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

  /** Resolves once the server has receipted every byte and finished the recording. */
  async run(): Promise<void> {
    const { file, peaks } = this.#parts;
    const audio = this.#stream('audio', file);
    const drawn = peaks.then((made) =>
      made === null ? null : { stream: this.#stream('peaks', made), durationMs: lengthOf(made) },
    );
    await finishUpload(
      { access: this.#access, retryPolicy: this.#retryPolicy, streams: this.#streams },
      {
        send: async () => {
          await Promise.all([audio.run(), drawn.then((peaksDrawn) => peaksDrawn?.stream.run())]);
        },
        finish: async (client) => {
          const durationMs = this.#record.facts?.durationMs ?? (await drawn)?.durationMs ?? null;
          await client.finish(recordingIdOf(this.#record), {
            durationMs,
            segmentCount: 1,
            gaps: [],
            pauses: [],
          });
        },
      },
    );
  }

  /** Reports the progress; called whenever it may have changed. */
  tell(): void {
    this.#parts.onProgress(this.#streams[0]?.offsetBytes ?? this.#record.sentBytes, this.condition);
  }

  #stream(stream: UploadStream, bytes: Blob): StreamUpload {
    const { audioUploadId, peaksUploadId, epoch, sha256 } = this.#record;
    const recordingId = recordingIdOf(this.#record);
    const isAudio = stream === 'audio';
    const upload = new StreamUpload(
      {
        uploadId: isAudio ? audioUploadId : peaksUploadId,
        creation: { recordingId, stream, segmentIndex: 0, startMs: 0, epoch, container: 'original' },
        ...(isAudio && sha256 !== null ? { sha256 } : {}),
        sizeBytes: () => bytes.size,
        isSealed: () => true,
        read: (offsetBytes, sizeBytes) => this.#read(bytes, offsetBytes, sizeBytes),
        acknowledged: () => {
          this.tell();
        },
      },
      this.#access,
      this.#deps,
    );
    if (isAudio) this.#streams.unshift(upload);
    else this.#streams.push(upload);
    return upload;
  }

  async #read(bytes: Blob, offsetBytes: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return new Uint8Array(await bytes.slice(offsetBytes, offsetBytes + sizeBytes).arrayBuffer());
    } catch (error) {
      this.#parts.onUnreadable(error);
      throw error;
    }
  }
}
