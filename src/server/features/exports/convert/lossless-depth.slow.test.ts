import { describe, expect, test } from 'vitest';
import { apiOnSqlite, recordTake } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { decodedSha256, loudSource, probedFile, soundFile } from '#tests/support/loud-sound.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';

/** Imports a file once, and returns a function that converts it. */
async function imported(name: string, bytes: Buffer): Promise<(format: string) => Promise<Buffer>> {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const { recording } = await importFile(api, user, { name, bytes });
  return async (format) => {
    const answer = await api.as(user, { url: `/api/recordings/${recording.id}/download?format=${format}` });
    expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, '']);
    return answer.rawPayload;
  };
}

const wide = (channels: number, sampleRateHz = 48_000): string[] => loudSource(3, { channels, sampleRateHz });

/** A cover picture besides the sound. */
const cover = [
  '-f',
  'lavfi',
  '-i',
  'color=red:s=64x64:d=1',
  '-map',
  '0:a',
  '-map',
  '1:v',
  '-frames:v',
  '1',
  '-c:v',
  'mjpeg',
  '-disposition:v',
  'attached_pic',
];

describe.skipIf(!hasFfmpeg)('a lossless conversion', () => {
  test.for([
    [
      'WAV of 24 bits',
      'a.wav',
      [...wide(2, 96_000), '-c:a', 'pcm_s24le'],
      { sampleRateHz: 96_000, channels: 2, bits: 24 },
    ],
    [
      'AIFF of 24 bits',
      'a.aiff',
      [...wide(1), '-c:a', 'pcm_s24be'],
      { sampleRateHz: 48_000, channels: 1, bits: 24 },
    ],
    [
      'ALAC of 24 bits',
      'a.m4a',
      [...wide(2, 44_100), '-c:a', 'alac', '-sample_fmt', 's32p'],
      { sampleRateHz: 44_100, channels: 2, bits: 24 },
    ],
    [
      'FLAC of 24 bits',
      'a.flac',
      [...wide(2), '-c:a', 'flac', '-sample_fmt', 's32'],
      { sampleRateHz: 48_000, channels: 2, bits: 24 },
    ],
    [
      'FLAC of 24 bits with a cover',
      'a.flac',
      [...wide(2), ...cover, '-c:a', 'flac', '-sample_fmt', 's32'],
      { sampleRateHz: 48_000, channels: 2, bits: 24 },
    ],
    [
      'ALAC of 24 bits with a cover',
      'a.m4a',
      [...wide(2), ...cover, '-c:a', 'alac', '-sample_fmt', 's32p'],
      { sampleRateHz: 48_000, channels: 2, bits: 24 },
    ],
    [
      'a film with sound of 24 bits',
      'a.mkv',
      [
        ...wide(2),
        '-f',
        'lavfi',
        '-i',
        'color=red:s=64x64:r=5:d=3',
        '-c:v',
        'mpeg4',
        '-c:a',
        'flac',
        '-sample_fmt',
        's32',
      ],
      { sampleRateHz: 48_000, channels: 2, bits: 24 },
    ],
    [
      'QuickTime of 16 bits with its index at the end',
      'a.mov',
      [...wide(2), '-c:a', 'pcm_s16be'],
      { sampleRateHz: 48_000, channels: 2, bits: 16 },
    ],
    [
      'WAV of six channels',
      'a.wav',
      [...wide(6), '-c:a', 'pcm_s16le'],
      { sampleRateHz: 48_000, channels: 6, bits: 16 },
    ],
    [
      'WavPack of one channel at 8 kHz',
      'a.wv',
      [...wide(1, 8000), '-sample_fmt', 's16p'],
      { sampleRateHz: 8000, channels: 1, bits: 16 },
    ],
  ] as const)('of %s has the same samples', async ([, name, args, expected]) => {
    const original = soundFile(name, args);
    const converted = await imported(name, original);
    for (const format of ['wav', 'flac']) {
      const bytes = await converted(format);
      expect(probedFile(bytes, `a.${format}`)).toMatchObject(expected);
      expect(decodedSha256(bytes, `a.${format}`)).toBe(decodedSha256(original, name));
    }
  });

  test.for([
    ['32 bits', ['-c:a', 'pcm_s32le'], 'pcm_s32le'],
    ['floating point', ['-c:a', 'pcm_f32le'], 'pcm_f32le'],
  ] as const)(
    'of WAV with samples of %s has the same samples as WAV, and 24 bits as FLAC',
    async ([, options, codec]) => {
      const original = soundFile('a.wav', [...wide(2), ...options]);
      const converted = await imported('a.wav', original);
      const wav = await converted('wav');
      expect(probedFile(wav, 'a.wav')).toMatchObject({ codec, channels: 2 });
      expect(decodedSha256(wav, 'a.wav')).toBe(decodedSha256(original, 'a.wav'));
      expect(probedFile(await converted('flac'), 'a.flac')).toMatchObject({ bits: 24 });
    },
  );

  test.for([
    ['G.711', 'a.wav', ['-c:a', 'pcm_alaw']],
    ['GSM', 'a.wav', ['-c:a', 'libgsm_ms']],
    ['ADPCM', 'a.wav', ['-c:a', 'adpcm_ima_wav']],
    ['Speex', 'a.ogg', ['-c:a', 'libspeex']],
  ] as const)('of telephone audio in %s stays at 8 kHz and one channel', async ([, name, options]) => {
    const converted = await imported(name, soundFile(name, [...wide(1, 8000), ...options]));
    for (const format of ['wav', 'flac'])
      expect(probedFile(await converted(format), `a.${format}`)).toMatchObject({
        sampleRateHz: 8000,
        channels: 1,
        bits: 16,
      });
    expect(probedFile(await converted('mp3'), 'a.mp3')).toMatchObject({ channels: 1 });
  });

  test('of a lossy codec and of a take has 16 bits', async () => {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const { recordingId } = await recordTake(api, user);
    const take = await api.as(user, { url: `/api/recordings/${recordingId}/download?format=flac` });
    expect(probedFile(take.rawPayload, 'a.flac')).toMatchObject({
      sampleRateHz: 48_000,
      channels: 1,
      bits: 16,
    });
    const lossy = soundFile('a.m4a', [...wide(2, 44_100), '-c:a', 'aac']);
    expect(probedFile(await (await imported('a.m4a', lossy))('flac'), 'a.flac')).toMatchObject({
      sampleRateHz: 44_100,
      channels: 2,
      bits: 16,
    });
  });
});
