import { describe, expect, test } from 'vitest';
import { apiOnSqlite } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { hasFfmpeg, sampleFile } from '#tests/support/sample-files.ts';
import { testPlayedUnchanged, testRenditions } from './imported-formats.suite.ts';

// Codecs and variants of the containers of imported-formats.test.ts.

describe.skipIf(!hasFfmpeg)('a file made by ffmpeg:', () => {
  testPlayedUnchanged([
    {
      name: 'steady.mp3',
      options: ['-b:a', '128k', '-write_xing', '0'],
      format: { container: 'mp3', codec: 'mp3' },
    },
    { name: 'a.wav', options: ['-c:a', 'pcm_s24le'], format: { container: 'wav', codec: 'pcm-s24' } },
    { name: 'a.opus', format: { container: 'ogg', codec: 'opus' } },
  ]);

  testRenditions([
    {
      name: 'b.mkv',
      options: ['-c:a', 'ac3'],
      format: { container: 'matroska', codec: 'ac3' },
      served: 'audio/ogg; codecs=opus OggS',
    },
    {
      name: 'film.mp4',
      options: ['-pix_fmt', 'yuv420p'],
      kind: 'film',
      format: { container: 'mp4', codec: 'aac' },
      served: 'audio/mp4 ftyp',
    },
    {
      name: 'lossless.m4a',
      options: ['-c:a', 'alac'],
      format: { container: 'mp4', codec: 'alac' },
      served: 'audio/ogg; codecs=opus OggS',
    },
    {
      name: 'a.avi',
      options: ['-c:v', 'mjpeg'],
      kind: 'film',
      format: { container: 'other' },
      served: 'audio/ogg; codecs=opus OggS',
    },
    { name: 'a.wav', options: ['-c:a', 'adpcm_ms'], format: {}, served: 'audio/ogg; codecs=opus OggS' },
    {
      name: 'rf64.wav',
      options: ['-rf64', 'always'],
      format: { container: 'other' },
      served: 'audio/ogg; codecs=opus OggS',
    },
    {
      name: 'bare.mp3',
      options: ['-q:a', '4', '-write_xing', '0'],
      format: { container: 'mp3', codec: 'mp3' },
      served: 'audio/mp4 ftyp',
    },
    {
      name: 'table.mp3',
      options: ['-q:a', '4'],
      format: { container: 'mp3', codec: 'mp3' },
      served: 'audio/mp4 ftyp',
    },
    { name: 'a.mp2', format: { codec: 'mp2' }, served: 'audio/ogg; codecs=opus OggS' },
    {
      name: 'flac.oga',
      options: ['-c:a', 'flac', '-f', 'ogg'],
      format: { container: 'ogg' },
      served: 'audio/ogg; codecs=opus OggS',
    },
    {
      name: 'a.ts',
      options: ['-c:a', 'ac3'],
      format: { container: 'other', codec: 'ac3' },
      served: 'audio/ogg; codecs=opus OggS',
    },
  ]);

  test.each([
    ['Opus', ['-c:a', 'libopus']],
    ['LATM', ['-c:a', 'aac', '-mpegts_flags', 'latm']],
  ] as const)(
    'a transport stream with a codec that our parser does not list is not taken for a film without sound: %s',
    async (_name, codec) => {
      const api = await apiOnSqlite();
      const bytes = sampleFile('film.ts', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', ...codec], 'film');
      const { recording } = await importFile(api, await api.signIn(), { name: 'film.ts', bytes });
      expect(recording).toMatchObject({ state: 'ready', failureReason: null });
      expect(Math.abs(recording.durationMs - 3000)).toBeLessThan(150);
    },
  );

  test('a title that contains the name of a protection entry is a normal title', async () => {
    const api = await apiOnSqlite();
    const { recording } = await importFile(api, await api.signIn(), {
      name: 'a.m4a',
      bytes: sampleFile('a.m4a', ['-metadata', 'title=Cuenca']),
    });
    expect(recording).toMatchObject({
      state: 'ready',
      rendition: 'none',
      failureReason: null,
      format: { container: 'mp4', codec: 'aac' },
    });
  });

  test('a file that browsers can’t seek in exactly is played unchanged if nothing better can be made', async () => {
    const api = await apiOnSqlite(undefined, { ffmpeg: false });
    const { recording } = await importFile(api, await api.signIn(), {
      name: 'bare.mp3',
      bytes: sampleFile('bare.mp3', ['-q:a', '4', '-write_xing', '0']),
    });
    expect(recording).toMatchObject({
      state: 'ready',
      rendition: 'none',
      failureReason: null,
      format: { container: 'mp3', codec: 'mp3' },
    });
  });
});
