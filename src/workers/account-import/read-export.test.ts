import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { minute } from '#base/duration.ts';
import { numberDamages, withNumber } from '#tests/support/damaged-numbers.ts';
import { checkFiles } from './check-files.ts';
import type { ExportContents } from './messages.ts';
import { ExportFile, ExportRejected, isUnreadable } from './read-export.ts';

const sound = Buffer.from('OggS, more or less, and then some more of it');
const id = '019ac000-0000-7000-8000-000000000001';
const recording = {
  id,
  title: 'Wool',
  language: null,
  startedAt: '2026-11-21T09:00:00.000Z',
  timeZone: 'Europe/Berlin',
  createdAt: '2026-11-21T09:00:00.000Z',
  durationMs: 1000,
  source: 'microphone',
  file: null,
  deviceLabel: null,
  format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
  people: [],
  tags: [],
  gaps: [],
  pauses: [],
  markers: [],
  notes: [],
  position: null,
  somethingLater: true,
  files: [
    {
      uploadId: '019ac000-0000-7000-8000-000000000002',
      stream: 'audio',
      index: 0,
      startMs: 0,
      container: 'ogg',
      path: 'audio.ogg',
      sizeBytes: sound.length,
      sha256: createHash('sha256').update(sound).digest('hex'),
    },
  ],
};
const folder = '2026-11-21 Wool';
const listed = {
  format: 'earshot-account',
  version: 1,
  files: [{ path: `recordings/${folder}/recording.json` }],
};
const account = { tags: [], views: [] };

type Files = Record<string, unknown>;
const whole: Files = {
  [`recordings/${folder}/audio.ogg`]: sound,
  [`recordings/${folder}/recording.json`]: recording,
  'account.json': account,
  'manifest.json': listed,
  'export.json': {},
};

interface Packing {
  compress?: boolean;
  forceZip64Format?: boolean;
}

async function packed(
  files: Files,
  { compress = false, forceZip64Format = false }: Packing = {},
): Promise<Buffer<ArrayBuffer>> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files))
    zip.addBuffer(Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content)), path, {
      compress,
      forceZip64Format,
    });
  zip.end({ forceZip64Format, comment: '' });
  return buffer(zip.outputStream);
}

const read = async (bytes: Uint8Array<ArrayBuffer>): Promise<ExportContents> =>
  (await ExportFile.open(new Blob([bytes]))).contents(() => undefined);
async function checked(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  await checkFiles(await (await ExportFile.open(new Blob([bytes]))).recording(folder), () => undefined);
}
const reasonOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
  try {
    await read(bytes);
    return 'taken';
  } catch (error) {
    if (error instanceof ExportRejected) return error.reason;
    throw error;
  }
};

