import { createHash, randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { OpusStreamWriter, type WrittenPage } from '#audio/ogg/opus-stream-writer.ts';
import { serverLimits } from '#contract/server-limits.ts';
import { receiptSchema } from '#contract/uploads-api.ts';
import {
  type ApiClient,
  openedBytes,
  type OpenTake,
  playedBytes,
  registerAgain,
  type Reply,
} from '#tests/support/api-client.ts';

const packetsPerPiece = 25;
const packetBytes = 120;
const samplesPerPacket = 960;
const pieceMs = 500;
const peaksPieceMs = 2500;
const peaksPieceBytes = 500;
const maxAppendBytes = 1024 * 1024;

/** A server that is restarting, and a proxy without a server, answer like this. The device tries again. */
const retriedStatuses: ReadonlySet<number> = new Set([429, 502, 503]);

/** The time between two acknowledgements of a stream. */
export interface Wait {
  fromMs: number;
  toMs: number;
}

/** One stream on the device, sent to the server as the recorder does: "the server has N bytes; send the rest". */
class SentStream {
  readonly #uploadId: string;
  #token: string;
  readonly #client: ApiClient;
  readonly #sha256 = createHash('sha256');
  #unacknowledged = Buffer.alloc(0);
  #acknowledgedBytes = 0;
  readonly #all: Buffer[] = [];
  #lengthBytes = 0;
  #lastAtMs: number | null = null;
  readonly waits: Wait[] = [];
  /** How often each status was answered; 0 stands for a connection that was cut. */
  readonly statuses = new Map<number, number>();

  /** Creates the upload where the server no longer has it. Null where the server may never lose acknowledged bytes. */
  readonly #create: (() => Promise<boolean>) | null;
  /** How often the server had fewer bytes than it had acknowledged. */
  losses = 0;

  constructor(
    client: ApiClient,
    { uploadId, token, create }: { uploadId: string; token: string; create: (() => Promise<boolean>) | null },
  ) {
    this.#client = client;
    this.#uploadId = uploadId;
    this.#token = token;
    this.#create = create;
  }

  get uploadId(): string {
    return this.#uploadId;
  }

  get acknowledgedBytes(): number {
    return this.#acknowledgedBytes;
  }

  /** Continues with another capability. */
  useToken(token: string): void {
    this.#token = token;
  }

  /** Continues from what the server has, which is less than it had. */
  rewindTo(offsetBytes: number): void {
    if (offsetBytes < this.#acknowledgedBytes) this.losses += 1;
    this.#acknowledgedBytes = offsetBytes;
    this.#unacknowledged = Buffer.concat([this.bytes.subarray(offsetBytes)]);
  }

  push(bytes: Buffer): void {
    this.#lastAtMs ??= Date.now();
    this.#sha256.update(bytes);
    this.#all.push(bytes);
    this.#lengthBytes += bytes.length;
    this.#unacknowledged = Buffer.concat([this.#unacknowledged, bytes]);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#all);
  }

  get isAcknowledged(): boolean {
    return this.#unacknowledged.length === 0;
  }

  get lengthBytes(): number {
    return this.#lengthBytes;
  }

  /** Seals it, and compares the receipt with everything that was recorded. */
  async seal(): Promise<void> {
    const sealed = { lengthBytes: this.#lengthBytes, sha256: this.#sha256.copy().digest('hex') };
    const receipt = await this.#client.json('POST', `/api/uploads/${this.#uploadId}/complete`, {
      token: this.#token,
      body: { ...sealed, epoch: 1 },
    });
    const { lengthBytes, sha256 } = receiptSchema.parse(receipt);
    if (lengthBytes !== sealed.lengthBytes || sha256 !== sealed.sha256)
      throw new Error(`the receipt is not that of what was sent: ${JSON.stringify({ receipt, sealed })}`);
  }

  /**
   * Sends what the server does not have.
   * @returns false if it must be tried again after a pause
   * @throws Error when the server has lost acknowledged bytes, or answers as it never should
   */
  async send(): Promise<boolean> {
    if (this.isAcknowledged) return true;
    const bytes = this.#unacknowledged.subarray(0, maxAppendBytes);
    const request = {
      uploadId: this.#uploadId,
      token: this.#token,
      offsetBytes: this.#acknowledgedBytes,
      bytes,
    };
    const reply = await this.#client.append(request).catch(() => null);
    const status = reply?.status ?? 0;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (reply === null || retriedStatuses.has(status)) return false;
    if (this.#create !== null && (status === 401 || status === 404)) return this.#create();
    if (status !== 204 && status !== 409)
      throw new Error(`an append was answered with ${status} ${reply.body.toString()}`);
    this.#acknowledge(reply);
    return true;
  }

  #acknowledge({ status, headers }: Reply): void {
    const offsetBytes = Number(headers['upload-offset'] ?? Number.NaN);
    const newBytes = offsetBytes - this.#acknowledgedBytes;
    if (newBytes < 0 && this.#create !== null) {
      this.rewindTo(offsetBytes);
      return;
    }
    if (newBytes < 0)
      throw new Error(`the server had ${this.#acknowledgedBytes} bytes, and has ${offsetBytes} now`);
    if (!(newBytes <= this.#unacknowledged.length))
      throw new Error(`the server says ${status} and has bytes that were never sent: ${offsetBytes}`);
    const nowMs = Date.now();
    this.waits.push({ fromMs: this.#lastAtMs ?? nowMs, toMs: nowMs });
    this.#lastAtMs = nowMs;
    this.#unacknowledged = this.#unacknowledged.subarray(newBytes);
    this.#acknowledgedBytes = offsetBytes;
  }
}

/** Ogg pages of random packets, so that no two takes have the same bytes. */
class OpusSource {
  readonly #writer: OpusStreamWriter;
  #pages: WrittenPage[];
  #packets = 0;

  constructor(serialNumber: number) {
    this.#writer = new OpusStreamWriter({
      channels: 1,
      preSkip: 312,
      inputSampleRateHz: 48_000,
      serialNumber,
      vendor: 'earshot',
    });
    this.#pages = this.#writer.headers();
  }

  /** The pages of the next half second. */
  next(): Buffer {
    const random = randomBytes(packetsPerPiece * packetBytes);
    for (let at = 0; at < random.length; at += packetBytes) {
      // One CELT frame of 20 ms (RFC 6716 §3.1).
      random[at] = 0xf8;
      const page = this.#writer.push(random.subarray(at, at + packetBytes));
      if (page !== null) this.#pages.push(page);
      this.#packets += 1;
    }
    return this.#written();
  }

  /** The pages that end the stream. */
  end(): Buffer {
    this.#pages.push(...this.#writer.finish(this.#packets * samplesPerPacket - 312));
    return this.#written();
  }

  #written(): Buffer {
    const bytes = Buffer.concat(this.#pages.map((page) => page.bytes));
    this.#pages = [];
    return bytes;
  }
}

/** A take of a device that records in real time and knows what the server has acknowledged. */
export class RecordingTake {
  readonly audio: SentStream;
  readonly peaks: SentStream;
  readonly #client: ApiClient;
  readonly #take: OpenTake;
  readonly #source: OpusSource;
  #durationMs = 0;

  /** @param take `mayLose` says whether the server may lose acknowledged bytes, which are then sent again */
  constructor(client: ApiClient, take: OpenTake & { mayLose?: boolean }, serialNumber: number) {
    this.#client = client;
    this.#take = take;
    const create = take.mayLose === true ? () => this.#createAgain() : null;
    this.audio = new SentStream(client, { uploadId: take.audioId, token: take.token, create });
    this.peaks = new SentStream(client, { uploadId: take.peaksId, token: take.token, create });
    this.#source = new OpusSource(serialNumber);
  }

  /** Registers the recording and creates its uploads, as far as the server does not have them. */
  async #createAgain(): Promise<boolean> {
    try {
      const { token } = await registerAgain(this.#client, this.#take);
      this.#take.token = token;
      for (const [name, stream] of [
        ['audio', this.audio],
        ['peaks', this.peaks],
      ] as const) {
        stream.useToken(token);
        stream.rewindTo(
          await openedBytes(this.#client, this.#take, { stream: name, uploadId: stream.uploadId }),
        );
      }
    } catch {
      return false;
    }
    return true;
  }

  /** Sends what the server has lost without an append that showed it, then seals and ends the recording. */
  async sealAfterLoss(): Promise<void> {
    if (!(await this.#createAgain())) throw new Error('the recording could not be registered again');
    for (const stream of [this.audio, this.peaks])
      while (!stream.isAcknowledged) if (!(await stream.send())) await delay(randomInt(200, 500));
    await this.seal();
  }

  get recordingId(): string {
    return this.#take.recordingId;
  }

  /** Records and sends until `stop` aborts, and then until the server has everything. */
  async record(stop: AbortSignal): Promise<void> {
    const startedAtMs = Date.now();
    await Promise.all([
      this.#repeat(stop, serverLimits.appendIntervalMs, () => {
        for (; this.#durationMs < Date.now() - startedAtMs; this.#durationMs += pieceMs)
          this.audio.push(this.#source.next());
        return this.audio;
      }),
      this.#repeat(stop, serverLimits.peaksIntervalMs, () => {
        for (let hasMs = this.#peaksMs(); hasMs < Date.now() - startedAtMs; hasMs += peaksPieceMs)
          this.peaks.push(randomBytes(peaksPieceBytes));
        return this.peaks;
      }),
    ]);
    this.audio.push(this.#source.end());
    while (!this.audio.isAcknowledged) if (!(await this.audio.send())) await delay(randomInt(200, 500));
  }

  #peaksMs(): number {
    return (this.peaks.lengthBytes / peaksPieceBytes) * peaksPieceMs;
  }

  async #repeat(stop: AbortSignal, everyMs: number, recordedStream: () => SentStream): Promise<void> {
    // Takes do not start in the same instant.
    await delay(randomInt(everyMs));
    let stream = recordedStream();
    while (!stop.aborted || !stream.isAcknowledged) {
      const isSent = await stream.send();
      await delay(isSent ? everyMs : randomInt(200, 500));
      if (!stop.aborted) stream = recordedStream();
    }
  }

  /** Seals both streams and ends the recording, as Stop does. Rejects unless the receipts have the right hashes. */
  async seal(): Promise<void> {
    await Promise.all([this.audio.seal(), this.peaks.seal()]);
    await this.#client.json('POST', `/api/recordings/${this.recordingId}/finish`, {
      token: this.#take.token,
      body: { durationMs: this.#durationMs, segmentCount: 1, gaps: [], pauses: [] },
    });
  }

  /** What the server says of the finished recording. */
  details(): Promise<unknown> {
    return this.#client.json('GET', `/api/recordings/${this.recordingId}`);
  }

  /** What a player gets. */
  playedAudio(): Promise<Buffer> {
    return playedBytes(this.#client, this.recordingId);
  }
}
