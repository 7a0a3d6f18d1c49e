import { isLikelySilent } from './likely-sound.ts';
import { isBlank } from './no-sound.ts';

/**
 * Why a file can't be imported although it may hold a recording, so that its user knows what to do: export it with
 * the program that it belongs to, unpack it, or, if it is copy-protected, nothing.
 */
export type UnreadableFile =
  | { reason: 'other-program'; program: string }
  | { reason: 'archive' }
  | { reason: 'encrypted' };

/** `signatures`: bytes at an offset, in Latin-1, that no other kind of file has. */
interface Rule {
  means: UnreadableFile;
  endings: readonly string[];
  signatures?: readonly (readonly [at: number, bytes: string])[];
}

const of = (program: string, endings: string, ...signatures: (readonly [number, string])[]): Rule => ({
  means: { reason: 'other-program', program },
  endings: endings.split(' '),
  signatures,
});

const programs: readonly Rule[] = [
  // Dictation machines and call recorders whose format ffmpeg can't decode, or that encrypt.
  of(
    'DSS Player / ODMS / SpeechExec',
    'ds2 dss',
    ...['\x01', '\x02', '\x03', '\x06', '\x07'].map((version) => [0, `${version}ds2`] as const),
    [0, '\x03enc'],
  ),
  of('Sony Digital Voice Editor', 'msv dvf icd', [0, 'MS_VOICE']),
  of('Panasonic Voice Editing', 'vm1'),
  of('Express Dictate', 'dct'),
  of('NICE Player', 'nmf'),
  // Recordings of meetings and screens before they are converted.
  of('Zoom', 'zoom'),
  of('Webex Player', 'arf wrf'),
  of('Camtasia', 'camproj camrec cmproj trec tscproj'),
  // Projects of audio and video editors.
  of('Audacity', 'aup aup3 auf', [68, 'AUDY'], [0, 'AudacityBlockFile']),
  of('GarageBand', 'band'),
  of('Logic Pro', 'logic logicx'),
  of('Ableton Live', 'als alc alp'),
  of('REAPER', 'rpp', [0, '<REAPER_PROJECT']),
  of('FL Studio', 'flp', [0, 'FLhd']),
  of('Pro Tools', 'ptf pts ptx'),
  of('Cubase', 'cpr'),
  of('Nuendo', 'npr'),
  of('Adobe Audition', 'ses sesx'),
  of('Adobe Premiere Pro', 'prproj'),
  of('Hindenburg', 'nhsx'),
  of('Ardour', 'ardour'),
  of('Studio One', 'song'),
  of('Reason', 'reason rns'),
  of('Bitwig Studio', 'bwproject'),
  of('Cakewalk', 'cwp'),
  of('Samplitude', 'vip'),
  of('Waveform', 'tracktionedit'),
  of('LMMS', 'mmp mmpz'),
  of('Final Cut Pro', 'fcpbundle fcpxml fcpxmld'),
  of('iMovie', 'imovielibrary imovieproject'),
  of('DaVinci Resolve', 'drp'),
];

/** Music, films and audio books of stores and streaming services. */
const encrypted: Rule = {
  means: { reason: 'encrypted' },
  endings: 'aa aax aaxc kgm kgma kwm m4p mflac mgg ncm qmc0 qmc3 qmcflac qmcogg vpr'.split(' '),
  signatures: [
    [4, '\x57\x90\x75\x36'],
    [0, 'CTENFDAM'],
    [0, 'yeelion-kuwo'],
    [0, '\x7c\xd5\x32\xeb\x86\x02\x7f\x4b'],
  ],
};

/** Archives, as chats are exported in one. Documents of office programs are archives too, and hold no sound. */
const archiveEndings = /\.(?:7z|bz2|cab|gz|rar|sitx?|t[bgx]z|tar|xz|zip|zst)$/i;
const archiveSignatures: readonly (readonly [at: number, bytes: string])[] = [
  [0, 'PK\x03\x04'],
  [0, 'Rar!\x1a\x07'],
  [0, '7z\xbc\xaf\x27\x1c'],
  [0, '\x1f\x8b\x08'],
  [0, '\xfd7zXZ\0'],
  [0, 'BZh'],
  [0, '\x28\xb5\x2f\xfd'],
  [0, 'MSCF\0'],
  [257, 'ustar'],
];

const rules: readonly Rule[] = [...programs, encrypted];
const signatureBytes = 512;

const endingOf = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
const latin1 = (head: Uint8Array): string => String.fromCharCode(...head.subarray(0, signatureBytes));
const hasSignature = (text: string, signatures: Rule['signatures'] = []): boolean =>
  signatures.some(([at, bytes]) => text.startsWith(bytes, at));

/** Recognises such a file by its first bytes alone, whatever its name is. */
export function unreadableBySignature(head: Uint8Array): UnreadableFile | null {
  const text = latin1(head);
  return rules.find(({ signatures }) => hasSignature(text, signatures))?.means ?? null;
}

/**
 * Recognises such a file that the parser couldn't read by its name and first bytes. A project is often packed into an
 * archive whose name holds both endings.
 */
export function unreadableByName(file: Pick<File, 'name' | 'type'>, head: Uint8Array): UnreadableFile | null {
  if (isBlank(head)) return null;
  const ending = endingOf(file.name.replace(archiveEndings, ''));
  const rule = rules.find(({ endings }) => endings.includes(ending));
  if (rule !== undefined) return rule.means;
  const isArchive =
    archiveEndings.test(file.name) ||
    (!isLikelySilent(file) && hasSignature(latin1(head), archiveSignatures));
  return isArchive ? { reason: 'archive' } : null;
}
