import type { FinishRecording } from '#contract/recordings.ts';
import type { UploadCondition } from '../messages.ts';
import { type MarkerSource, MarkerUpload } from './marker-upload.ts';
import { Patience } from './patience.ts';
import { StreamUpload, type UploadSource } from './stream-upload.ts';
import type { UploadAccess, UploadSurroundings } from './upload-access.ts';
import { UploadTrouble } from './upload-trouble.ts';

export interface TakeUploadParts {
  sources: readonly UploadSource[];
  markers: MarkerSource;
  /** What to tell the server when every stream is sealed. */
  finishing: () => FinishRecording;
}

/** Brings one take to the server: all of its streams side by side, its markers, then the word that it is finished. */
export class TakeUpload {
  readonly streams: readonly StreamUpload[];
  readonly #parts: TakeUploadParts;
  readonly #access: UploadAccess;
  readonly #markers: MarkerUpload;
  readonly #patience: Patience;
  #isFinished = false;
  #finishedMs = 0;

  constructor(parts: TakeUploadParts, access: UploadAccess, surroundings: UploadSurroundings) {
    this.#parts = parts;
    this.#access = access;
    this.streams = parts.sources.map((source) => new StreamUpload(source, access, surroundings));
    this.#markers = new MarkerUpload(parts.markers, access, surroundings);
    this.#patience = new Patience(access, surroundings);
  }

  /** Why bytes flow or do not. */
  get condition(): UploadCondition {
    const conditions = [this.#access.condition, this.#patience.condition, ...this.streams.map((stream) => stream.condition)];
    const order = ['unattached', 'capability-refused', 'offline', 'server-full', 'server-trouble', 'syncing'] as const;
    const worst = order.find((condition) => conditions.includes(condition));
    return worst ?? (this.#parts.markers.isSealed() && !this.#isFinished ? 'syncing' : 'idle');
  }

  /** Resolves once the server holds a receipt for every byte and knows that the take is finished, with its length there in milliseconds. */
  async run(): Promise<number> {
    while (!this.#isFinished) {
      await Promise.all([...this.streams.map((stream) => stream.run()), this.#markers.run()]);
      await this.#finish();
    }
    return this.#finishedMs;
  }

  /** The take was stopped: send what is left now. */
  wake(): void {
    this.#markers.wake();
    for (const stream of this.streams) stream.wake();
  }

  /** The network is back, or somebody looks: try now. */
  nudge(): void {
    this.#access.remind();
    for (const line of [this.#patience, this.#markers, ...this.streams]) line.nudge();
  }

  async #finish(): Promise<void> {
    const client = await this.#access.client();
    try {
      this.#finishedMs = await client.finish(this.#parts.markers.recordingId, this.#parts.finishing());
      this.#patience.succeeded();
      this.#isFinished = true;
    } catch (error) {
      // The server does not know of a stream it gave a receipt for: a restored backup. Everything is still here.
      if (error instanceof UploadTrouble && error.kind === 'offset') for (const stream of this.streams) stream.restart();
      await this.#patience.after(error, client);
    }
  }
}
