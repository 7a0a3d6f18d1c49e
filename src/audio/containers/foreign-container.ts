/** A container of sound that our own parser does not read, though ffmpeg may. `demuxer`: ffmpeg's name for it, where only one reads it. */
export interface ForeignContainer { container: 'aiff' | 'caf' | 'ogg' | 'other'; demuxer?: string }

interface Signature { at: number; bytes: string; means: ForeignContainer }

const other: ForeignContainer = { container: 'other' };

/** By a file's first bytes, in Latin-1. */
const signatures: readonly Signature[] = [
  { at: 8, bytes: 'AIFF', means: { container: 'aiff' } },
  { at: 8, bytes: 'AIFC', means: { container: 'aiff' } },
  { at: 0, bytes: 'caff', means: { container: 'caf', demuxer: 'caf' } },
  { at: 8, bytes: 'AVI ', means: other },
  // WAV with sizes of 64 bits: read by some browsers only.
  { at: 0, bytes: 'RF64', means: other },
  { at: 0, bytes: '#!AMR', means: other },
  { at: 0, bytes: '.snd', means: other },
  { at: 0, bytes: 'wvpk', means: other },
  { at: 0, bytes: 'MAC ', means: other },
  { at: 0, bytes: 'TTA1', means: other },
  { at: 0, bytes: 'TTA2', means: other },
  { at: 0, bytes: 'FLV\x01', means: other },
  { at: 0, bytes: '.RMF', means: other },
  { at: 0, bytes: '.ra\xfd', means: other },
  // Advanced Systems Format, of which WMA and WMV are two (its header object's GUID); an MPEG program stream; Dolby Digital; DTS.
  { at: 0, bytes: '\x30\x26\xb2\x75\x8e\x66\xcf\x11', means: other },
  { at: 0, bytes: '\x00\x00\x01\xba', means: other },
  { at: 0, bytes: '\x0b\x77', means: other },
  { at: 0, bytes: '\x7f\xfe\x80\x01', means: other },
  // Known containers with a codec that our parser does not know: ADPCM of Microsoft and of IMA, GSM and MP3 in WAV, FLAC and Speex in Ogg.
  { at: 8, bytes: 'WAVEfmt \x32\0\0\0\x02\0', means: other },
  { at: 8, bytes: 'WAVEfmt \x14\0\0\0\x11\0', means: other },
  { at: 8, bytes: 'WAVEfmt \x14\0\0\0\x31\0', means: other },
  { at: 8, bytes: 'WAVEfmt \x1e\0\0\0\x55\0', means: other },
  { at: 28, bytes: '\x7fFLAC', means: { container: 'ogg' } },
  { at: 28, bytes: 'Speex   ', means: { container: 'ogg' } },
];

/** How many bytes from a file's beginning `foreignContainerOf` looks at. */
export const signatureBytes = 36;

/** Knows containers of sound by how they begin; null where this is none of them. */
export function foreignContainerOf(head: Uint8Array): ForeignContainer | null {
  const text = String.fromCharCode(...head.subarray(0, signatureBytes));
  return signatures.find(({ at, bytes }) => text.startsWith(bytes, at))?.means ?? null;
}
