import { describe, expect, test } from 'vitest';
import { minute } from '#base/duration.ts';
import { apiOnSqlite } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { editedMp4 } from '#tests/support/media/edit-lists.ts';
import { ffmpegFile, noisyTone, toneInput } from '#tests/support/media/ffmpeg-files.ts';
import { disagreements, readersOf } from '#tests/support/media/four-readers.ts';
import { hasFfmpeg } from '#tests/formats/make-samples.ts';

/** An encoding, and about how many bytes a second of it takes. */
interface Encoding {
  options: readonly string[];
  bytesPerSecond: number;
}

interface Kind extends Encoding {
  name: string;
  /** For files of 50 MB: the highest bit rate that the encoder supports. */
  large: Encoding;
  /** Whether its container can hold a second track and a late start time. */
  isMuxed?: true;
  /** Where the header has a size, and its byte order. */
  sizesAt?: { at: number; isBigEndian: boolean }[];
}

const kinds: readonly Kind[] = [
  {
    name: 'a.mp3',
    options: ['-c:a', 'libmp3lame', '-b:a', '64k'],
    bytesPerSecond: 8000,
    large: { options: ['-c:a', 'libmp3lame', '-b:a', '320k'], bytesPerSecond: 40_000 },
  },
  {
    name: 'a.m4a',
    options: ['-c:a', 'aac', '-b:a', '64k'],
    bytesPerSecond: 8000,
    large: { options: ['-c:a', 'aac', '-b:a', '512k'], bytesPerSecond: 29_000 },
    isMuxed: true,
  },
  {
    name: 'a.aac',
    options: ['-c:a', 'aac', '-b:a', '64k'],
    bytesPerSecond: 8000,
    large: { options: ['-c:a', 'aac', '-b:a', '512k'], bytesPerSecond: 29_000 },
  },
  {
    name: 'a.opus',
    options: ['-c:a', 'libopus', '-b:a', '64k'],
    bytesPerSecond: 8000,
    large: { options: ['-c:a', 'libopus', '-b:a', '510k'], bytesPerSecond: 56_000 },
    isMuxed: true,
  },
  {
    name: 'a.ogg',
    options: ['-c:a', 'libvorbis', '-b:a', '64k'],
    bytesPerSecond: 8000,
    large: { options: ['-c:a', 'libvorbis', '-b:a', '480k'], bytesPerSecond: 48_000 },
    isMuxed: true,
  },
  {
    name: 'a.webm',
    options: ['-c:a', 'libopus', '-b:a', '64k'],
    bytesPerSecond: 8000,
    large: { options: ['-c:a', 'libopus', '-b:a', '510k'], bytesPerSecond: 56_000 },
    isMuxed: true,
  },
  {
    name: 'a.mka',
    options: ['-c:a', 'libvorbis', '-b:a', '64k'],
    bytesPerSecond: 8000,
    large: { options: ['-c:a', 'libvorbis', '-b:a', '480k'], bytesPerSecond: 48_000 },
    isMuxed: true,
  },
  {
    name: 'a.ts',
    options: ['-c:a', 'aac', '-b:a', '64k'],
    bytesPerSecond: 9000,
    large: { options: ['-c:a', 'aac', '-b:a', '512k'], bytesPerSecond: 35_000 },
    isMuxed: true,
  },
  {
    name: 'a.flac',
    options: ['-ar', '16000'],
    bytesPerSecond: 15_000,
    large: { options: ['-ar', '96000'], bytesPerSecond: 208_000 },
  },
  {
    name: 'a.wav',
    options: ['-ar', '16000'],
    bytesPerSecond: 32_000,
    large: { options: ['-ar', '96000'], bytesPerSecond: 384_000 },
    sizesAt: [
      { at: 4, isBigEndian: false },
      { at: 74, isBigEndian: false },
    ],
  },
  {
    name: 'a.aiff',
    options: ['-ar', '16000'],
    bytesPerSecond: 32_000,
    large: { options: ['-ar', '96000'], bytesPerSecond: 384_000 },
    sizesAt: [{ at: 4, isBigEndian: true }],
  },
  {
    name: 'a.caf',
    options: ['-ar', '16000'],
    bytesPerSecond: 32_000,
    large: { options: ['-ar', '96000'], bytesPerSecond: 384_000 },
  },
  {
    name: 'a.wma',
    options: ['-c:a', 'wmav2', '-b:a', '64k', '-ar', '44100'],
    bytesPerSecond: 8000,
    large: { options: ['-c:a', 'wmav2', '-b:a', '320k', '-ar', '44100'], bytesPerSecond: 68_000 },
  },
];

