import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type ApiClient, type OpenTake, sealTake, sha256Hex } from './api-client.ts';
import { pageStart } from './sound-bytes.ts';

const appendEveryMs = 500;

const pieceBytes = { audio: 3000, peaks: 50 };
type Stream = keyof typeof pieceBytes;

/** Bytes that depend on their position alone, so that a part can be sent again. Each piece begins as a page does. */
const bytesOf = (stream: Stream, offsetBytes: number, lengthBytes: number): Buffer =>
  Buffer.from(
    Uint8Array.from({ length: lengthBytes }, (_, index) => {
      const at = offsetBytes + index;
      return pageStart[at % pieceBytes[stream]] ?? at % 251;
    }),
  );

const sealOf = (stream: Stream, lengthBytes: number) => ({
  sha256: sha256Hex(bytesOf(stream, 0, lengthBytes)),
  lengthBytes,
});

/** A take that appends to both streams twice a second, and notes every answer that is not a success. */
export class RunningTake {
  readonly failures: string[] = [];
  readonly #client: ApiClient;
  readonly #take: OpenTake;
  readonly #seesRestart: boolean;
  readonly #stop = new AbortController();
  readonly #sentBytes = { audio: 0, peaks: 0 };
  readonly #running: Promise<unknown>;

  /**
   * @param options.seesRestart whether the only server restarts: nothing answers for a while, and it may have less than
   * it had. The take then continues where the server is, as a device does.
   */
  constructor(client: ApiClient, take: OpenTake, { seesRestart = false }: { seesRestart?: boolean } = {}) {
    this.#client = client;
    this.#take = take;
    this.#seesRestart = seesRestart;
    this.#running = Promise.all([this.#send('audio'), this.#send('peaks')]);
    onTestFinished(async () => {
      this.#stop.abort();
      await this.#running.catch(() => undefined);
    });
  }

  get sentBytes(): number {
    return this.#sentBytes.audio;
  }

  /** Stops and compares the receipts with what was sent. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await sealTake(this.#client, this.#take, {
      audio: sealOf('audio', this.#sentBytes.audio),
      peaks: sealOf('peaks', this.#sentBytes.peaks),
      durationMs: 1000,
    });
  }

  async #send(stream: Stream): Promise<void> {
    const uploadId = stream === 'audio' ? this.#take.audioId : this.#take.peaksId;
    while (!this.#stop.signal.aborted) {
      const offsetBytes = this.#sentBytes[stream];
      const bytes = bytesOf(stream, offsetBytes, pieceBytes[stream]);
      const status = await this.#client
        .append({ uploadId, token: this.#take.token, offsetBytes, bytes })
        .then((reply) => reply.status)
        .catch((error: unknown) => {
          if (!this.#seesRestart) throw error;
          return null;
        });
      if (status === 204) this.#sentBytes[stream] += bytes.length;
      else if (this.#seesRestart && (status === null || status === 409))
        this.#sentBytes[stream] = await this.#storedBytes(uploadId);
      else this.failures.push(`${stream} at ${offsetBytes}: ${status}`);
      await delay(appendEveryMs);
    }
  }

  /** Asks how much the server has, until it answers. */
  async #storedBytes(uploadId: string): Promise<number> {
    const headers = { authorization: `Bearer ${this.#take.token}` };
    for (;;) {
      const reply = await this.#client
        .send({ method: 'HEAD', path: `/api/uploads/${uploadId}`, headers })
        .catch(() => null);
      if (reply?.status === 204 || reply?.status === 200) return Number(reply.headers['upload-offset']);
      if (reply !== null) this.failures.push(`HEAD: ${reply.status}`);
      await delay(appendEveryMs / 5);
    }
  }
}
