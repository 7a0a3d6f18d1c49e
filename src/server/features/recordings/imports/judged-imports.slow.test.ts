import { describe, expect, test } from 'vitest';
import { type ApiUnderTest, apiOnSqlite, type TestUser, peaksOf } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { editedMp4 } from '#tests/support/media/edit-lists.ts';
import { ffmpegFile, soundsFromMs, toneFile, toneInput } from '#tests/support/media/ffmpeg-files.ts';
import { disagreements, fourReaders, type FourReaders } from '#tests/support/media/four-readers.ts';
import {
  chained,
  cutOff,
  delayed,
  lateStarts,
  type RecorderFile,
  severalTracks,
  withoutIndex,
  withTail,
} from '#tests/support/media/recorder-files.ts';
import { type MadeSamples, wavFile, wavFormat, wavOf, withoutSizes } from '#tests/support/media/wav-files.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';

async function start(): Promise<{ api: ApiUnderTest; user: TestUser }> {
  const api = await apiOnSqlite();
  return { api, user: await api.signIn() };
}

async function read(name: string, bytes: Buffer): Promise<FourReaders> {
  const { api, user } = await start();
  return fourReaders(api, user, { name, bytes });
}

describe.skipIf(!hasFfmpeg)('API, waveform, served sound and conversions agree', () => {
  const kinds: readonly (readonly [string, readonly RecorderFile[]])[] = [
    ['M3: a file without length or index', withoutIndex],
    ['M3, M5: several streams in a row', chained],
    ['M4: a file that was cut off', cutOff],
    ['M9: sound that does not begin at zero', lateStarts],
    ['M11: the track of several that is the default', severalTracks],
    ['M12: silence that an encoder put in front', delayed],
    ['M13: bytes behind the sound', withTail],
  ];
  describe.each(kinds)('%s', (_, files) => {
    test.for(files)('$name', async ({ name, bytes, ...expected }) => {
      expect(disagreements(await read(name, bytes()), expected)).toEqual([]);
    });
  });

  test.for([
    ['16 bits', { bits: 16 }],
    ['8 bits', { bits: 8 }],
    ['24 bits, stereo', { bits: 24, channels: 2 }],
    ['32 bits', { bits: 32 }],
    ['floating point', { bits: 32, isFloat: true }],
    ['double precision', { bits: 64, isFloat: true }],
  ] as const)('M3: big-endian WAV (RIFX) of %s', async ([name, made]) => {
    const read16 = await read(`rifx ${name}.wav`, wavFile({ ...made, isBigEndian: true }));
    expect(disagreements(read16, { lengthMs: 3000, soundsFromMs })).toEqual([]);
    expect([read16.served.mediaType, read16.recording.rendition]).toEqual(['audio/wav', 'ready']);
  });

  test.for<[string, MadeSamples]>([
    ['24 bits in 32', { bits: 32, validBits: 24 }],
    ['24 bits in 32, stereo', { bits: 32, validBits: 24, channels: 2 }],
    ['20 bits in 32', { bits: 32, validBits: 20 }],
    ['16 bits in 24', { bits: 24, validBits: 16 }],
  ])('M3: WAV with samples of %s', async ([name, made]) => {
    const readers = await read(`${name}.wav`, wavFile(made));
    expect(disagreements(readers, { lengthMs: 3000, soundsFromMs })).toEqual([]);
    expect(readers.recording.rendition).toBe('ready');
  });

  test.for<[string, Buffer]>([
    ['16 bits', wavFile({})],
    ['24 bits, stereo', wavFile({ bits: 24, channels: 2 })],
    ['floating point', wavFile({ bits: 32, isFloat: true })],
    [
      '16 bits behind a chunk for more',
      wavOf([
        ['JUNK', Buffer.alloc(28)],
        ['fmt ', wavFormat({})],
        ['data', wavFile({}).subarray(44)],
      ]),
    ],
  ])('M4: WAV of %s whose sizes were never written', async ([name, whole]) => {
    expect(
      disagreements(await read(`${name}.wav`, withoutSizes(whole)), { lengthMs: 3000, soundsFromMs }),
    ).toEqual([]);
  });

  test.for([
    [3000, 'opus', 0.3],
    [4000, 'opus', 0.55],
    [4000, 'vorbis', 0.6],
  ] as const)('M4: Ogg that was cut off within a page (%i, %s)', async ([, codec, share]) => {
    const whole = toneFile(`a.${codec === 'opus' ? 'opus' : 'ogg'}`, ['-c:a', `lib${codec}`, '-b:a', '48k']);
    const { api, user } = await start();
    const readers = await fourReaders(api, user, {
      name: 'cut.ogg',
      bytes: whole.subarray(0, Math.floor(whole.length * share)),
    });
    expect(readers.recording.durationMs).toBeGreaterThan(1000);
    expect(disagreements(readers, { lengthMs: readers.recording.durationMs, soundsFromMs })).toEqual([]);
  });

  test.for([
    ['trimmed at its end', [{ lengthMs: 3000, fromMs: 0 }], 3000, soundsFromMs],
    ['trimmed at its beginning', [{ lengthMs: 4000, fromMs: 500 }], 4000, 500],
    ['trimmed at both ends', [{ lengthMs: 3000, fromMs: 500 }], 3000, 500],
    [
      'cut in its middle',
      [
        { lengthMs: 2000, fromMs: 0 },
        { lengthMs: 2000, fromMs: 4000 },
      ],
      4000,
      soundsFromMs,
    ],
    [
      'that begins late',
      [
        { lengthMs: 1500, fromMs: -1 },
        { lengthMs: 6000, fromMs: 0 },
      ],
      6000,
      soundsFromMs,
    ],
  ] as const)('M5: an MP4 %s by its edit list', async ([, edits, lengthMs, edgeMs]) => {
    expect(
      disagreements(await read('edited.m4a', editedMp4(edits)), { lengthMs, soundsFromMs: edgeMs }),
    ).toEqual([]);
  });
});

