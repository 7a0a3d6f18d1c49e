import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { apiOnSqlite, problemOf } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import {
  loudnessBySecond,
  loudSource,
  probedFile,
  soundFile,
  wrongSeconds,
} from '#tests/support/loud-sound.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';

const formats = ['mp3', 'm4a', 'opus', 'flac', 'wav'] as const;
const pictures = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=10', '-shortest', '-pix_fmt', 'yuv420p'];
const kilobyte = 1000;

/** Imports a file and returns a function that downloads it once. */
async function downloader(name: string, bytes: Buffer) {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const { recording } = await importFile(api, user, { name, bytes });
  expect([recording.state, recording.failureReason]).toEqual(['ready', null]);
  return {
    api,
    user,
    recording,
    download: (query: string) => api.as(user, { url: `/api/recordings/${recording.id}/download?${query}` }),
  };
}

/** Lists the differences of conversions from the original, per second, by format. */
async function wrongIn(
  name: string,
  bytes: Buffer,
  { seconds, formats: wanted }: { seconds: number; formats: readonly string[] },
): Promise<Record<string, string[]>> {
  const { download } = await downloader(name, bytes);
  const wrong: Record<string, string[]> = {};
  for (const format of wanted) {
    const answer = await download(`format=${format}`);
    wrong[format] =
      answer.statusCode === 200
        ? wrongSeconds(answer.rawPayload, { name: `a.${format}`, seconds })
        : [answer.body];
  }
  return wrong;
}

/** Moves the chunk that describes the samples of an AIFF file behind them. */
function describedLast(aiff: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 12; at < aiff.length;) {
    const end = at + 8 + aiff.readUInt32BE(at + 4);
    chunks.push(aiff.subarray(at, end + (end % 2)));
    at = end + (end % 2);
  }
  const isDescription = (chunk: Buffer): boolean => chunk.toString('latin1', 0, 4) === 'COMM';
  return Buffer.concat([
    aiff.subarray(0, 12),
    ...chunks.filter((chunk) => !isDescription(chunk)),
    ...chunks.filter(isDescription),
  ]);
}

/** Writes a wrong size into the data chunk of a WAV file. */
function withDataSize(wav: Buffer, sizeBytes: number): Buffer {
  const wrong = Buffer.from(wav);
  wrong.writeUInt32LE(sizeBytes, wrong.indexOf('data') + 4);
  return wrong;
}

describe.skipIf(!hasFfmpeg)('the download of an imported file has its sound, second by second:', () => {
  const phone = () => soundFile('a.m4a', [...loudSource(20), '-c:a', 'aac', '-b:a', '96k']);

  test('an M4A file with its index at the end, in every format', async () => {
    const bytes = phone();
    expect(bytes.indexOf('moov')).toBeGreaterThan(100 * kilobyte);
    expect(await wrongIn('a.m4a', bytes, { seconds: 20, formats })).toEqual({
      mp3: [],
      m4a: [],
      opus: [],
      flac: [],
      wav: [],
    });
  });

  test.for([
    [
      'ALAC with its index at the end, 1 MB',
      'a.m4a',
      60,
      900,
      () => soundFile('a.m4a', [...loudSource(60, { channels: 2 }), '-c:a', 'alac']),
    ],
    [
      'a film with its index at the end',
      'a.mp4',
      30,
      300,
      () => soundFile('a.mp4', [...loudSource(30), ...pictures, '-c:a', 'aac']),
    ],
    [
      'QuickTime of 50 MB with its index at the end',
      'a.mov',
      180,
      50_000,
      () => soundFile('a.mov', [...loudSource(180, { channels: 2 }), '-c:a', 'pcm_s24le']),
    ],
    [
      'M4A in fragments',
      'a.m4a',
      20,
      100,
      () =>
        soundFile('a.m4a', [
          ...loudSource(20),
          '-c:a',
          'aac',
          '-b:a',
          '96k',
          '-movflags',
          '+frag_keyframe+empty_moov+default_base_moof',
          '-frag_duration',
          '1000000',
        ]),
    ],
    [
      'Matroska with its cues at the end',
      'a.mkv',
      60,
      5000,
      () => soundFile('a.mkv', [...loudSource(60), '-c:a', 'pcm_s16le']),
    ],
    [
      'CAF with its packet table at the end',
      'a.caf',
      60,
      300,
      () => soundFile('a.caf', [...loudSource(60), '-c:a', 'alac']),
    ],
    [
      'AIFF that is described behind its samples',
      'a.aiff',
      60,
      5000,
      () => describedLast(soundFile('a.aiff', loudSource(60))),
    ],
    [
      'WAV that claims 4 GiB of samples',
      'a.wav',
      30,
      2000,
      () => withDataSize(soundFile('a.wav', loudSource(30)), 0xffff_ffff),
    ],
    [
      'WAV of 50 MB',
      'a.wav',
      180,
      50_000,
      () => soundFile('a.wav', [...loudSource(180, { channels: 2 }), '-c:a', 'pcm_s24le']),
    ],
    ['WMA', 'a.wma', 20, 100, () => soundFile('a.wma', [...loudSource(20), '-b:a', '64k'])],
  ] as const)('%s', async ([, name, seconds, minKilobytes, make]) => {
    const bytes = make();
    expect(bytes.length).toBeGreaterThan(minKilobytes * kilobyte);
    expect(await wrongIn(name, bytes, { seconds, formats: ['wav', 'mp3'] })).toEqual({ wav: [], mp3: [] });
  });

  test('a part of a file with its index at the end', async () => {
    const { download } = await downloader('a.m4a', phone());
    const { rawPayload } = await download('format=flac&fromMs=5000&toMs=12000');
    expect(wrongSeconds(rawPayload, { name: 'a.flac', seconds: 7, fromSecond: 5 })).toEqual([]);
  });
});

