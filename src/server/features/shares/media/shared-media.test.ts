import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { readOpusTags } from '#audio/ogg/opus-headers.ts';
import { pagesOf } from '#audio/ogg/joined.suite.ts';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share, SharedRecording } from '#contract/shares.ts';
import { answerOf, rejection } from '#tests/support/accounts-under-test.ts';
import {
  type ApiUnderTest,
  apiOnSqlite,
  append,
  complete,
  finish,
  oggOfSilence,
  peaksOf,
  recordTake,
  startTake,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { newId } from '#tests/support/factories.ts';
import { importFile } from '#tests/support/import-file.ts';
import { hasFfmpeg, sampleFile } from '#tests/support/sample-files.ts';
import { changeShareOf, listener, openShared, sendShare, share, tokenOf } from '#tests/support/sharing.ts';

let api: ApiUnderTest;
let owner: TestUser;
let recordingId: string;
const made = (settings: Partial<NewShare> = {}): Promise<Share> =>
  share({ api, user: owner }, recordingId, settings);
const get = (shared: Share, path: string, headers: Record<string, string> = {}) =>
  listener(api).send('GET', `/s/${tokenOf(shared)}/${path}`, { headers });
const shown = async (shared: Share): Promise<SharedRecording> =>
  answerOf<SharedRecording>(await openShared(listener(api), shared));

const everything = { title: true, owner: true, date: true, markers: true, notes: true, gaps: true };

beforeEach(async () => {
  api = await apiOnSqlite();
  owner = await api.signIn();
  ({ recordingId } = await recordTake(api, owner, 20));
});

/** Adds a marker and a note for each second of the recording. */
async function annotate(): Promise<void> {
  for (let second = 0; second < 20; second += 1) {
    const add = (kind: 'markers' | 'notes', payload: object) =>
      api.as(owner, {
        method: 'POST',
        url: `/api/recordings/${recordingId}/${kind}`,
        payload: { id: newId(), ...payload },
      });
    await add('markers', { atMs: second * 1000, label: `marker-${second}` });
    await add('notes', { fromMs: second * 1000, text: `note-${second}` });
  }
}

describe('what a link shows', () => {
  test('S16: is a list of fields, in which nothing identifies the file or the recording', async () => {
    await annotate();
    const shared = await made({ shows: everything, message: 'Listen', download: 'original' });
    const response = await openShared(listener(api), shared);
    expect(Object.keys(answerOf<object>(response)).toSorted()).toEqual([
      'delayMs',
      'downloads',
      'durationMs',
      'expiresAt',
      'gaps',
      'hasM4a',
      'isCounted',
      'isOffRecord',
      'language',
      'markers',
      'message',
      'notes',
      'offRecord',
      'owner',
      'peaksPoints',
      'recordedTime',
      'state',
      'title',
    ]);
    const { markers, notes } = answerOf<SharedRecording>(response);
    expect([Object.keys(markers[0] ?? {}), Object.keys(notes[0] ?? {})]).toEqual([
      ['atMs', 'label', 'colour'],
      ['fromMs', 'toMs', 'text'],
    ]);
    const row = await api.database.queries.selectFrom('recordings').selectAll().executeTakeFirstOrThrow();
    const hidden = [
      recordingId,
      shared.id,
      owner.id,
      tokenOf(shared),
      row.sha256 ?? '-',
      `${row.size_bytes}`,
    ];
    for (const secret of hidden) expect(response.body).not.toContain(secret);
  });

  test('S17: names no other link of the recording', async () => {
    const [first, second] = [await made({ title: 'First' }), await made({ title: 'Second' })];
    const { body } = await openShared(listener(api), first);
    for (const secret of ['Second', second.id, tokenOf(second)]) expect(body).not.toContain(secret);
  });

  test('S12: has nothing of what is outside the part, in any answer', async () => {
    await annotate();
    const shared = await made({ shows: everything, fromMs: 5000, toMs: 9000 });
    const recording = await shown(shared);
    expect(recording.markers.map(({ atMs, label }) => [atMs, label])).toEqual([
      [0, 'marker-5'],
      [1000, 'marker-6'],
      [2000, 'marker-7'],
      [3000, 'marker-8'],
    ]);
    expect(recording.notes.map(({ text }) => text)).toEqual(['note-5', 'note-6', 'note-7', 'note-8']);
    expect(recording.durationMs).toBeGreaterThan(3950);
    expect(recording.durationMs).toBeLessThanOrEqual(4000);
    expect(recording.peaksPoints).toBe(400);
    const vtt = await get(shared, 'markers.vtt');
    const texts = [JSON.stringify(recording), vtt.body].join('\n');
    for (const second of [0, 1, 2, 3, 4, 9, 10, 15, 19])
      expect(texts).not.toMatch(new RegExp(`(marker|note)-${second}\\b`));
    const numbers = JSON.stringify(recording).match(/(?<!["\w])\d+(?!["\w])/g) ?? [];
    expect(numbers.map(Number).filter((number) => number > 4000)).toEqual([]);
  });

  test('hides what its owner did not choose', async () => {
    await annotate();
    const hidden = await shown(
      await made({
        shows: { ...everything, title: false, owner: false, date: false, markers: false, notes: false },
      }),
    );
    expect(hidden).toMatchObject({
      title: null,
      owner: null,
      recordedTime: null,
      markers: [],
      notes: [],
      downloads: [],
    });
  });

  test('S42: says nothing of a held recording until its owner opens it', async () => {
    const shared = await made({ live: { delayMs: 0, isHeldAfterStop: true } });
    expect(await shown(shared)).toMatchObject({ state: 'held', durationMs: 0, peaksPoints: 0, markers: [] });
    expect(rejection(await get(shared, 'audio')).code).toBe('share-not-started');
    await changeShareOf({ api, user: owner }, shared, { isReleased: true });
    expect(await shown(shared)).toMatchObject({ state: 'complete', durationMs: 19_994 });
  });
});

describe('the sound of a link', () => {
  test('S10: is the part alone, at every range', async () => {
    const shared = await made({ fromMs: 5000, toMs: 9000 });
    const whole = await get(shared, 'audio');
    expect([whole.statusCode, whole.headers['content-type']]).toEqual([200, 'audio/ogg; codecs=opus']);
    const bytes = whole.rawPayload;
    const size = bytes.length;
    for (const [range, start, end] of [
      ['bytes=0-', 0, size],
      ['bytes=100-199', 100, 200],
      ['bytes=-10', size - 10, size],
      [`bytes=50-${size * 10}`, 50, size],
      ['bytes=-99999999', 0, size],
    ] as const) {
      const part = await get(shared, 'audio', { range });
      expect([range, part.statusCode]).toEqual([range, 206]);
      expect([range, Buffer.compare(part.rawPayload, bytes.subarray(start, end))]).toEqual([range, 0]);
    }
    expect(rejection(await get(shared, 'audio', { range: `bytes=${size}-` })).code).toBe(
      'range-not-satisfiable',
    );
    expect((await get(shared, 'audio', { range: 'bytes=0-1,5-9' })).rawPayload.length).toBe(size);
    expect((await get(shared, 'audio', { range: 'bytes=0-9', 'if-range': '"other"' })).statusCode).toBe(200);
  });

  test.for(['until=99999', 'section=0', 'until=99999&section=0'])(
    'S11: takes a length and a section without giving more: %s',
    async (query) => {
      const shared = await made({ fromMs: 5000, toMs: 9000 });
      const more = await get(shared, `audio?${query}`);
      expect(Buffer.compare(more.rawPayload, (await get(shared, 'audio')).rawPayload)).toBe(0);
    },
  );

  test('S11: rejects a section before the first', async () => {
    const shared = await made({ fromMs: 5000, toMs: 9000 });
    expect(rejection(await get(shared, 'audio?section=-1')).code).toBe('validation');
  });

  test.for(['fromMs=0', 'toMs=99999', 'points=99999'])(
    'S11: takes no other part from the address: %s',
    async (query) => {
      const shared = await made({ fromMs: 5000, toMs: 9000 });
      const audio = await get(shared, `audio?${query}`);
      expect(Buffer.compare(audio.rawPayload, (await get(shared, 'audio')).rawPayload)).toBe(0);
      const peaks = await get(shared, `peaks?${query}`);
      expect(Buffer.compare(peaks.rawPayload, (await get(shared, 'peaks')).rawPayload)).toBe(0);
    },
  );

  test('S14: has nothing in common with another link of the same recording', async () => {
    const [first, second] = [await made(), await made()];
    for (const path of ['audio', 'peaks']) {
      const [a, b] = [await get(first, path), await get(second, path)];
      expect([path, a.headers.etag === b.headers.etag]).toEqual([path, false]);
      for (const { headers } of [a, b]) expect(JSON.stringify(headers)).not.toContain(recordingId);
    }
    const serials = await Promise.all(
      [first, second].map(
        async (shared) => pagesOf((await get(shared, 'audio')).rawPayload)[0]?.serialNumber,
      ),
    );
    expect(new Set(serials).size).toBe(2);
    expect((await get(first, 'audio')).headers.etag).toBe((await get(first, 'audio')).headers.etag);
  });

  test('S19: is never played from a cache without asking', async () => {
    const shared = await made();
    const first = await get(shared, 'audio');
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const etag = String(first.headers.etag);
    expect((await get(shared, 'audio', { 'if-none-match': etag })).statusCode).toBe(304);
    await api.as(owner, { method: 'DELETE', url: `/api/shares/${shared.id}` });
    expect((await get(shared, 'audio', { 'if-none-match': etag })).statusCode).toBe(410);
  });

  test('S18: ends with the link at the next range', async () => {
    const shared = await made();
    expect((await get(shared, 'audio', { range: 'bytes=0-99' })).statusCode).toBe(206);
    await api.as(owner, { method: 'DELETE', url: `/api/recordings/${recordingId}` });
    expect((await get(shared, 'audio', { range: 'bytes=100-199' })).statusCode).toBe(410);
  });
});

describe('downloads of a link', () => {
  test('are those that its owner allows', async () => {
    const none = await made();
    expect(rejection(await get(none, 'download')).code).toBe('share-download-off');
    const audio = await made({ download: 'audio', title: 'For Anna' });
    const file = await get(audio, 'download');
    expect(file.headers['content-disposition']).toContain('filename="For Anna.ogg"');
    expect(Buffer.compare(file.rawPayload, (await get(audio, 'audio')).rawPayload)).toBe(0);
    for (const format of ['mp3', 'original'])
      expect(rejection(await get(audio, `download?format=${format}`)).code).toBe('share-download-off');
  });

  test('S16: have the name of the link, never that of the file or its day', async () => {
    const shared = await made({ download: 'audio', shows: { ...everything, title: false } });
    expect((await get(shared, 'download')).headers['content-disposition']).toContain(
      'filename="recording.ogg"',
    );
  });

  test.skipIf(!hasFfmpeg)('S13: are made from the part alone', async () => {
    const shared = await made({ download: 'formats', fromMs: 5000, toMs: 9000 });
    const wav = await get(shared, 'download?format=wav');
    expect([wav.statusCode, wav.headers['content-type']]).toEqual([200, 'audio/wav']);
    const { durationMs } = await shown(shared);
    expect(Math.abs((wav.rawPayload.length - 44) / 96 - durationMs)).toBeLessThan(2);
    expect(Number(wav.headers['content-length'])).toBe(wav.rawPayload.length);
  });
});

describe('a live link', () => {
  const startLive = async (live: NonNullable<NewShare['live']>) => {
    const take = await startTake(api, owner);
    const shared = await share({ api, user: owner }, take.recordingId, { live });
    const [audio, peaks] = [oggOfSilence(40), peaksOf(40)];
    const send = async (fromByte: number, untilByte: number) => {
      await append(api, take, {
        uploadId: take.audioId,
        offset: fromByte,
        bytes: audio.subarray(fromByte, untilByte),
      });
    };
    return { take, shared, audio, peaks, send };
  };

  test('has the same address before, during and after', async () => {
    const { take, shared, audio, peaks, send } = await startLive({ delayMs: 0, isHeldAfterStop: false });
    expect(await shown(shared)).toMatchObject({ state: 'not-started', durationMs: 0 });
    const early = await get(shared, 'audio');
    expect([rejection(early).code, early.headers['retry-after']]).toEqual(['share-not-started', '5']);
    await send(0, Math.floor(audio.length / 2));
    const during = await shown(shared);
    expect(during.state).toBe('live');
    expect(during.durationMs).toBeGreaterThan(15_000);
    const first = (await get(shared, 'audio')).rawPayload;
    await send(Math.floor(audio.length / 2), audio.length);
    const later = (await get(shared, 'audio')).rawPayload;
    expect(Buffer.compare(later.subarray(0, first.length), first)).toBe(0);
    await append(api, take, { uploadId: take.peaksId, offset: 0, bytes: peaks });
    await complete(api, take, { uploadId: take.audioId, bytes: audio });
    await complete(api, take, { uploadId: take.peaksId, bytes: peaks });
    await finish(api, take, { durationMs: 40_000 });
    await api.runJobs();
    expect(await shown(shared)).toMatchObject({ state: 'complete', durationMs: 39_994, delayMs: 0 });
  });

  test('is closed after Stop although its owner pressed to open it before', async () => {
    const { take, shared, audio, peaks, send } = await startLive({ delayMs: 0, isHeldAfterStop: true });
    await send(0, audio.length);
    await changeShareOf({ api, user: owner }, shared, { isReleased: true });
    await append(api, take, { uploadId: take.peaksId, offset: 0, bytes: peaks });
    await complete(api, take, { uploadId: take.audioId, bytes: audio });
    await complete(api, take, { uploadId: take.peaksId, bytes: peaks });
    await finish(api, take, { durationMs: 40_000 });
    await api.runJobs();
    expect(await shown(shared)).toMatchObject({ state: 'held', durationMs: 0 });
  });

  test('S42: gives out nothing of the delay: no sound, no peak, no marker', async () => {
    const { take, shared, audio, peaks, send } = await startLive({ delayMs: 30_000, isHeldAfterStop: false });
    await changeShareOf({ api, user: owner }, shared, { shows: everything });
    await send(0, audio.length);
    await append(api, take, { uploadId: take.peaksId, offset: 0, bytes: peaks });
    for (const atMs of [5000, 35_000])
      await api.as(owner, {
        method: 'POST',
        url: `/api/recordings/${take.recordingId}/markers`,
        payload: { id: newId(), atMs, label: `marker-${atMs}` },
      });
    const now = await shown(shared);
    expect(now.delayMs).toBe(30_000);
    expect(now.durationMs).toBeGreaterThan(9000);
    expect(now.durationMs).toBeLessThanOrEqual(10_000);
    expect(now.peaksPoints).toBeLessThanOrEqual(1000);
    expect(now.markers.map(({ label }) => label)).toEqual(['marker-5000']);
    expect((await get(shared, 'audio')).rawPayload.length).toBeLessThan(audio.length / 3);
  });

  test('is not given to a link that is not live', async () => {
    const take = await startTake(api, owner);
    await append(api, take, { uploadId: take.audioId, offset: 0, bytes: oggOfSilence(10) });
    const shared = await share({ api, user: owner }, take.recordingId, { download: 'audio' });
    expect(await shown(shared)).toMatchObject({ state: 'not-started', durationMs: 0, markers: [] });
    for (const path of ['audio', 'peaks', 'download'])
      expect(rejection(await get(shared, path)).code).toBe('share-not-started');
  });
});

describe('M4A, for browsers without Ogg/Opus', () => {
  test.skipIf(!hasFfmpeg)('is made of the part on first use, and served by byte range', async () => {
    const shared = await made({ fromMs: 5000, toMs: 9000 });
    expect((await shown(shared)).hasM4a).toBe(true);
    const first = get(shared, 'audio?format=m4a');
    while ((await api.runJobs()) === 0) await setImmediate();
    const file = await first;
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'audio/mp4']);
    const part = await get(shared, 'audio?format=m4a', { range: 'bytes=4-7' });
    expect([part.statusCode, part.rawPayload.toString()]).toEqual([206, 'ftyp']);
    expect(part.headers.etag).not.toBe((await get(shared, 'audio')).headers.etag);
  });

  test('is not offered without ffmpeg', async () => {
    const bare = await apiOnSqlite(undefined, { ffmpeg: false });
    const user = await bare.signIn();
    const take = await recordTake(bare, user, 5);
    const shared = await share({ api: bare, user }, take.recordingId);
    const path = `/s/${tokenOf(shared)}/audio?format=m4a`;
    expect(rejection(await listener(bare).send('GET', path)).code).toBe('conversion-unavailable');
  });
});