describe.skipIf(!hasFfmpeg)('an import', () => {
  test.for(['two-vorbis.ogg', 'two-mp3.mp3', 'three-opus.opus'])(
    '%s of several streams is whole in every format of download',
    async (name) => {
      const file = chained.find((each) => each.name === name);
      const { api, user } = await start();
      const readers = await fourReaders(api, user, {
        name,
        bytes: file?.bytes() ?? Buffer.alloc(0),
        formats: ['mp3', 'm4a', 'opus', 'flac', 'wav'],
      });
      expect(disagreements(readers, { lengthMs: file?.lengthMs ?? 0, soundsFromMs })).toEqual([]);
    },
  );

  test.for([
    ['fragments-aac.m4a', 'aac'],
    ['webm-vorbis-live.webm', 'vorbis'],
    ['flac-no-total.flac', 'flac'],
    ['webm-opus-live.webm', 'opus'],
  ] as const)(
    '%s without an index is not encoded again: its %s packets are copied to a container with an index',
    async ([name, codec]) => {
      const file = withoutIndex.find((each) => each.name === name);
      const { served, recording } = await read(name, file?.bytes() ?? Buffer.alloc(0));
      expect([served.codec, recording.rendition, recording.format.codec]).toEqual([codec, 'ready', codec]);
    },
  );

  test('whose peaks came from the device gets peaks of the played sound, and all stored bytes count', async () => {
    const { api, user } = await start();
    const bytes = toneFile('a.mp3', ['-c:a', 'libmp3lame', '-b:a', '64k']);
    expect(
      disagreements(await fourReaders(api, user, { name: 'a.mp3', bytes, peaks: peaksOf(6) }), {
        lengthMs: 6000,
        soundsFromMs,
      }),
    ).toEqual([]);
  });

  test.for([
    [
      'a.wma',
      ['-c:a', 'wmav2', '-ar', '22050', '-ac', '1'],
      { codec: 'wmav2', sampleRateHz: 22_050, channels: 1 },
    ],
    [
      'a.caf',
      ['-c:a', 'pcm_s24be', '-ar', '16000'],
      { container: 'caf', codec: 'pcm-s24be', sampleRateHz: 16_000, channels: 1 },
    ],
    [
      'a.aiff',
      ['-ar', '32000', '-ac', '2'],
      { container: 'aiff', codec: 'pcm-s16be', sampleRateHz: 32_000, channels: 2 },
    ],
    [
      'a.gsm',
      ['-c:a', 'libgsm', '-ar', '8000', '-ac', '1'],
      { codec: 'gsm', sampleRateHz: 8000, channels: 1 },
    ],
    ['a.au', ['-ar', '8000', '-ac', '1'], { codec: 'pcm-s16be', sampleRateHz: 8000, channels: 1 }],
    ['a.nut', ['-c:a', 'aac', '-ar', '44100'], { codec: 'aac', sampleRateHz: 44_100, channels: 1 }],
  ] as const)(
    'M13: %s, which only ffmpeg reads, is described correctly and converted accordingly',
    async ([name, options, format]) => {
      const readers = await read(name, toneFile(name, options));
      expect(readers.recording.format).toMatchObject(format);
      expect(readers.converted['wav']).toMatchObject({
        sampleRateHz: format.sampleRateHz,
        channels: format.channels,
      });
      // Some codecs start slightly early, which all readers report alike.
      expect(Math.abs((readers.served.soundsFromMs ?? 0) - soundsFromMs)).toBeLessThan(60);
      expect(disagreements(readers, { lengthMs: 6000, soundsFromMs: readers.served.soundsFromMs })).toEqual(
        [],
      );
    },
  );

  // The sum of more than two microphones is limited to full scale.
  test.for<[string, MadeSamples, rendition: string, loudest: number]>([
    ['one channel', {}, 'none', 0.5],
    ['two', { channels: 2 }, 'none', 0.5],
    ['six', { channels: 6 }, 'ready', 1],
    ['ten', { channels: 10 }, 'ready', 1],
  ])('of %s gets peaks as loud as what is played', async ([, made, rendition, loudest]) => {
    const { api, user } = await start();
    const { peaks, recording } = await fourReaders(api, user, {
      name: 'a.wav',
      bytes: wavFile(made),
      formats: [],
    });
    expect([recording.rendition, recording.durationMs]).toEqual([rendition, 3000]);
    expect(Math.abs(peaks.loudest - loudest)).toBeLessThan(0.02);
  });

  test('M13: AMR from a telephone is mono at 8 kHz, and so is the WAV made from it', async () => {
    // Frames at 12.2 kbit/s: a header and 31 bytes that the vocoder decodes as speech.
    const frames = Array.from({ length: 300 }, (_, frame) =>
      Buffer.concat([
        Buffer.of(0x3c),
        Buffer.from(
          Array.from(
            { length: 31 },
            (_byte, at) => (Math.imul(frame * 31 + at + 1, 2_654_435_761) >>> 11) & 255,
          ),
        ),
      ]),
    );
    const readers = await read('call.amr', Buffer.concat([Buffer.from('#!AMR\n'), ...frames]));
    expect(readers.recording.format).toEqual({
      container: 'other',
      codec: 'amr-nb',
      sampleRateHz: 8000,
      channels: 1,
    });
    expect(readers.converted['wav']).toMatchObject({ codec: 'pcm_s16le', sampleRateHz: 8000, channels: 1 });
    expect(disagreements(readers, { lengthMs: 6000, soundsFromMs: null })).toEqual([]);
  });

  test.for([
    [
      'ADPCM in RIFX',
      wavOf(
        [
          ['fmt ', wavFormat({ isBigEndian: true, format: 2, bits: 8 })],
          ['data', Buffer.alloc(4000, 0x35)],
        ],
        { isBigEndian: true },
      ),
      'format-unsupported',
    ],
    [
      'a WAV header with no sound behind it',
      wavOf([
        ['fmt ', wavFormat({})],
        ['data', Buffer.alloc(0)],
      ]),
      'empty',
    ],
    [
      'a WAV header with only a list behind it',
      wavOf([
        ['fmt ', wavFormat({})],
        ['data', Buffer.alloc(0)],
        ['LIST', Buffer.from('INFOINAM\u0006\0\0\0Hello\0', 'latin1')],
      ]),
      'empty',
    ],
    ['zeros', Buffer.alloc(40_000), 'not-audio'],
    [
      'a dictation that no program here reads',
      Buffer.concat([Buffer.from('\u0003ds2', 'latin1'), Buffer.alloc(40_000, 0x91)]),
      'not-audio',
    ],
  ] as const)('of %s is rejected with a reason', async ([, bytes, reason]) => {
    const { api, user } = await start();
    const { recording } = await importFile(api, user, { name: 'a.wav', bytes });
    expect(recording).toMatchObject({ state: 'failed', failureReason: reason });
  });

  test('without sound that ffmpeg can find is not ready', async () => {
    const { api, user } = await start();
    const { recording } = await importFile(api, user, {
      name: 'a.mkv',
      bytes: ffmpegFile('a.mkv', [...toneInput(1), '-c:a', 'pcm_s16le']).subarray(0, 400),
    });
    expect(recording.state).toBe('failed');
  });
});