/** A file with its index at the start, of which the store has lost the second half after the import. */
async function halfLost(seconds: number) {
  const bytes = soundFile('a.m4a', [
    ...loudSource(seconds),
    '-c:a',
    'aac',
    '-b:a',
    '64k',
    '-movflags',
    '+faststart',
  ]);
  const imported = await downloader('a.m4a', bytes);
  await imported.api.blobs.truncate(
    `recordings/${imported.recording.id}/audio-0000`,
    Math.round(bytes.length / 2),
  );
  return imported;
}

describe.skipIf(!hasFfmpeg)('a conversion of a file with less sound than the recording', () => {
  test('fails with an error in every format, and never becomes silence, but the part that exists can be converted', async () => {
    const { download } = await halfLost(20);
    for (const format of formats) {
      const answer = await download(`format=${format}`);
      expect([format, answer.statusCode, problemOf(answer).code]).toEqual([format, 422, 'conversion-failed']);
    }
    const { rawPayload } = await download('format=flac&fromMs=1000&toMs=8000');
    expect(wrongSeconds(rawPayload, { name: 'a.flac', seconds: 7, fromSecond: 1 })).toEqual([]);
  });

  test.for(['1.0', '1.1'])(
    'aborts the connection if it has already started, which HTTP/%s clients notice',
    async (version) => {
      const { api, user, recording } = await halfLost(300);
      const { port } = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }));
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(
        `GET /api/recordings/${recording.id}/download?format=wav HTTP/${version}\r\nHost: localhost\r\nCookie: sid=${user.cookie}\r\n\r\n`,
      );
      const pieces: Buffer[] = [];
      const ended = await new Promise((resolve) => {
        socket.on('data', (piece) => {
          pieces.push(piece);
        });
        socket.once('end', () => {
          resolve('in order');
        });
        socket.once('error', ({ code }: NodeJS.ErrnoException) => {
          resolve(code);
        });
      });
      expect([Buffer.concat(pieces).toString('latin1', 0, 15), ended]).toEqual([
        'HTTP/1.1 200 OK',
        'ECONNRESET',
      ]);
    },
  );
});

test.skipIf(!hasFfmpeg)('sound after a hole in the timestamps stays in place', async () => {
  const bytes = soundFile('a.webm', [
    ...loudSource(12),
    '-af',
    "asetpts='if(gte(T,4),PTS+3/TB,PTS)'",
    '-c:a',
    'libopus',
  ]);
  const { download } = await downloader('a.webm', bytes);
  const heard = loudnessBySecond((await download('format=wav')).rawPayload, 'a.wav').map((loudness) =>
    Math.round(loudness * 10),
  );
  expect(heard).toEqual([1, 2, 3, 4, 0, 0, 0, 5, 6, 7, 1, 2, 3, 4, 5]);
});

test.skipIf(!hasFfmpeg)('an M4A download states its length once, and is written in chunks', async () => {
  const { download } = await downloader('a.wav', soundFile('a.wav', loudSource(35)));
  const { rawPayload } = await download('format=m4a&fromMs=1000');
  const at = rawPayload.indexOf('mvhd');
  expect(rawPayload.readUInt32BE(at + 20) / rawPayload.readUInt32BE(at + 16)).toBe(34);
  expect(rawPayload.toString('latin1').split('moof').length - 1).toBeGreaterThan(2);
  expect(Math.abs(probedFile(rawPayload, 'a.m4a').durationMs - 34_000)).toBeLessThan(100);
  expect(wrongSeconds(rawPayload, { name: 'a.m4a', seconds: 34, fromSecond: 1 })).toEqual([]);
});
