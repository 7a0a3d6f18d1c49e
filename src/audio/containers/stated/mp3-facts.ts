import { second } from '#base/duration.ts';
import {
  findFrame,
  frameAt,
  afterTags,
  firstSearchBytes,
  isMp3SoughtRoughly,
  type Mp3Frame,
} from '#audio/containers/mp3-frames.ts';
import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import type { StatedFacts } from './stated-facts.ts';

/**
 * The encoder's information in a separate frame: the number of frames that follow, the samples added in front
 * (with the decoder's delay), and those added at both ends.
 */
interface InfoFrame {
  frames: number | null;
  addedInFront: number;
  addedSamples: number;
}

/** Delay of every layer III decoder, in samples. */
const decoderDelay = 529;
const hasFrames = 1;
const hasBytes = 2;
const hasTable = 4;
const hasQuality = 8;

/** Size of the side information between a frame's header and its sound. */
const sideBytes = ({ isMpeg1, isMono }: Mp3Frame): number => {
  if (isMpeg1) return isMono ? 17 : 32;
  return isMono ? 9 : 17;
};

/** Consecutive fields, each present only if its flag is set. */
function fieldsOf(frame: Uint8Array, flagsAt: number): { frames: number | null; endByte: number } {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  const flags = view.getUint32(flagsAt);
  const sizes = [
    [hasFrames, 4],
    [hasBytes, 4],
    [hasTable, 100],
    [hasQuality, 4],
  ] as const;
  const endByte = sizes.reduce(
    (at, [flag, sizeBytes]) => at + ((flags & flag) === 0 ? 0 : sizeBytes),
    flagsAt + 4,
  );
  const isThere = (flags & hasFrames) !== 0 && flagsAt + 8 <= frame.length;
  return { frames: isThere ? view.getUint32(flagsAt + 4) : null, endByte };
}

/** LAME's extension after the fields: an encoder name, and two numbers of twelve bits; 0 if it is missing. */
function addedBy(frame: Uint8Array, at: number): { front: number; back: number } {
  if (at + 24 > frame.length || (frame[at] ?? 0) <= 0x20) return { front: 0, back: 0 };
  const [high = 0, middle = 0, low = 0] = frame.subarray(at + 21, at + 24);
  return { front: (high << 4) | (middle >> 4), back: ((middle & 15) << 8) | low };
}

/** Reads the frame that LAME and others put before the sound (Xing, Info); null if the first frame is sound. */
function infoOf(bytes: Uint8Array, first: Mp3Frame): InfoFrame | null {
  const frame = bytes.subarray(0, first.sizeBytes);
  const at = 4 + sideBytes(first);
  const name = String.fromCharCode(...frame.subarray(at, at + 4));
  if ((name !== 'Info' && name !== 'Xing') || at + 16 > frame.length) return null;
  const { frames, endByte } = fieldsOf(frame, at + 4);
  const { front, back } = addedBy(frame, endByte);
  return { frames, addedInFront: front === 0 ? 0 : front + decoderDelay, addedSamples: front + back };
}

/** The start of the tags after the sound: ID3v1, and APEv2 before it. */
async function beforeTags({ sizeBytes, read }: PieceFile): Promise<number> {
  const tail = await read(sizeBytes - 160, sizeBytes);
  const isId3v1 =
    tail.length >= 128 &&
    String.fromCharCode(...tail.subarray(tail.length - 128, tail.length - 125)) === 'TAG';
  const endsAt = tail.length - (isId3v1 ? 128 : 0);
  const footer = tail.subarray(Math.max(0, endsAt - 32), endsAt);
  const isApe = footer.length === 32 && String.fromCharCode(...footer.subarray(0, 8)) === 'APETAGEX';
  const apeBytes = isApe
    ? new DataView(footer.buffer, footer.byteOffset).getUint32(12, true) + ((footer[23] ?? 0) & 0x80 ? 32 : 0)
    : 0;
  return sizeBytes - (isId3v1 ? 128 : 0) - apeBytes;
}

/** Facts stated by an MP3 file in its first frame and by its size, from which players compute length and offsets. */
export async function mp3Facts(file: PieceFile): Promise<StatedFacts> {
  const startsAt = await afterTags(file);
  const head = await file.read(startsAt, startsAt + firstSearchBytes);
  const first = findFrame(head);
  if (first === null) return { obstacles: ['foreign-bytes'], lengthsMs: [] };
  const obstacles: StatedFacts['obstacles'] = [
    ...(first.at === 0 ? [] : ['foreign-bytes' as const]),
    ...((await isMp3SoughtRoughly(file)) ? ['varying-rate' as const] : []),
  ];
  const info = infoOf(head.subarray(first.at), first.frame);
  const sizeBytes = (await beforeTags(file)) - startsAt - first.at;
  if (info === null) return { obstacles, lengthsMs: [lengthBySize(sizeBytes, first.frame)] };
  const frame = frameAt(head, first.at + first.frame.sizeBytes) ?? first.frame;
  return { obstacles, lengthsMs: lengthsByInfo(info, frame, sizeBytes - first.frame.sizeBytes) };
}

const lengthBySize = (sizeBytes: number, { bitRateKbps }: Mp3Frame): number => (sizeBytes * 8) / bitRateKbps;

/** The lengths by the size of the frames and by their number. Players cut off samples that the encoder added. */
function lengthsByInfo({ frames, addedSamples }: InfoFrame, frame: Mp3Frame, sizeBytes: number): number[] {
  const msOf = (samples: number): number => (samples * second) / frame.sampleRateHz;
  const byFrames = frames === null ? [] : [msOf(frames * (frame.isMpeg1 ? 1152 : 576))];
  return [lengthBySize(sizeBytes, frame), ...byFrames].map((lengthMs) => lengthMs - msOf(addedSamples));
}

/**
 * The number of samples that a decoder returns before the sound starts, as stated by the encoder; 0 if it states
 * none.
 */
export async function mp3SamplesInFront({ sizeBytes, read }: PieceFile): Promise<number> {
  const file: PieceFile = {
    sizeBytes,
    read: (startByte, endByteExclusive) =>
      read(Math.min(startByte, sizeBytes), Math.min(endByteExclusive, sizeBytes)),
  };
  const startsAt = await afterTags(file);
  const head = await file.read(startsAt, startsAt + firstSearchBytes);
  const first = findFrame(head);
  return first === null ? 0 : (infoOf(head.subarray(first.at), first.frame)?.addedInFront ?? 0);
}
