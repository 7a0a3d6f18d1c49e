/** So many first bytes tell whether an upload can be audio: they hold at least the start of one Ogg page. */
export const judgedBytes = 64 * 1024;

/**
 * What the containers of takes consist of: Ogg pages (RFC 3533 §6), EBML and Matroska clusters (RFC 9559 §5), and the
 * boxes of MP4 (ISO/IEC 14496-12 §4).
 */
const marks = [
  Buffer.from('OggS\0', 'latin1'),
  Buffer.of(0x1a, 0x45, 0xdf, 0xa3),
  Buffer.of(0x1f, 0x43, 0xb6, 0x75),
  ...['ftyp', 'styp', 'moov', 'moof', 'mdat', 'sidx'].map((type) => Buffer.from(type, 'latin1')),
];

/**
 * Whether the first bytes of a take's sound belong to no container of a take. A mark anywhere in them is enough: what
 * is damaged may still have sound, and is not rejected.
 */
export function isNoAudio(first: Uint8Array): boolean {
  const bytes = Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  return marks.every((mark) => !bytes.includes(mark));
}
