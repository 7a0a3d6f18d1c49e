import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { EncodedPacketSink } from 'mediabunny';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { second } from '#base/duration.ts';
import { mostSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { someNumberDamages, withNumber } from '#tests/support/damaged-numbers.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { openMedia } from './open-media.ts';
import { probeFile, FileRejection } from './probe-file.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'earshot-probe-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
// The reader of media warns of what it meets in damaged files.
vi.spyOn(console, 'warn').mockImplementation(() => undefined);

const fileOf = (bytes: Uint8Array<ArrayBuffer>, name: string, type = ''): File =>
  new File([bytes], name, { type, lastModified: Date.UTC(2020, 0, 5) });
const fixture = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'tests', 'fixtures', name));
const wav = new Uint8Array(makeWav({ seconds: 1, sampleRateHz: 8000, tags: { INAM: 'Evening walk' } }));
const reasonOf = async (file: File): Promise<string> => {
  try {
    return (await probeFile(file)).isSound ? 'taken' : 'asked';
  } catch (error) {
    if (error instanceof FileRejection) return error.reason;
    throw error;
  }
};

/** Two seconds of a tone, made by ffmpeg. */
function made(name: string, ...args: string[]): File {
  const path = join(folder, name);
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:duration=2',
    ...args,
    path,
  ]);
  return fileOf(new Uint8Array(readFileSync(path)), name);
}

it('a file tells its container, codec, rate, channels, length and title', async () => {
  expect((await probeFile(fileOf(wav, 'track01.wav'))).facts).toEqual({
    format: { container: 'wav', codec: 'pcm-s16', sampleRateHz: 8000, channels: 1 },
    durationMs: 1000,
    title: 'Evening walk',
    recordedTime: { kind: 'unknown' },
  });
});

it('what is known to be unusable is refused, by what it is', async () => {
  expect(await reasonOf(fileOf(new Uint8Array(0), 'a.mp3'))).toBe('empty');
  for (const name of ['letter.txt', 'letter.mp3', 'source.ts', 'MAC addresses']) {
    expect(await reasonOf(fileOf(new TextEncoder().encode('MAC address: liebe Grüße\r\n'), name))).toBe(
      'not-audio',
    );
  }
  expect(
    await reasonOf(fileOf(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16), 'photo.jpg', 'image/jpeg')),
  ).toBe('not-audio');
});

/** Bytes that no parser knows and that are no text. */
const strange = (length = 5000): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, at) => (at * 73 + (at >> 3) * 29 + 0x91) & 0xff);

it('what nobody here can read is taken where its name or type says that it is sound, and asked about where nothing says so', async () => {
  for (const name of ['dictation.ds2', 'call.g729', 'exchange.722', 'a.GSM', 'field.vox'])
    expect(await reasonOf(fileOf(strange(), name))).toBe('taken');
  expect(await reasonOf(fileOf(strange(), 'unnamed', 'audio/x-unheard-of'))).toBe('taken');
  for (const name of ['REC0001', 'REC0001.dat', 'call.20240517', 'interview.part'])
    expect(await reasonOf(fileOf(strange(), name))).toBe('asked');
  expect(await reasonOf(fileOf(strange(), 'photo.jpg'))).toBe('not-audio');
});

it('what a power cut left empty, and an MP4 file without its tables, are asked about, whatever they are called', async () => {
  expect(await reasonOf(fileOf(new Uint8Array(100_000), 'a.wav'))).toBe('asked');
  const box = (type: string, bytes: Uint8Array): Uint8Array =>
    Buffer.concat([
      Uint8Array.of(0, 0, (bytes.length + 8) >> 8, (bytes.length + 8) & 255),
      Buffer.from(type),
      bytes,
    ]);
  const unfinished = new Uint8Array(
    Buffer.concat([box('ftyp', Buffer.from('M4A \0\0\0\0')), box('mdat', strange())]),
  );
  expect(await reasonOf(fileOf(unfinished, 'a.m4a'))).toBe('asked');
});

it('what an interrupted recorder left is taken without a question, also under a name that says nothing', async () => {
  const sizeless = wav.slice();
  new DataView(sizeless.buffer).setUint32(4, 0, true);
  new DataView(sizeless.buffer).setUint32(sizeless.length - 16_000 - 4, 0, true);
  for (const name of ['REC0001.wav', 'REC0001.tmp'])
    expect(await reasonOf(fileOf(sizeless, name))).toBe('taken');
  const webm = new Uint8Array(fixture('speech-1961.webm'));
  // Only the header, and a stream that was cut in the middle of its first cluster.
  expect(await reasonOf(fileOf(webm.slice(0, 400), 'a.webm'))).toBe('taken');
  expect(await reasonOf(fileOf(webm.slice(300), 'a.webm'))).toBe('taken');
});

