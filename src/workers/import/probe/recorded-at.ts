import { boxesOf, type PieceFile } from '#audio/containers/mp4-boxes.ts';
import { second } from '#base/duration.ts';

/** Seconds from 1904-01-01, the beginning of MP4's time, to 1970 (ISO/IEC 14496-12 §8.2.2). */
const mp4EpochSeconds = 2_082_844_800;
/** Before this no camera or phone wrote MP4: such a time is a program's default. */
const firstMp4Ms = Date.UTC(1999, 0, 1);
/** A `bext` chunk (EBU Tech 3285 §2.3) stands near the beginning; recorders reserve some chunks before it. */
const mostWaveChunks = 64;
const bextDateByte = 320;
const bextDateBytes = 18;

/**
 * When a recorder says that it recorded a file: `mvhd` of an MP4 file, `bext` of a wave file.
 * @returns Unix milliseconds; null where the file states nothing or cannot be read. `bext` has no zone: it is read as this device's
 */
export async function recordedAtMs(file: PieceFile): Promise<number | null> {
  try {
    const head = await file.read(0, 12);
    const [form, kind] = [ascii(head.subarray(0, 4)), ascii(head.subarray(8, 12))];
    if (['RIFF', 'RF64', 'BW64'].includes(form) && kind === 'WAVE') return await bextMs(file);
    return ascii(head.subarray(4, 8)) === 'ftyp' ? await mvhdMs(file) : null;
  } catch {
    return null;
  }
}

const ascii = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

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

async function bextMs(file: PieceFile): Promise<number | null> {
  let atByte = 12;
  for (let chunks = 0; chunks < mostWaveChunks && atByte + 8 <= file.sizeBytes; chunks += 1) {
    const header = await file.read(atByte, atByte + 8);
    if (header.length < 8) return null;
    const name = ascii(header.subarray(0, 4));
    if (name === 'bext') return momentOf(ascii(await file.read(atByte + 8 + bextDateByte, atByte + 8 + bextDateByte + bextDateBytes)));
    const sizeBytes = new DataView(header.buffer, header.byteOffset, 8).getUint32(4, true);
    atByte += 8 + sizeBytes + (sizeBytes % 2);
  }
  return null;
}

/** `yyyy-mm-ddhh:mm:ss`; the signs between are the recorder's choice (EBU Tech 3285 §2.3). */
function momentOf(text: string): number | null {
  const found = /^(\d{4})[-_: .](\d\d)[-_: .](\d\d)(\d\d)[-_: .](\d\d)[-_: .](\d\d)$/.exec(text);
  if (found === null) return null;
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map(Number);
  const moment = new Date(year, month - 1, date, hours, minutes, seconds);
  return moment.getMonth() === month - 1 && moment.getDate() === date ? moment.getTime() : null;
}