/** The bytes with one bit flipped at the first occurrence of a text. */
function damaged(bytes: Buffer<ArrayBuffer>, text: string): Buffer<ArrayBuffer> {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(text);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

describe('reads an export', () => {
  it.each([{}, { compress: true }, { forceZip64Format: true }])(
    'packed as %o, with every byte of its files',
    async (packing) => {
      const bytes = await packed(whole, packing);
      const contents = await read(bytes);
      expect(contents).toMatchObject({
        recordings: [{ id, folder, title: 'Wool', durationMs: 1000, sizeBytes: sound.length }],
        unreadable: [],
        account,
      });
      const { blobs } = await (await ExportFile.open(new Blob([bytes]))).recording(folder);
      expect(Buffer.from(await (blobs[0] ?? new Blob()).arrayBuffer()).equals(sound)).toBe(true);
      await checked(bytes);
    },
  );

  it('after a user unpacked it and packed the folder again, with the additions of their system', async () => {
    const inside = Object.fromEntries(
      Object.entries(whole).map(([path, content]) => [`Earshot account/${path}`, content]),
    );
    expect(
      await read(await packed({ ...inside, '__MACOSX/manifest.json': {} }, { compress: true })),
    ).toMatchObject({ recordings: [{ id }], unreadable: [] });
  });

  it('without recordings whose description is missing, broken or duplicated, which are listed', async () => {
    const files = {
      ...whole,
      'manifest.json': { ...listed, files: [...listed.files, { path: 'recordings/Gone/recording.json' }] },
      'recordings/Broken/recording.json': { ...recording, title: '' },
      'recordings/Twice/recording.json': recording,
      'recordings/No JSON/recording.json': Buffer.from('{'),
    };
    const { recordings, unreadable } = await read(await packed(files));
    expect([recordings.length, unreadable.toSorted()]).toEqual([1, ['Broken', 'Gone', 'No JSON', 'Twice']]);
  });
});

describe('reads the transcript of a recording', () => {
  const transcriptPath = `recordings/${folder}/transcript.json`;
  const wordsIn = async (bytes: Uint8Array<ArrayBuffer>) =>
    (await (await ExportFile.open(new Blob([bytes]))).recording(folder)).readWords();
  const words = { format: 'earshot-transcript', version: 1, transcript: null, lines: [], corrections: [] };

  it('if it has one', async () => {
    expect(await wordsIn(await packed(whole))).toBeNull();
    expect(await wordsIn(await packed({ ...whole, [transcriptPath]: words }))).toMatchObject({
      unreadable: 0,
    });
  });

  it('or counts it as unreadable, and the recording can be read', async () => {
    const files = [
      { ...whole, [transcriptPath]: Buffer.from('{') },
      { ...whole, [transcriptPath]: Buffer.from([0xff]) },
      { ...whole, [transcriptPath]: { ...words, version: 2 } },
      { ...whole, [transcriptPath]: Buffer.alloc(129 * 1024 * 1024, ' ') },
    ];
    const bytes = await Promise.all(files.map((each) => packed(each, { compress: true })));
    bytes.push(damaged(await packed({ ...whole, [transcriptPath]: words }), 'earshot-transcript'));
    for (const each of bytes) {
      expect(await wordsIn(each)).toMatchObject({ lines: [], unreadable: 1 });
      await checked(each);
    }
  });
});

describe('rejects an export', () => {
  it('that is not a ZIP, or lacks its end', async () => {
    const bytes = await packed(whole);
    expect(
      await Promise.all(
        [
          Buffer.alloc(0),
          Buffer.alloc(100_000, 'speech'),
          bytes.subarray(0, bytes.length - 30),
          bytes.subarray(200),
        ].map((some) => reasonOf(Buffer.from(some))),
      ),
    ).toEqual(['not-zip', 'not-zip', 'not-zip', 'not-zip']);
  });

  it('that is a ZIP of something else, or of selected recordings only', async () => {
    const others = [
      { 'photo.jpg': sound },
      { ...whole, 'manifest.json': { ...listed, format: 'earshot-recordings' } },
      { 'manifest.json': { name: 'an extension' } },
      { 'manifest.json': [] },
    ];
    expect(await Promise.all(others.map(async (files) => reasonOf(await packed(files))))).toEqual([
      'not-export',
      'not-export',
      'not-export',
      'not-export',
    ]);
  });

  it('that a later version made, or whose lists are damaged', async () => {
    const bytes = await packed(whole);
    const { 'account.json': _account, ...withoutAccount } = whole;
    const reasons = [
      await reasonOf(await packed({ ...whole, 'manifest.json': { ...listed, version: 2 } })),
      await reasonOf(damaged(bytes, 'earshot-account')),
      await reasonOf(await packed(withoutAccount)),
    ];
    expect(reasons).toEqual(['newer', 'damaged', 'damaged']);
  });
});

describe('rejects a recording of an export', () => {
  it('when a byte of its sound or its description differs', async () => {
    const bytes = await packed(whole);
    await expect(checked(damaged(bytes, 'more or less'))).rejects.toThrow(
      'audio.ogg is not what was exported',
    );
    expect(await read(damaged(bytes, '"Wool"'))).toMatchObject({ recordings: [], unreadable: [folder] });
  });

  it('when a file is missing, shorter than declared, or unpacks to more than declared', async () => {
    const { [`recordings/${folder}/audio.ogg`]: _sound, ...silent } = whole;
    await expect(checked(await packed(silent))).rejects.toThrow('is missing');
    await expect(
      checked(await packed({ ...whole, [`recordings/${folder}/audio.ogg`]: sound.subarray(1) })),
    ).rejects.toThrow('not as long');
    const bomb = await packed(
      { ...whole, [`recordings/${folder}/audio.ogg`]: Buffer.alloc(5_000_000) },
      { compress: true },
    );
    for (
      let at = bomb.indexOf(Buffer.from([0x40, 0x4b, 0x4c, 0x00]));
      at >= 0;
      at = bomb.indexOf(Buffer.from([0x40, 0x4b, 0x4c, 0x00]))
    )
      bomb.writeUInt32LE(sound.length, at);
    await expect(checked(bomb)).rejects.toThrow('cannot be unpacked');
  });
});

it('reads an export or rejects it with a reason, whatever bytes are changed or cut off', async () => {
  const bytes = await packed(whole);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 4 }),
      fc.nat(bytes.length),
      async (turned, retained) => {
        const copy = Buffer.from(bytes.subarray(0, bytes.length - (retained % 3 === 0 ? retained : 0)));
        for (const [at, value] of turned) if (at < copy.length) copy[at] = value;
        const outcome = await read(copy)
          .then(() => checked(copy))
          .then(
            () => 'read',
            (error: unknown) => error,
          );
        expect(
          outcome === 'read' || outcome instanceof ExportRejected || isUnreadable(outcome) || outcome,
        ).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

it.each([{}, { forceZip64Format: true }])(
  'reads or rejects a ZIP with any damaged number in its directory, packed as %o',
  async (packing) => {
    const bytes = await packed(
      { [`recordings/${folder}/audio.ogg`]: sound, 'manifest.json': listed },
      packing,
    );
    const directoryAt = bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
    for (const damage of numberDamages(directoryAt, bytes.length, ['little-endian'])) {
      const outcome = await read(withNumber(bytes, damage)).then(
        () => 'read',
        (error: unknown) => error,
      );
      expect(outcome === 'read' || outcome instanceof ExportRejected || outcome).toBe(true);
    }
  },
  minute,
);

it('rejects an entry declared larger than any file of a recording before unpacking it', async () => {
  const bytes = await packed(
    { ...whole, [`recordings/${folder}/audio.ogg`]: Buffer.alloc(5_000_000) },
    { compress: true },
  );
  const size = Buffer.from([0x40, 0x4b, 0x4c, 0x00]);
  for (let at = bytes.indexOf(size); at >= 0; at = bytes.indexOf(size)) bytes.writeUInt32LE(0xffff_fffe, at);
  await expect(checked(bytes)).rejects.toThrow('larger than any file');
});