it('a container that only the server may read is left to it', async () => {
  const head = Uint8Array.from('FORM\0\0\0\x10AIFFCOMM', (character) => character.charCodeAt(0));
  expect((await probeFile(fileOf(head, 'a.aiff'))).facts).toMatchObject({
    format: { container: 'aiff', codec: 'unknown' },
    durationMs: null,
  });
});

it.skipIf(!hasFfmpeg).for([
  ['adpcm.wav', ['-c:a', 'adpcm_ms']],
  ['ima.wav', ['-c:a', 'adpcm_ima_wav']],
  ['gsm.wav', ['-ar', '8000', '-ac', '1', '-c:a', 'libgsm_ms']],
  ['flac.oga', ['-c:a', 'flac', '-f', 'ogg']],
  ['speech.spx', ['-ar', '16000', '-ac', '1', '-c:a', 'libspeex', '-f', 'ogg']],
] as const)(
  '%s, a known container with a codec that the reader here does not know, is left to the server',
  async ([name, args]) => {
    expect(await probeFile(made(name, ...args))).toMatchObject({
      isSound: true,
      facts: { format: { codec: 'unknown' }, durationMs: null },
    });
  },
);

it('what leads the reader of the whole file into a circle ends there', async () => {
  const webm = new Uint8Array(fixture('speech-1961.webm'));
  const input = openMedia(fileOf(Uint8Array.from([...webm, 0, 0, 0, 0, 0, 0, 0, 0]), 'torn.webm'));
  const track = await input.getPrimaryAudioTrack();
  const packets = track === null ? [] : Array.fromAsync(new EncodedPacketSink(track).packets());
  await expect(packets).rejects.toThrow('stands still');
  input.dispose();
});

it(
  'however a file is damaged, it is taken or refused, within the time a look may take',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(wav.length - 1),
        fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 8 }),
        async (length, changes) => {
          const bytes = wav.slice(0, length);
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
          expect(['taken', 'asked', 'empty', 'not-audio', 'no-audio-track']).toContain(
            await reasonOf(fileOf(bytes, 'a.wav')),
          );
        },
      ),
      { numRuns: 100 },
    );
  },
  60 * second,
);

it.each([
  ['a.wav', wav],
  ['a.webm', fixture('speech-1961.webm')],
  ['a.mp4', fixture('speech-1961.mp4')],
] as const)(
  'whatever numbers of %s are damaged, it is taken with a length that its bytes can hold, or refused',
  async (name, whole) => {
    await fc.assert(
      fc.asyncProperty(someNumberDamages(whole.length), async (damages) => {
        const probed = await probeFile(
          fileOf(Uint8Array.from(damages.reduce<Uint8Array>(withNumber, whole)), name),
        ).catch((error: unknown) => error);
        if (probed instanceof FileRejection) return;
        expect(probed).toMatchObject({
          facts: {
            durationMs: expect.toSatisfy(
              (durationMs: number | null) => durationMs === null || durationMs <= mostSoundMs(whole.length),
            ),
          },
        });
      }),
      { numRuns: 100 },
    );
  },
  120 * second,
);

