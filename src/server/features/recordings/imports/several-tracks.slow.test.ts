import { describe, expect, test } from 'vitest';
import { apiOnSqlite } from '#tests/support/api-under-test.ts';
import { ffmpegFile, soundsFromMs, toneInput } from '#tests/support/media/ffmpeg-files.ts';
import { disagreements, fourReaders, type FourReaders } from '#tests/support/media/four-readers.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';

const aac = ['-c:a', 'aac', '-b:a', '64k'];
const both = ['-map', '0', '-map', '1'];
const names = ['-metadata:s:a:0', 'title=Interviewer', '-metadata:s:a:1', 'title=Guest'];

async function read(name: string, bytes: Buffer): Promise<FourReaders> {
  const api = await apiOnSqlite();
  return fourReaders(api, await api.signIn(), { name, bytes });
}

/** One tone from the first second on, another from the fourth. */
const twoVoices = (): string[] => [
  ...toneInput(6, { hz: 440 }),
  '-f',
  'lavfi',
  '-i',
  "aevalsrc='if(lt(t,4),0,0.5*sin(2*PI*1500*t))':s=48000:d=6",
];

describe.skipIf(!hasFfmpeg)('M11: a file with several audio tracks', () => {
  test.for([
    ['an MKV as screen recorders write it', 'a.mkv', [...aac, ...names]],
    ['an M4A', 'a.m4a', aac],
    ['an MKA with lossless tracks', 'a.mka', ['-c:a', 'flac', ...names]],
    ['an MKA of Opus', 'a.mka', ['-c:a', 'libopus', ...names]],
  ] as const)('%s is played with all of them mixed', async ([, name, options]) => {
    const readers = await read(name, ffmpegFile(name, [...twoVoices(), ...both, ...options]));
    expect(disagreements(readers, { lengthMs: 6000, soundsFromMs })).toEqual([]);
    const isNamed = options.includes('title=Guest');
    expect(readers.recording.audioTracks).toMatchObject([
      { title: isNamed ? 'Interviewer' : '', isPlayed: true },
      { title: isNamed ? 'Guest' : '', isPlayed: true },
    ]);
  });

  test('and pictures is also played with all of them mixed', async () => {
    const film = ['-f', 'lavfi', '-i', 'color=red:s=64x64:r=5:d=6', '-map', '2', '-c:v', 'mpeg4'];
    const readers = await read(
      'film.mkv',
      ffmpegFile('a.mkv', [...twoVoices(), ...film.slice(0, 4), ...both, ...film.slice(4), ...aac, ...names]),
    );
    expect(disagreements(readers, { lengthMs: 6000, soundsFromMs })).toEqual([]);
    expect(readers.recording.audioTracks).toMatchObject([
      { title: 'Interviewer', isPlayed: true },
      { title: 'Guest', isPlayed: true },
    ]);
  });

  test('is as long as its longest track, and a track that begins late stays in place', async () => {
    const bytes = ffmpegFile('a.mkv', [
      '-f',
      'lavfi',
      '-i',
      'anullsrc=r=48000:cl=mono:d=3',
      '-itsoffset',
      '2',
      ...toneInput(6),
      ...both,
      ...aac,
    ]);
    const readers = await read('late.mkv', bytes);
    expect(disagreements(readers, { lengthMs: 8000, soundsFromMs: soundsFromMs + 2000 })).toEqual([]);
  });

  test('with the same sound in several languages plays the default track, and reports this', async () => {
    const languages = [
      '-metadata:s:a:0',
      'language=eng',
      '-metadata:s:a:1',
      'language=fra',
      '-disposition:a:0',
      '0',
      '-disposition:a:1',
      'default',
    ];
    const { recording } = await read(
      'film.mkv',
      ffmpegFile('a.mkv', [...twoVoices(), ...both, ...aac, ...languages]),
    );
    expect(recording.audioTracks).toMatchObject([
      { language: 'eng', isPlayed: false },
      { language: 'fra', isPlayed: true },
    ]);
  });

  test.for([
    ['one track names its language', ['-metadata:s:a:1', 'language=eng']],
    ['both name the same language', ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=eng']],
    ['none is known', ['-metadata:s:a:0', 'language=und']],
  ] as const)('is played with all of them mixed if %s', async ([, languages]) => {
    const { recording } = await read(
      'call.mkv',
      ffmpegFile('a.mkv', [...twoVoices(), ...both, ...aac, ...languages]),
    );
    expect(recording.audioTracks.map(({ isPlayed }) => isPlayed)).toEqual([true, true]);
  });

  test('with endless names or control characters in them gets names within bounds', async () => {
    const { recording } = await read(
      'names.mkv',
      ffmpegFile('a.mkv', [
        ...twoVoices(),
        ...both,
        ...aac,
        '-metadata:s:a:0',
        `title=${'x'.repeat(5000)}`,
        '-metadata:s:a:1',
        'title=a\tb',
        '-metadata:s:a:1',
        'language=???',
      ]),
    );
    expect(recording.audioTracks).toMatchObject([
      { title: 'x'.repeat(200) },
      { title: 'a b', language: null },
    ]);
  });

  test('that are all loud is limited to below full scale', async () => {
    const loud = [
      '-f',
      'lavfi',
      '-i',
      'aevalsrc=0.9*sin(2*PI*440*t):s=48000:d=3',
      '-f',
      'lavfi',
      '-i',
      'aevalsrc=0.9*sin(2*PI*440*t):s=48000:d=3',
    ];
    const readers = await read('loud.mkv', ffmpegFile('a.mkv', [...loud, ...both, '-c:a', 'flac']));
    expect(disagreements(readers, { lengthMs: 3000, soundsFromMs: 0 })).toEqual([]);
  });

  /** The file with texts replaced, in the part that begins with an occurrence of `anchor`, as by another codec. */
  const changed = (
    file: Buffer,
    { anchor, occurrence }: { anchor: string; occurrence: number },
    ...pairs: readonly (readonly [string, string])[]
  ) => {
    const bytes = Buffer.from(file);
    let from = bytes.indexOf(anchor);
    for (let passed = 0; passed < occurrence; passed += 1) from = bytes.indexOf(anchor, from + 1);
    for (const [old, other] of pairs) bytes.write(other, bytes.indexOf(old, from), 'latin1');
    return bytes;
  };
  const voices = (name: string, ...options: readonly string[]) =>
    ffmpegFile(name, [...twoVoices(), ...both, ...aac, ...options]);
  /** What a voice memo of a current iPhone has beside AAC. */
  const spatial = [
    ['mp4a', 'apac'],
    ['esds', 'dapa'],
  ] as const;
  const unknownInMatroska = ['A_AAC', 'A_XYZ'] as const;
  const damagedInMatroska = ['A_AAC', 'A_AC3'] as const;

  test.for([
    [
      'F1: the second of a QuickTime file',
      'memo.qta',
      changed(voices('a.mov'), { anchor: 'stsd', occurrence: 1 }, ...spatial),
      [true, false],
    ],
    [
      'F1: the first of a QuickTime file',
      'a.mov',
      changed(voices('a.mov'), { anchor: 'stsd', occurrence: 0 }, ...spatial),
      [false, true],
    ],
    [
      'the second of an MKV',
      'a.mkv',
      changed(voices('a.mkv'), { anchor: 'A_AAC', occurrence: 1 }, unknownInMatroska),
      [true, false],
    ],
    [
      'one of a codec that its packets are not',
      'a.mkv',
      changed(voices('a.mkv'), { anchor: 'A_AAC', occurrence: 1 }, damagedInMatroska),
      [true, false],
    ],
    [
      'the default one of several languages',
      'film.mkv',
      changed(
        voices('a.mkv', '-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fra'),
        { anchor: 'A_AAC', occurrence: 0 },
        unknownInMatroska,
      ),
      [false, true],
    ],
  ] as const)('is played without a track that can’t be decoded: %s', async ([, name, bytes, played]) => {
    const { recording } = await read(name, bytes);
    expect(recording).toMatchObject({ state: 'ready', durationMs: expect.closeTo(6000, -2) });
    expect(recording.audioTracks.map(({ isPlayed }) => isPlayed)).toEqual(played);
  });

  test('that has only one track reports no tracks', async () => {
    expect(
      (await read('one.mkv', ffmpegFile('a.mkv', [...toneInput(3), ...aac]))).recording.audioTracks,
    ).toEqual([]);
  });
});
