import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { apiOnSqlite, type ApiUnderTest, problemOf, type TestUser } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { makeChannelsWav } from '#tests/support/made-wav.ts';
import { ffmpegFile } from '#tests/support/media/ffmpeg-files.ts';
import { peaksOfChannels } from '#tests/support/media/peaks-of-channels.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { listener, share, tokenOf } from '#tests/support/sharing.ts';

const tone = '0.5*sin(2*PI*440*t)';

/** A tone of half of full scale in one of several channels, counted from 1, for which no loudspeakers are stated. */
const voiceIn = (channel: number, channels: number): string[] => [
  '-f',
  'lavfi',
  '-i',
  `aevalsrc=${tone}:s=48000:d=3`,
  '-af',
  `pan=${channels}C|c${channel - 1}=c0`,
];

/** The same for the loudspeakers of a layout. */
const voiceFrom = (channel: number, channels: number, layout: string): string[] => [
  '-f',
  'lavfi',
  '-i',
  `aevalsrc='${Array.from({ length: channels }, (_, index) => (index === channel - 1 ? tone : '0')).join('|')}':c=${layout}:s=48000:d=3`,
];

const wav = (channel: number, channels: number) =>
  ffmpegFile('a.wav', [...voiceIn(channel, channels), '-c:a', 'pcm_s16le']);
const encoded = (name: string, ...options: string[]) =>
  ffmpegFile(name, ['-i', 'in.wav', ...options], { 'in.wav': wav(4, 6) });

const lossy = ['mp3', 'm4a', 'opus'] as const;
/** Minus 20 dB of the tone. */
const minPeak = 0.05;

interface Server {
  api: ApiUnderTest;
  user: TestUser;
}
const server = async (): Promise<Server> => {
  const api = await apiOnSqlite();
  return { api, user: await api.signIn() };
};

async function imported({ api, user }: Server, name: string, bytes: Buffer) {
  const {
    take: { recordingId },
    recording,
  } = await importFile(api, user, { name, bytes });
  const url = `/api/recordings/${recordingId}`;
  return {
    recording,
    audio: () => api.as(user, { url: `${url}/audio` }),
    download: (format: string) => api.as(user, { url: `${url}/download?format=${format}` }),
    shared: async () => {
      const link = await share({ api, user }, recordingId, { download: 'formats' });
      await api.runJobs();
      const get = (what: string) => listener(api).send('GET', `/s/${tokenOf(link)}/${what}`);
      return {
        'link as Ogg': await get('audio'),
        'link as WAV': await get('download?format=wav'),
      };
    },
  };
}

const loudest = (file: Buffer): number => Math.max(...peaksOfChannels(file));

describe.skipIf(!hasFfmpeg)('F2: a voice in one of many channels is heard', () => {
  const files = [
    ['channel 3 of 3', 'a.wav', () => wav(3, 3)],
    ['channel 10 of 10', 'a.wav', () => wav(10, 10)],
    ['channel 3 of 24', 'a.wav', () => wav(3, 24)],
    ['FLAC', 'a.flac', () => encoded('a.flac')],
    [
      'Opus without loudspeakers',
      'a.opus',
      () => encoded('a.opus', '-c:a', 'libopus', '-mapping_family', '255'),
    ],
    [
      'the low frequencies of real 5.1',
      'a.m4a',
      () => ffmpegFile('a.m4a', [...voiceFrom(4, 6, '5.1'), '-c:a', 'aac']),
    ],
  ] as const;

  test('when it is played, downloaded in a lossy format, and shared', async () => {
    const running = await server();
    for (const [what, name, make] of files) {
      const { audio, download, shared } = await imported(running, name, make());
      const files: Record<string, Pick<LightMyRequestResponse, 'statusCode' | 'rawPayload'>> = {
        audio: await audio(),
        ...(await shared()),
      };
      for (const format of what === 'FLAC' ? lossy : ['m4a']) files[format] = await download(format);
      const silent = Object.entries(files).filter(
        ([, { statusCode, rawPayload }]) => statusCode !== 200 || loudest(rawPayload) < minPeak,
      );
      expect([what, silent.map(([where, { statusCode }]) => [where, statusCode])]).toEqual([what, []]);
      expect([what, peaksOfChannels(files['audio']?.rawPayload ?? Buffer.alloc(0)).length <= 2]).toEqual([
        what,
        true,
      ]);
    }
  });
});

describe.skipIf(!hasFfmpeg)('F2: a lossless download of many channels', () => {
  test('keeps them as they are, and names no loudspeakers', async () => {
    const running = await server();
    for (const [channels, voice] of [
      [3, 3],
      [10, 10],
    ] as const) {
      const { download } = await imported(running, 'a.wav', wav(voice, channels));
      const { rawPayload } = await download('wav');
      expect([channels, rawPayload.readUInt32LE(40)]).toEqual([channels, 0]);
      expect(peaksOfChannels(rawPayload).map((peak) => Math.round(peak * 10))).toEqual(
        Array.from({ length: channels }, (_, index) => (index === voice - 1 ? 5 : 0)),
      );
    }
  });

  test('keeps stated loudspeakers', async () => {
    const { download } = await imported(
      await server(),
      'a.wav',
      ffmpegFile('a.wav', [...voiceFrom(3, 4, 'quad'), '-c:a', 'pcm_s16le']),
    );
    const { rawPayload } = await download('wav');
    expect(rawPayload.readUInt32LE(40)).toBe(0x33);
    expect(peaksOfChannels(rawPayload).map((peak) => Math.round(peak * 10))).toEqual([0, 0, 5, 0]);
    const flac = peaksOfChannels((await download('flac')).rawPayload);
    expect(flac.map((peak) => Math.round(peak * 10))).toEqual([0, 0, 5, 0]);
  });

  test('says that FLAC holds no more than eight', async () => {
    const { recording, download } = await imported(await server(), 'a.wav', wav(10, 10));
    expect(recording.format.channels).toBe(10);
    const answer = await download('flac');
    expect(answer.statusCode).toBe(422);
    expect(problemOf(answer)).toMatchObject({
      code: 'validation',
      errors: [{ pointer: '/query/format', code: 'too-many-channels', params: { largest: 8 } }],
    });
  });
});

test.skipIf(!hasFfmpeg)(
  'microphones that cancel each other out are played by the browser, and not converted',
  async () => {
    const file = ffmpegFile('a.wav', [
      '-f',
      'lavfi',
      '-i',
      `aevalsrc=${tone}:s=48000:d=3`,
      '-af',
      'pan=3C|c0=c0|c1=-1*c0',
    ]);
    const { audio, download, shared } = await imported(await server(), 'a.wav', file);
    expect(Buffer.compare((await audio()).rawPayload, file)).toBe(0);
    expect(problemOf(await download('mp3')).code).toBe('conversion-failed');
    expect(problemOf((await shared())['link as Ogg']).code).toBe('window-unsupported');
  },
);

test.skipIf(!hasFfmpeg)('the names of channels that a recorder wrote are in the details', async () => {
  const { api, user } = await server();
  const bytes = makeChannelsWav([0.2, 0.2, 0.2], { seconds: 1, names: ['Boom', '', 'Ana &amp; Tom'] });
  const { recording } = await importFile(api, user, { name: 'T001.wav', bytes });
  expect(recording.channelNames).toEqual(['Boom', '', 'Ana & Tom']);
  const plain = await importFile(api, user, { name: 'a.wav', bytes: wav(1, 3) });
  expect(plain.recording.channelNames).toEqual([]);
});