describe.skipIf(!hasFfmpeg)('files of other programs (needs ffmpeg)', () => {
  it.each([
    ['a.mp3', ['-metadata', 'title=Hello'], { container: 'mp3', codec: 'mp3' }],
    ['a.m4a', ['-metadata', 'title=Hello'], { container: 'mp4', codec: 'aac' }],
    ['a.flac', ['-metadata', 'title=Hello'], { container: 'flac', codec: 'flac' }],
    ['a.ogg', ['-c:a', 'libopus', '-metadata', 'title=Hello'], { container: 'ogg', codec: 'opus' }],
    ['a.mkv', ['-c:a', 'libopus'], { container: 'matroska', codec: 'opus' }],
    ['a.webm', ['-c:a', 'libopus'], { container: 'webm', codec: 'opus' }],
    ['a.aac', [], { container: 'adts', codec: 'aac' }],
  ])(
    '%s',
    async (name, args, format) => {
      const { facts } = await probeFile(made(name, ...args));
      expect(facts.format).toMatchObject({ ...format, channels: 1 });
      expect(facts.title).toBe(args.includes('title=Hello') ? 'Hello' : 'a');
      // A stream without tables (ADTS) does not say how long it is.
      expect(Math.abs((facts.durationMs ?? 2000) - 2000)).toBeLessThan(100);
    },
    30 * second,
  );

  it(
    'a video without sound and a protected file each have their own reason',
    async () => {
      const silent = made(
        'silent.mp4',
        '-f',
        'lavfi',
        '-i',
        'color=size=64x64:duration=1',
        '-map',
        '1:v',
        '-c:v',
        'mpeg4',
      );
      expect(await reasonOf(silent)).toBe('no-audio-track');
      const key = '0123456789abcdef0123456789abcdef';
      expect(
        await reasonOf(
          made(
            'locked.mp4',
            '-c:a',
            'aac',
            '-encryption_scheme',
            'cenc-aes-ctr',
            '-encryption_key',
            key,
            '-encryption_kid',
            key,
          ),
        ),
      ).toBe('encrypted');
    },
    30 * second,
  );

  it(
    'a file of a recorder or broadcaster that the parser does not know is taken, whatever it is called',
    async () => {
      const mono = ['-ar', '8000', '-ac', '1'];
      const foreign: readonly (readonly [string, readonly string[]])[] = [
        ['a.w64', []],
        ['a.sf', ['-f', 'ircam']],
        ['a.voc', []],
        ['a.nut', []],
        ['a.latm', ['-c:a', 'aac', '-f', 'latm']],
        ['a.mxf', ['-f', 'mxf_opatom', '-ar', '48000']],
        ['a.aiff', []],
        ['a.ac3', []],
        ['g722.wav', ['-c:a', 'g722', '-ar', '16000']],
        ['g726.wav', ['-c:a', 'g726', ...mono]],
        ['mp3.wav', ['-c:a', 'libmp3lame']],
        ['gsm.wav', ['-c:a', 'libgsm_ms', ...mono]],
      ];
      for (const [name, args] of foreign) {
        const file = made(name, ...args);
        expect([name, await reasonOf(new File([file], 'REC0001'))]).toEqual([name, 'taken']);
      }
      expect(await reasonOf(made('a.gsm', '-c:a', 'libgsm', ...mono))).toBe('taken');
      expect(await reasonOf(made('a.g722', '-c:a', 'g722', '-ar', '16000'))).toBe('taken');
    },
    60 * second,
  );

  it(
    'an MP3 stream that begins within a frame is taken',
    async () => {
      const whole = made('stream.mp3');
      expect(await reasonOf(new File([whole.slice(300)], 'stream.mp3'))).toBe('taken');
    },
    30 * second,
  );

  it(
    'a transport stream whose sound the parser does not know is not taken for one of pictures alone',
    async () => {
      const pictures = [
        '-f',
        'lavfi',
        '-i',
        'color=size=64x64:duration=1',
        '-c:v',
        'libx264',
        '-f',
        'mpegts',
      ];
      expect(await reasonOf(made('opus.ts', ...pictures, '-c:a', 'libopus'))).toBe('taken');
      expect(await reasonOf(made('latm.ts', ...pictures, '-c:a', 'aac', '-mpegts_flags', 'latm'))).toBe(
        'taken',
      );
    },
    30 * second,
  );

  it(
    'a title in which the name of a protected entry stands is a title like any other',
    async () => {
      expect((await probeFile(made('cuenca.m4a', '-metadata', 'title=Cuenca'))).facts).toMatchObject({
        title: 'Cuenca',
        format: { container: 'mp4', codec: 'aac' },
      });
    },
    30 * second,
  );
});

it.skipIf(!hasFfmpeg)(
  'the tracks of a file that holds several are named, and those of a file with one are not',
  async () => {
    const two = [
      '-f',
      'lavfi',
      '-i',
      'sine=frequency=880:duration=2',
      '-map',
      '0',
      '-map',
      '1',
      '-c:a',
      'aac',
    ];
    const named = made(
      'named.mka',
      ...two,
      '-metadata:s:a:0',
      'title=Interviewer',
      '-metadata:s:a:1',
      'language=fra',
    );
    expect((await probeFile(named)).facts.tracks).toEqual([
      { title: 'Interviewer', language: null },
      { title: '', language: 'fra' },
    ]);
    expect((await probeFile(fileOf(wav, 'one.wav'))).facts.tracks).toBeUndefined();
  },
);
