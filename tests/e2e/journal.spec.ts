import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import type { TakeRecord, TakeSegment } from '#device/records/take-record.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { JournalDriver } from '#tests/support/journal-driver.ts';
import { expect, openBrowser, test } from './earshot-test.ts';
import { killBrowserOf } from '#tests/support/browser-processes.ts';

/** The first `count` pages of a stream. The first two are its headers. */
function pagesOf(count: number): Uint8Array[] {
  const writer = new OpusStreamWriter({
    channels: 1,
    preSkip: 312,
    inputSampleRateHz: 48_000,
    serialNumber: 5,
    vendor: 'test',
  });
  const pages = writer.headers().map(({ bytes }) => bytes);
  for (let nth = 0; pages.length < count; nth += 1) {
    const page = writer.push(
      Uint8Array.from([0x98, ...Array.from({ length: 118 }, (_, at) => (nth * 31 + at * 7) % 256)]),
    );
    if (page) pages.push(page.bytes);
  }
  return pages;
}

const joined = (pages: readonly Uint8Array[]): number[] => Array.from(Buffer.concat(pages));
const inPage = (page: Page, script: string): Promise<unknown> => page.evaluate(script);

/** Records pages and their peaks durably in a new segment, and returns the segment. */
async function recordPages(journal: JournalDriver, pages: readonly Uint8Array[]): Promise<TakeSegment> {
  const ids = { audioUploadId: randomUUID(), peaksUploadId: randomUUID() };
  const { audioSlot, peaksSlot } = await journal.do('create', ids);
  for (const bytes of pages) {
    await journal.do('append', { stream: 'audio', bytes: Uint8Array.from(bytes) });
    await journal.do('append', { stream: 'peaks', bytes: Uint8Array.from({ length: 40 }, (_, at) => at) });
    await journal.do('settle');
  }
  return { index: 0, startMs: 0, ...ids, audioSlot, peaksSlot, container: 'ogg', epoch: 1 };
}

const storedAudio = async (
  journal: JournalDriver,
  { audioUploadId, audioSlot }: TakeSegment,
): Promise<number[]> =>
  Object.values(await journal.do('stored', { uploadId: audioUploadId, slot: audioSlot }));

const pages = pagesOf(30);
const wholeBytes = joined(pages).length;

const damages: readonly (readonly [what: string, damage: (slot: string) => string])[] = [
  [
    'vanished',
    (slot) =>
      `navigator.storage.getDirectory().then((root) => root.getDirectoryHandle('slots')).then((slots) => slots.removeEntry('${slot}'))`,
  ],
  [
    'is all zeros',
    (
      slot,
    ) => `navigator.storage.getDirectory().then((root) => root.getDirectoryHandle('slots')).then((slots) => slots.getFileHandle('${slot}'))
    .then((file) => file.createWritable({ keepExistingData: true })).then((stream) => stream.write({ type: 'write', position: 0, data: new Uint8Array(${wholeBytes}) }).then(() => stream.close()))`,
  ],
  [
    'was cut within a page',
    (
      slot,
    ) => `navigator.storage.getDirectory().then((root) => root.getDirectoryHandle('slots')).then((slots) => slots.getFileHandle('${slot}'))
    .then((file) => file.createWritable({ keepExistingData: true })).then((stream) => stream.truncate(7000).then(() => stream.close()))`,
  ],
  [
    'has junk at its end',
    (
      slot,
    ) => `navigator.storage.getDirectory().then((root) => root.getDirectoryHandle('slots')).then((slots) => slots.getFileHandle('${slot}'))
    .then((file) => file.createWritable({ keepExistingData: true })).then((stream) => stream.write({ type: 'write', position: ${wholeBytes}, data: new Uint8Array(900).fill(83) }).then(() => stream.close()))`,
  ],
];

test('restores a file that a crash damaged from the write-ahead log, whatever the damage', async ({
  page,
}) => {
  for (const [what, damage] of damages) {
    const segment = await recordPages(await JournalDriver.open(page), pages);
    await page.goto('/robots.txt');
    await inPage(page, damage(segment.audioSlot ?? ''));
    const again = await JournalDriver.open(page);
    // Before any recovery, reading a stream whose file vanished falls back to the write-ahead log.
    if (what === 'vanished') expect(await storedAudio(again, segment)).toEqual(joined(pages));
    expect(await again.do('recover', segment), what).toMatchObject({
      audioBytes: wholeBytes,
      flushedBytes: wholeBytes,
      pages: pages.length,
      peaksBytes: pages.length * 40,
    });
    await again.do('close');
    expect(await storedAudio(again, segment), what).toEqual(joined(pages));
  }
});

