import { opusPacketSamples } from '#audio/ogg/opus-packet.ts';
import { OpusStreamWriter, type WrittenPage } from '#audio/ogg/opus-stream-writer.ts';
import { openRecorderFile, type OpusTrack, type ReadableFile } from './packet-reader.ts';
import { PacketPeaks } from './packet-peaks.ts';
import { type FilledHoles, type PacketRun, TimelineOfPackets } from './timeline-of-packets.ts';

/** Receives pages and points. The next piece is made after the previous one was accepted. */
export interface RepackOutput {
  audio: (bytes: Uint8Array) => Promise<void>;
  peaks: (bytes: Uint8Array) => Promise<void>;
}

export interface RepackOptions {
  /** False if the file is already Ogg and only its peaks are missing. */
  wantsAudio: boolean;
  wantsPeaks: boolean;
  filled: FilledHoles;
}

/**
 * `done`: with `hasAbsurdTimes`, the timestamps claimed more silence than allowed, so the packets follow each
 * other directly and the real duration of the take is unknown. `other`: the codec can't be stored in Ogg as it is.
 * `nothing`: the file has no track.
 */
export type Repacked =
  | { kind: 'done'; hasAbsurdTimes: boolean }
  | { kind: 'other'; codec: string }
  | { kind: 'nothing' };

const vendor = 'Earshot';
const pieceBytes = 256 * 1024;
/** After this many silent packets the decoder's state has faded to silence, so further ones need no decoding. */
const packetsUntilSilent = 50;
/** Replaced when several streams are joined. */
const serialNumber = 1;

/** Collects small pieces into large ones. */
class Gathered {
  readonly #send: (bytes: Uint8Array) => Promise<void>;
  #parts: Uint8Array[] = [];
  #sizeBytes = 0;

  constructor(send: (bytes: Uint8Array) => Promise<void>) {
    this.#send = send;
  }

  add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#sizeBytes += bytes.length;
  }

  get isFull(): boolean {
    return this.#sizeBytes >= pieceBytes;
  }

  async send(): Promise<void> {
    if (this.#sizeBytes === 0) return;
    const whole = new Uint8Array(this.#sizeBytes);
    let filled = 0;
    for (const part of this.#parts) {
      whole.set(part, filled);
      filled += part.length;
    }
    this.#parts = [];
    this.#sizeBytes = 0;
    await this.#send(whole);
  }
}

const asBytes = (points: Int8Array<ArrayBuffer>): Uint8Array =>
  new Uint8Array(points.buffer, points.byteOffset, points.byteLength);

async function repackTrack(
  { head, packets }: OpusTrack,
  options: RepackOptions,
  output: RepackOutput,
): Promise<boolean> {
  const writer = new OpusStreamWriter({ ...head, serialNumber, vendor });
  const peaks = options.wantsPeaks ? await PacketPeaks.open(head) : null;
  const timeline = new TimelineOfPackets({ channels: head.channels, ...options.filled });
  const audioPieces = new Gathered(output.audio);
  const peaksPieces = new Gathered(output.peaks);
  const write = (page: WrittenPage | null) => {
    if (page !== null && options.wantsAudio) audioPieces.add(page.bytes);
  };
  const addOnce = ({ bytes }: PacketRun, number: number): void => {
    write(writer.push(bytes));
    if (peaks === null) return;
    if (number < packetsUntilSilent) peaks.push(bytes);
    else peaks.pushSilence(opusPacketSamples(bytes));
    peaksPieces.add(asBytes(peaks.take()));
  };
  /** Silence is made and sent in pieces, so memory stays constant however long it lasts. */
  const take = async (runs: readonly PacketRun[]): Promise<void> => {
    for (const run of runs) {
      for (let number = 0; number < run.times; number += 1) {
        addOnce(run, number);
        if (audioPieces.isFull || peaksPieces.isFull)
          await Promise.all([audioPieces.send(), peaksPieces.send()]);
      }
    }
  };
  for (const page of writer.headers()) write(page);
  for await (const packet of packets()) await take(timeline.push(packet));
  await take(timeline.finish());
  // Uses all samples of the packets, because a recorder's file does not state where within its last packet the
  // sound ended.
  for (const page of writer.finish(Infinity)) write(page);
  if (peaks !== null) peaksPieces.add(asBytes(peaks.finish()));
  await audioPieces.send();
  await peaksPieces.send();
  return timeline.hasAbsurdTimes;
}

/**
 * Converts a recorder's file to Ogg/Opus pages without decoding it, in constant memory. Decodes it only to make
 * peaks.
 */
export async function repack(
  file: ReadableFile,
  options: RepackOptions,
  output: RepackOutput,
): Promise<Repacked> {
  const found = await openRecorderFile(file);
  if (found.kind !== 'opus') return found;
  return { kind: 'done', hasAbsurdTimes: await repackTrack(found.track, options, output) };
}