const sizes = [
  { size: '100 kB', sizeBytes: 100_000 },
  { size: '1 MB', sizeBytes: 1_000_000 },
  { size: '50 MB', sizeBytes: 50_000_000, isLarge: true },
] as const;
const noise = ['-f', 'lavfi', '-i', 'anoisesrc=r=48000:a=0.1'];

function withSize(
  bytes: Buffer,
  { at, isBigEndian }: { at: number; isBigEndian: boolean },
  value: number,
): Buffer {
  const changed = Buffer.from(bytes);
  if (isBigEndian) changed.writeUInt32BE(value, at);
  else changed.writeUInt32LE(value, at);
  return changed;
}

/** One file and what recorders, programs and cut connections make of it. */
function variantsOf(
  kind: Kind,
  { sizeBytes, isLarge }: { sizeBytes: number; isLarge: boolean },
): [string, Buffer][] {
  const { name } = kind;
  const { options, bytesPerSecond } = isLarge ? kind.large : kind;
  const seconds = Math.ceil(sizeBytes / bytesPerSecond);
  const input = isLarge
    ? ['-stream_loop', '-1', '-i', 'noisy.wav', '-t', String(seconds)]
    : toneInput(seconds);
  const inputs: Record<string, Uint8Array> = isLarge ? { 'noisy.wav': noisyTone() } : {};
  const whole = ffmpegFile(name, [...input, ...options], inputs);
  const stated = (kind.sizesAt ?? []).flatMap((place) =>
    [0, 1, 0x7fff_ffff, 0xffff_ffff].map((value): [string, Buffer] => [
      `size ${value} at ${place.at}`,
      withSize(whole, place, value),
    ]),
  );
  // For a large file only variants that depend on its size are checked.
  if (isLarge)
    return [
      ['whole', whole],
      ['zeros behind', Buffer.concat([whole, Buffer.alloc(20_000)])],
      ['cut off', whole.subarray(0, Math.floor(whole.length * 0.61))],
      ...stated,
    ];
  const late =
    kind.isMuxed === true
      ? [
          ['late start', ffmpegFile(name, [...input, ...options, '-output_ts_offset', '7'])] satisfies [
            string,
            Buffer,
          ],
        ]
      : [];
  const tracks =
    kind.isMuxed === true && !/opus$|ogg$|webm$/.test(name)
      ? [
          [
            'two tracks',
            ffmpegFile(name, [...input, ...noise, '-map', '0', '-map', '1', '-shortest', ...options]),
          ] satisfies [string, Buffer],
        ]
      : [];
  return [
    ['whole', whole],
    ['twice in a row', Buffer.concat([whole, whole])],
    ['zeros behind', Buffer.concat([whole, Buffer.alloc(20_000)])],
    ['an odd byte behind', Buffer.concat([whole, Buffer.of(7)])],
    ['cut off', whole.subarray(0, Math.floor(whole.length * 0.61))],
    ['begun late', whole.subarray(301)],
    ...late,
    ...tracks,
    ...stated,
  ];
}

describe.skipIf(!hasFfmpeg())(
  'API, waveform, served audio and conversions agree within 100 ms, or the file is rejected with a reason',
  () => {
    test.for(
      kinds.flatMap((kind) => sizes.map((size) => ({ isLarge: false, ...size, kind, name: kind.name }))),
    )('$name of $size', { timeout: 60 * minute }, async ({ kind, ...size }) => {
      const wrong: string[] = [];
      for (const [variant, bytes] of variantsOf(kind, size))
        wrong.push(...(await disagreeing(kind.name, bytes)).map((what) => `${variant}: ${what}`));
      expect(wrong).toEqual([]);
    });

    test.for([
      [{ lengthMs: 2000, fromMs: 500 }],
      [
        { lengthMs: 1000, fromMs: 0 },
        { lengthMs: 1000, fromMs: 3000 },
        { lengthMs: 1000, fromMs: 1000 },
      ],
      [
        { lengthMs: 3000, fromMs: -1 },
        { lengthMs: 2000, fromMs: 500 },
      ],
    ])('an edit list of %o', { timeout: 5 * minute }, async (...[edits]) => {
      expect(await disagreeing('a.m4a', editedMp4([edits].flat()))).toEqual([]);
    });
  },
);

/** Describes how the readers of one file disagree; empty for a file that is rejected with a reason. */
async function disagreeing(name: string, bytes: Buffer): Promise<string[]> {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const {
    take: { recordingId },
    recording,
  } = await importFile(api, user, { name, bytes });
  if (recording.state === 'failed')
    return recording.failureReason === null ? ['failed without a reason'] : [];
  const readers = await readersOf(api, user, { recordingId, recording });
  return disagreements(readers, {
    lengthMs: recording.durationMs,
    soundsFromMs: readers.served.soundsFromMs,
  });
}