describe.skipIf(!hasFfmpeg)('a link of an import', () => {
  const tagged = () =>
    sampleFile('Geheim.mp3', [
      '-metadata',
      'title=Geheimer Titel',
      '-metadata',
      'artist=Anna Muster',
      '-c:a',
      'libmp3lame',
    ]);

  test('S15: plays its sound alone, without tags', async () => {
    const { take } = await importFile(api, owner, { name: 'Geheim.mp3', bytes: tagged() });
    const shared = await share({ api, user: owner }, take.recordingId, {
      title: 'For Anna',
      fromMs: 500,
      toMs: 2000,
    });
    expect(await shown(shared)).toMatchObject({ state: 'preparing', durationMs: 0 });
    expect(rejection(await get(shared, 'audio')).code).toBe('share-not-started');
    await api.runJobs();
    const ready = await shown(shared);
    expect(ready.state).toBe('complete');
    expect(Math.abs(ready.durationMs - 1500)).toBeLessThanOrEqual(40);
    const { rawPayload } = await get(shared, 'audio');
    const tags = readOpusTags(pagesOf(rawPayload)[1]?.payload ?? new Uint8Array());
    expect(tags).toMatchObject({ vendor: '', comments: [] });
    for (const secret of ['Geheim', 'Anna Muster', 'LAME', 'Lavf'])
      expect(rawPayload.includes(secret)).toBe(false);
    expect(JSON.stringify(ready)).not.toContain('Geheim');
  });

  test('without ffmpeg cannot be made, and says why', async () => {
    const bare = await apiOnSqlite(undefined, { ffmpeg: false });
    const user = await bare.signIn();
    const { take } = await importFile(bare, user, { name: 'a.mp3', bytes: tagged(), durationMs: 3000 });
    expect(rejection(await sendShare({ api: bare, user }, take.recordingId)).code).toBe('window-unsupported');
  });

  test('gives its unchanged file to those who may have it, under the name of the link', async () => {
    const bytes = tagged();
    const { take } = await importFile(api, owner, { name: 'Geheim.mp3', bytes });
    const shared = await share({ api, user: owner }, take.recordingId, {
      title: 'For Anna',
      download: 'original',
    });
    await api.runJobs();
    const file = await get(shared, 'download?format=original');
    expect(Buffer.compare(file.rawPayload, bytes)).toBe(0);
    expect(file.headers['content-disposition']).toContain('filename="For Anna.mp3"');
    expect(JSON.stringify(file.headers)).not.toMatch(new RegExp(`${take.recordingId}|Geheim`));
  });
});
