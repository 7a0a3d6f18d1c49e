import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import type { DeclaredEncoding } from './tag-text.ts';

/** The bytes of a title, without the decoding of a parser, which loses what the declared encoding cannot express. */
export interface RawTitle {
  bytes: Uint8Array;
  declared: DeclaredEncoding;
}

/** Titles beyond this many bytes are cut. */
const maxTitleBytes = 4096;
const tagBytes = 256 * 1024;
const maxChunks = 100;

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));
const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const synchsafe = (number: number): number =>
  ((number >> 3) & 0xfe00000) | ((number >> 2) & 0x1fc000) | ((number >> 1) & 0x3f80) | (number & 0x7f);

const id3Encodings: readonly DeclaredEncoding[] = ['latin-1', 'utf-16', 'utf-16be', 'utf-8'];

/** The frame `TIT2` (`TT2` in version 2.2) of an ID3v2 tag, https://id3.org/id3v2.3.0#Text_information_frames. */
function id3Title(tag: Uint8Array): RawTitle | null {
  const version = tag[3] ?? 0;
  const [nameLength, headerLength] = version === 2 ? [3, 6] : [4, 10];
  const view = viewOf(tag);
  for (let at = 10; at + headerLength < tag.length;) {
    const sizeBytes =
      version === 2
        ? view.getUint32(at + 2) & 0xff_ff_ff
        : version === 4
          ? synchsafe(view.getUint32(at + 4))
          : view.getUint32(at + 4);
    const start = at + headerLength;
    if (sizeBytes === 0) return null;
    if (/^TI?T2$/.test(textAt(tag, at, nameLength))) {
      const declared = id3Encodings[tag[start] ?? 0] ?? 'latin-1';
      return { declared, bytes: tag.subarray(start + 1, start + Math.min(sizeBytes, maxTitleBytes)) };
    }
    at = start + sizeBytes;
  }
  return null;
}

/** The chunk `INAM` of a list `INFO` of a RIFF file, also after its sound. */
async function riffTitle(file: PieceFile): Promise<RawTitle | null> {
  for (let at = 12, count = 0; at + 12 <= file.sizeBytes && count < maxChunks; count += 1) {
    const head = await file.read(at, at + 12);
    const sizeBytes = viewOf(head).getUint32(4, true);
    if (textAt(head, 0, 4) === 'LIST' && textAt(head, 8, 4) === 'INFO')
      return infoTitle(
        await file.read(at + 12, Math.min(at + 8 + Math.min(sizeBytes, tagBytes), file.sizeBytes)),
      );
    at += 8 + sizeBytes + (sizeBytes % 2);
  }
  return null;
}

function infoTitle(list: Uint8Array): RawTitle | null {
  const view = viewOf(list);
  for (let at = 0; at + 8 <= list.length;) {
    const sizeBytes = view.getUint32(at + 4, true);
    if (textAt(list, at, 4) === 'INAM')
      return {
        declared: 'latin-1',
        bytes: list.subarray(at + 8, at + 8 + Math.min(sizeBytes, maxTitleBytes)),
      };
    at += 8 + sizeBytes + (sizeBytes % 2);
  }
  return null;
}

/** A Vorbis comment `TITLE=` near the start of an Ogg or FLAC file, behind its length. */
function vorbisTitle(head: Uint8Array): RawTitle | null {
  const found = /title=/i.exec(new TextDecoder('latin1').decode(head));
  if (found === null || found.index < 4) return null;
  const lengthBytes = viewOf(head).getUint32(found.index - 4, true);
  if (lengthBytes < 6 || lengthBytes > maxTitleBytes) return null;
  return { declared: 'utf-8', bytes: head.subarray(found.index + 6, found.index + lengthBytes) };
}

/** Reads the bytes of a file's title from ID3v2, RIFF and Vorbis tags; null if it has none of them. */
export async function rawTitleOf(file: PieceFile): Promise<RawTitle | null> {
  const head = await file.read(0, Math.min(tagBytes, file.sizeBytes));
  if (head.length < 12) return null;
  const start = textAt(head, 0, 4);
  if (start.startsWith('ID3')) return id3Title(head.subarray(0, 10 + synchsafe(viewOf(head).getUint32(6))));
  if (start === 'RIFF') return riffTitle(file);
  return start === 'OggS' || start === 'fLaC' ? vorbisTitle(head) : null;
}
