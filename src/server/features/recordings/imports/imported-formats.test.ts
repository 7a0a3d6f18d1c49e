import { describe, expect, test } from 'vitest';
import { apiOnSqlite } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { hasFfmpeg, sampleFile } from '#tests/support/sample-files.ts';
import { testPlayedUnchanged, testRenditions } from './imported-formats.suite.ts';

// One file of each container. imported-formats.slow.test.ts has further codecs and variants.

describe.skipIf(!hasFfmpeg)('a file made by ffmpeg:', () => {
  testPlayedUnchanged([
    { name: 'a.mp3', format: { container: 'mp3', codec: 'mp3' } },
    { name: 'a.m4a', format: { container: 'mp4', codec: 'aac' } },
    { name: 'a.flac', format: { container: 'flac', codec: 'flac' } },
    { name: 'a.ogg', options: ['-c:a', 'libvorbis'], format: { container: 'ogg', codec: 'vorbis' } },
    { name: 'a.webm', format: { container: 'webm', codec: 'opus' } },
  ]);

  testRenditions([
    {
      name: 'a.mkv',
      options: ['-c:a', 'libopus'],
      format: { container: 'matroska', codec: 'opus' },
      served: 'audio/ogg; codecs=opus OggS',
    },
    {
      name: 'film.mov',
      options: ['-c:v', 'mjpeg'],
      kind: 'film',
      format: { container: 'other', codec: 'aac' },
      served: 'audio/mp4 ftyp',
    },
    { name: 'a.aiff', format: { container: 'aiff' }, served: 'audio/ogg; codecs=opus OggS' },
    { name: 'a.caf', format: { container: 'caf' }, served: 'audio/ogg; codecs=opus OggS' },
    { name: 'a.wma', format: { container: 'other' }, served: 'audio/ogg; codecs=opus OggS' },
    { name: 'a.aac', format: { container: 'adts', codec: 'aac' }, served: 'audio/mp4 ftyp' },
  ]);

  test('a film without sound is distinguished from a file that is not audio', async () => {
    const api = await apiOnSqlite();
    const { recording } = await importFile(api, await api.signIn(), {
      name: 'film.mp4',
      bytes: sampleFile('film.mp4', ['-pix_fmt', 'yuv420p'], 'silent-film'),
    });
    expect(recording).toMatchObject({ state: 'failed', failureReason: 'no-audio-track' });
  });

  test('an encrypted file is distinguished from a damaged one', async () => {
    const api = await apiOnSqlite();
    const key = '00112233445566778899aabbccddeeff';
    const bytes = sampleFile('a.mp4', [
      '-encryption_scheme',
      'cenc-aes-ctr',
      '-encryption_key',
      key,
      '-encryption_kid',
      key,
    ]);
    const { recording } = await importFile(api, await api.signIn(), { name: 'a.mp4', bytes });
    expect(recording).toMatchObject({ state: 'failed', failureReason: 'encrypted' });
  });

  test('a file that only ffmpeg could play is stored without it, and reported as unplayable', async () => {
    const api = await apiOnSqlite(undefined, { ffmpeg: false });
    const user = await api.signIn();
    const bytes = sampleFile('lossless.m4a', ['-c:a', 'alac']);
    const { take, recording } = await importFile(api, user, { name: 'lossless.m4a', bytes });
    expect(recording).toMatchObject({
      state: 'ready',
      rendition: 'failed',
      failureReason: 'format-unsupported',
    });
    expect(Math.abs(recording.durationMs - 3000)).toBeLessThanOrEqual(80);
    expect(
      (await api.as(user, { url: `/api/recordings/${take.recordingId}/original` })).rawPayload.equals(bytes),
    ).toBe(true);
  });
});
