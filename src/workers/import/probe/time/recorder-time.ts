import { boxesOf, type PieceFile } from '#audio/containers/mp4-boxes.ts';
import { chunksOf } from '#audio/containers/riff-chunks.ts';
import { second } from '#base/duration.ts';
import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { matroskaDateMs } from './matroska-date.ts';
import { isUnsetClock, timeOfParts } from './stated-time.ts';

/** Seconds from 1904-01-01, the MP4 epoch, to 1970 (ISO/IEC 14496-12 §8.2.2). */
const mp4EpochSeconds = 2_082_844_800;
/** No camera or phone wrote MP4 before this date: an earlier time is a program's default. */
const firstMp4Ms = Date.UTC(1999, 0, 1);
/** A `bext` chunk (EBU Tech 3285 §2.3) is near the start; recorders reserve some chunks before it. */
const maxWaveChunks = 64;
const bextDateByte = 320;
const bextDateBytes = 18;

const ascii = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/**
 * The recording time that a recorder wrote into a file: `mvhd` of MP4, `DateUTC` of Matroska, or `bext` of WAVE,
 * which has no zone.
 * @returns null if the file states none, its clock was not set, or it cannot be read
 */
export async function recorderTime(file: PieceFile): Promise<RecordedTime | null> {
  try {
    const time = await statedTime(file, await file.read(0, 12));
    return time === null || isUnsetClock(time) ? null : time;
  } catch {
    return null;
  }
}

async function statedTime(file: PieceFile, head: Uint8Array): Promise<RecordedTime | null> {
  const [form, kind] = [ascii(head.subarray(0, 4)), ascii(head.subarray(8, 12))];
  if (['RIFF', 'RF64', 'BW64'].includes(form) && kind === 'WAVE') return bextTime(file);
  if (form === '\x1a\x45\xdf\xa3') return instant(await matroskaDateMs(file));
  return ascii(head.subarray(4, 8)) === 'ftyp' ? instant(await mvhdMs(file)) : null;
}

function instant(ms: number | null): RecordedTime | null {
  const date = new Date(ms ?? NaN);
  const year = date.getUTCFullYear();
  return year >= 1000 && year <= 9999 ? momentOf(date.toISOString(), null) : null;
}

async function mvhdMs(file: PieceFile): Promise<number | null> {
  for await (const { type, contentByte } of boxesOf(file)) {
    if (type === 'moof' || type === 'trak') return null;
    if (type !== 'mvhd') continue;
    const bytes = await file.read(contentByte, contentByte + 12);
    if (bytes.length < 12) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const seconds = view.getUint8(0) === 1 ? Number(view.getBigUint64(4)) : view.getUint32(4);
    const ms = (seconds - mp4EpochSeconds) * second;
    return Number.isSafeInteger(ms) && ms >= firstMp4Ms ? ms : null;
  }
  return null;
}

async function bextTime(file: PieceFile): Promise<RecordedTime | null> {
  for await (const { name, contentByte } of chunksOf(file, { max: maxWaveChunks })) {
    if (name === 'bext')
      return timeOfBext(
        ascii(await file.read(contentByte + bextDateByte, contentByte + bextDateByte + bextDateBytes)),
      );
  }
  return null;
}

/**
 * `yyyy-mm-ddhh:mm:ss` with separators of the recorder's choice (EBU Tech 3285 §2.3). A recorder without a clock
 * leaves it empty.
 */
function timeOfBext(text: string): RecordedTime | null {
  const found = /^(\d{4})[-_: .](\d\d)[-_: .](\d\d)(?:(\d\d)[-_: .](\d\d)[-_: .](\d\d))?/.exec(text);
  if (found === null) return null;
  const [year = 0, month, date, hours, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  return timeOfParts({
    year,
    month,
    date,
    clock: hours === undefined ? undefined : { hours, minutes, seconds },
  });
}
