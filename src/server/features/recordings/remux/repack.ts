import { OpusStreamWriter, type WrittenPage } from '#audio/ogg/opus-stream-writer.ts';
import { openRecorderFile, type OpusTrack, type ReadableFile } from './packet-reader.ts';
import { PacketPeaks } from './packet-peaks.ts';
import { TimelineOfPackets } from './timeline-of-packets.ts';

/** Where the pages and the points go; the next piece is made when the last one was taken. */
export interface RepackOutput {
  audio: (bytes: Uint8Array) => Promise<void>;
  peaks: (bytes: Uint8Array) => Promise<void>;
}

export interface RepackWish {
  /** False when the file is Ogg already and only its peaks are missing. */
  wantsAudio: boolean;
  wantsPeaks: boolean;
}

/** `other`: the track is of a codec that cannot go into Ogg as it is. `nothing`: there is no track in the file. */
export type Repacked = { kind: 'done' } | { kind: 'other'; codec: string } | { kind: 'nothing' };

const vendor = 'Earshot';
const pieceBytes = 256 * 1024;
/** Another stream's is put in its place wherever several are joined. */
const serialNumber = 1;

/** Gathers small pieces into large ones. */
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

  async sendFrom(leastBytes: number): Promise<void> {
    if (this.#sizeBytes < leastBytes) return;
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

const asBytes = (points: Int8Array<ArrayBuffer>): Uint8Array => new Uint8Array(points.buffer, points.byteOffset, points.byteLength);

async function repackTrack({ head, packets }: OpusTrack, wish: RepackWish, output: RepackOutput): Promise<void> {
  const writer = new OpusStreamWriter({ ...head, serialNumber, vendor });
  const peaks = wish.wantsPeaks ? await PacketPeaks.open(head) : null;
  const timeline = new TimelineOfPackets(head.channels);
  const audioPieces = new Gathered(output.audio);
  const peaksPieces = new Gathered(output.peaks);
  const write = (page: WrittenPage | null) => { if (page !== null && wish.wantsAudio) audioPieces.add(page.bytes); };
  const take = (ready: Uint8Array[]) => {
    for (const packet of ready) {
      write(writer.push(packet));
      peaks?.push(packet);
    }
    if (peaks !== null) peaksPieces.add(asBytes(peaks.take()));
  };
  for (const page of writer.headers()) write(page);
  for await (const packet of packets()) {
    take(timeline.push(packet));
    await audioPieces.sendFrom(pieceBytes);
    await peaksPieces.sendFrom(pieceBytes);
  }
  take(timeline.finish());
  // As many samples as the packets have: a recorder's file does not say where within the last packet its sound ended.
  for (const page of writer.finish(Infinity)) write(page);
  if (peaks !== null) peaksPieces.add(asBytes(peaks.finish()));
  await audioPieces.sendFrom(1);
  await peaksPieces.sendFrom(1);
}

/** Turns a recorder's file into Ogg/Opus pages without decoding it, in flat memory, and decodes it for its peaks where they are wanted. */
export async function repack(file: ReadableFile, wish: RepackWish, output: RepackOutput): Promise<Repacked> {
  const found = await openRecorderFile(file);
  if (found.kind !== 'opus') return found;
  await repackTrack(found.track, wish, output);
  return { kind: 'done' };
}
