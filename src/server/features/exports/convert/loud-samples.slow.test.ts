import { describe, expect, test } from 'vitest';
import { apiOnSqlite } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { ffmpegFile } from '#tests/support/media/ffmpeg-files.ts';
import { peaksOfChannels } from '#tests/support/media/peaks-of-channels.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { listener, share, tokenOf } from '#tests/support/sharing.ts';

/** A quiet second, a second at the peak, and a quiet second. */
const loudTone = (peak: number, channels: number, ...options: string[]): Buffer => {
  const tone = `if(between(t,1,2),${peak},0.5)*sin(2*PI*440*t)`;
  const sound = Array.from({ length: channels }, () => tone).join('|');
  return ffmpegFile('a.wav', ['-f', 'lavfi', '-i', `aevalsrc='${sound}':s=48000:d=3`, ...options]);
};

const loudest = (file: Buffer): number => Math.max(...peaksOfChannels(file));

async function imported(name: string, bytes: Buffer) {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const { recording } = await importFile(api, user, { name, bytes });
  const url = `/api/recordings/${recording.id}`;
  return {
    recording,
    get: async (path: string) => {
      const { statusCode, rawPayload } = await api.as(user, { url: `${url}/${path}` });
      expect([path, statusCode]).toEqual([path, 200]);
      return rawPayload;
    },
    link: async (path: string) => {
      const token = tokenOf(await share({ api, user }, recording.id, { download: 'formats' }));
      await api.runJobs();
      return (await listener(api).send('GET', `/s/${token}/${path}`)).rawPayload;
    },
  };
}

describe.skipIf(!hasFfmpeg)(
  'F9: a file louder than full scale is quieter wherever it would be cut off',
  () => {
    test.each([
      {
        name: '+16 dB in two channels of 64 bits',
        peak: 6.35,
        channels: 2,
        codec: 'pcm_f64le',
        quieterByDb: 17,
      },
      { name: '+18 dB from four microphones', peak: 7.94, channels: 4, codec: 'pcm_f32le', quieterByDb: 18 },
    ])('$name', async ({ peak, channels, codec, quieterByDb }) => {
      const bytes = loudTone(peak, channels, '-c:a', codec);
      const { recording, get, link } = await imported('a.wav', bytes);
      expect(recording.quieterByDb).toBe(quieterByDb);
      for (const format of ['mp3', 'm4a', 'opus', 'flac']) {
        const level = loudest(await get(`download?format=${format}`));
        expect([format, level <= 1.05, level > 0.7]).toEqual([format, true, true]);
      }
      expect(loudest(await get('audio'))).toBeLessThanOrEqual(1.05);
      expect(loudest(await link('audio'))).toBeLessThanOrEqual(1.05);
      expect(loudest(await get('download?format=wav'))).toBeCloseTo(peak, 1);
      expect(Buffer.compare(await get('original'), bytes)).toBe(0);
    });

    test('microphones that cancel each other out have the waveform of one decoding', async () => {
      const bytes = ffmpegFile('a.wav', [
        '-f',
        'lavfi',
        '-i',
        'aevalsrc=2*sin(2*PI*440*t):s=48000:d=3',
        '-af',
        'pan=3C|c0=c0|c1=-1*c0',
        '-c:a',
        'pcm_f32le',
      ]);
      const { recording } = await imported('a.wav', bytes);
      expect(recording).toMatchObject({ durationMs: 3000, peaksPoints: 300 });
    });

    test('sound outside the loud part has its own place in the waveform', async () => {
      const { recording } = await imported('a.wav', loudTone(6.35, 1, '-c:a', 'pcm_f32le'));
      const overview = Buffer.from(recording.overview ?? '', 'base64');
      expect(overview.length).toBeGreaterThan(0);
      expect(new Set(overview).size).toBeGreaterThan(2);
    });

    test('floating-point samples below full scale are played as they are', async () => {
      const { recording, get } = await imported('a.wav', loudTone(0.9, 1, '-c:a', 'pcm_f32le'));
      expect(recording).toMatchObject({ quieterByDb: 0, rendition: 'none' });
      expect(loudest(await get('download?format=mp3'))).toBeGreaterThan(0.8);
    });

    test('a lossy file that decodes to more than full scale is not changed', async () => {
      const bytes = ffmpegFile('a.mp3', ['-i', 'in.wav', '-c:a', 'libmp3lame'], {
        'in.wav': loudTone(1, 1, '-c:a', 'pcm_s16le'),
      });
      const { recording } = await imported('a.mp3', bytes);
      expect(recording.quieterByDb).toBe(0);
    });

    test('one damaged sample is silence, and makes nothing quieter', async () => {
      const bytes = loudTone(0.5, 1, '-c:a', 'pcm_f32le');
      bytes.writeFloatLE(1e30, bytes.indexOf('data') + 8 + 48_000 * 4);
      const { recording, get } = await imported('a.wav', bytes);
      expect(recording.quieterByDb).toBe(0);
      expect(loudest(await get('download?format=mp3'))).toBeGreaterThan(0.4);
    });
  },
);