test('recovers a provisional page after a kill', async ({ page, profile, server }) => {
  const [last, ...before] = pages.toReversed();
  const journal = await JournalDriver.open(page);
  const segment = await recordPages(journal, before.toReversed());
  await journal.do('writeProvisionalPage', Uint8Array.from(last ?? []));
  killBrowserOf(profile);
  const context = await openBrowser({ profile, baseURL: server.url });
  const next = context.pages()[0] ?? (await context.newPage());
  const again = await JournalDriver.open(next);
  expect(await again.do('recover', segment)).toMatchObject({ audioBytes: wholeBytes, pages: pages.length });
  await context.close();
});

const privateWindow = {
  before:
    "StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException('private', 'SecurityError'))",
};

test('without files, a stream is stored in the database: it reads back while it grows and after a crash', async ({
  page,
}) => {
  const journal = await JournalDriver.open(page, privateWindow);
  const segment = await recordPages(journal, pages.slice(0, 29));
  expect([segment.audioSlot, segment.peaksSlot]).toEqual([null, null]);
  await journal.do('append', { stream: 'audio', bytes: Uint8Array.from(pages[29] ?? []) });
  expect(
    Object.values(await journal.do('read', { stream: 'audio', offsetBytes: 100, sizeBytes: wholeBytes })),
  ).toEqual(joined(pages).slice(100));
  let again = await JournalDriver.open(page, privateWindow);
  const flushedBytes = joined(pages.slice(0, 29)).length;
  expect(await again.do('recover', segment)).toMatchObject({
    audioBytes: flushedBytes,
    flushedBytes,
    pages: 29,
    peaksBytes: 29 * 40,
  });
  expect(Object.values(await again.do('read', { stream: 'audio', offsetBytes: 0, sizeBytes: 1e6 }))).toEqual(
    joined(pages.slice(0, 29)),
  );
  expect(await storedAudio(again, segment)).toEqual(joined(pages.slice(0, 29)));

  await again.do('writeProvisionalPage', Uint8Array.from(pages[29] ?? []));
  await again.do('close');
  again = await JournalDriver.open(page, privateWindow);
  expect(await again.do('recover', segment), 'with the page that was only provisional').toMatchObject({
    audioBytes: wholeBytes,
    pages: 30,
  });
});

test('reopens a file that the system closed, without losing data', async ({ page }) => {
  const closing = `const write = FileSystemSyncAccessHandle.prototype.write; let writes = 0;
    FileSystemSyncAccessHandle.prototype.write = function (bytes, place) { if ((writes += 1) % 17 === 9) this.close(); return write.call(this, bytes, place); };`;
  const journal = await JournalDriver.open(page, { before: closing });
  const segment = await recordPages(journal, pages);
  await journal.do('close');
  expect(await storedAudio(await JournalDriver.open(page), segment)).toEqual(joined(pages));
});

test('preallocates files; two workers never get the same one; a released one is empty', async ({
  page,
  browserContext,
}) => {
  const one = await JournalDriver.open(page);
  await one.do('fill');
  await one.do('fill');
  const two = await JournalDriver.open(await browserContext.newPage());
  const claimed = await Promise.all(
    Array.from({ length: 8 }, (_, nth) => (nth % 2 ? one : two).do('claim', `upload-${nth}`)),
  );
  expect(new Set(claimed.map(({ name }) => name)).size).toBe(8);

  const segment = await recordPages(one, pages.slice(0, 4));
  await one.do('close');
  await one.do('put', takeOf(segment, null));
  await one.do('remove', 'take');
  expect(await one.do('slotSize', segment.audioSlot ?? '')).toBe(0);
  expect(await storedAudio(one, { ...segment, audioSlot: null })).toEqual([]);
});

const takeOf = (segment: TakeSegment, receiptAtMs: number | null): TakeRecord =>
  takeRecordFor({
    title: 'Interview',
    state: 'stopped',
    segments: [segment],
    durationMs: 1000,
    sizeBytes: wholeBytes,
    receiptAtMs,
  });

test('a full device deletes a copy of an uploaded take, never a take that is only on the device', async ({
  page,
}) => {
  const journal = await JournalDriver.open(page);
  const segment = await recordPages(journal, pages);
  await journal.do('close');
  await journal.do('put', takeOf(segment, null));
  expect(await journal.do('shed', 1)).toBe(0);
  await journal.do('put', takeOf(segment, 5));
  expect(await journal.do('shed', 1)).toBe(wholeBytes);
  expect(await journal.do('slotSize', segment.audioSlot ?? '')).toBe(0);
});
