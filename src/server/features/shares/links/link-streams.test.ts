import { once } from 'node:events';
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { day, minute } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share, ShareEvent } from '#contract/shares.ts';
import {
  type ApiUnderTest,
  apiUnderTest,
  append,
  complete,
  finish,
  oggOfSilence,
  peaksOf,
  startTake,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import { importFile } from '#tests/support/import-file.ts';
import { oggOfPackets } from '#tests/support/ogg-of-packets.ts';
import { hasFfmpeg, sampleFile } from '#tests/support/sample-files.ts';
import { changeShareOf, goodLinkPassword, share, tokenOf } from '#tests/support/sharing.ts';

const seconds = 240;
/** Sound of more bytes than sockets buffer. */
const largeSound = oggOfPackets(
  Array.from({ length: seconds * 50 }, (_, index) => new Uint8Array(1200).fill(index % 251).fill(0xf8, 0, 1)),
  { samples: seconds * 48_000 - 312 },
);

async function recordLarge(api: ApiUnderTest, owner: TestUser): Promise<string> {
  const take = await startTake(api, owner);
  for (const [uploadId, bytes] of [
    [take.audioId, largeSound],
    [take.peaksId, peaksOf(seconds)],
  ] as const) {
    for (let offset = 0; offset < bytes.length; offset += 1024 * 1024)
      await append(api, take, { uploadId, offset, bytes: bytes.subarray(offset, offset + 1024 * 1024) });
    await complete(api, take, { uploadId, bytes });
  }
  await finish(api, take, { durationMs: seconds * 1000 });
  await api.runJobs();
  return take.recordingId;
}

eachDatabase((_name, open) => {
  let api: ApiUnderTest;
  let owner: TestUser;
  let recordingId: string;
  let address: string;
  /** What the listeners have open. */
  const responses: IncomingMessage[] = [];
  const made = (settings: Partial<NewShare> = {}): Promise<Share> =>
    share({ api, user: owner }, recordingId, settings);
  const revoke = (shared: Share) => api.as(owner, { method: 'DELETE', url: `/api/shares/${shared.id}` });

  /** Opens a path of a link on a socket of its own. */
  async function request(
    shared: Share,
    path: string,
    headers: OutgoingHttpHeaders = {},
  ): Promise<IncomingMessage> {
    const opened = get(`${address}/s/${tokenOf(shared)}/${path}`, { headers, agent: false });
    const [response] = (await once(opened, 'response')) as [IncomingMessage];
    responses.push(response);
    return response;
  }

  /** Starts to play a link. `rest` reads until the end, and says whether it was an orderly one. */
  async function play(shared: Share, headers: OutgoingHttpHeaders = {}) {
    const response = await request(shared, 'audio', headers);
    expect(response.statusCode).toBe(200);
    await once(response, 'readable');
    return {
      async rest(): Promise<'complete' | 'cut'> {
        try {
          for await (const _ of response);
          return 'complete';
        } catch {
          return 'cut';
        }
      },
    };
  }

  /** Reads the events of a link, one at a time; null when the stream has ended. */
  async function events(shared: Share): Promise<{ next: () => Promise<ShareEvent | null> }> {
    const response = await request(shared, 'events');
    expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
    const pieces = response.setEncoding('utf8')[Symbol.asyncIterator]();
    let text = '';
    return {
      async next() {
        for (;;) {
          const match = /data: (.*)\n\n/.exec(text);
          if (match) {
            text = text.slice(match.index + match[0].length);
            return JSON.parse(match[1] ?? '') as ShareEvent;
          }
          const { value, done } = await pieces.next();
          if (done === true) return null;
          text += String(value);
        }
      },
    };
  }

  // The server waits for what is open when it closes.
  afterEach(() => {
    for (const response of responses.splice(0)) response.destroy();
  });

  beforeEach(async () => {
    api = await apiUnderTest(await open());
    owner = await api.signIn();
    recordingId = await recordLarge(api, owner);
    address = await api.app.listen({ host: '127.0.0.1', port: 0 });
  });

  describe('an open stream of a link', () => {
    test('plays to the end if nothing happens', async () => {
      expect(await (await play(await made())).rest()).toBe('complete');
    });

    test('S18: is cut by its revocation, and its page learns why', async () => {
      const [shared, other] = [await made(), await made()];
      const [stream, page, neighbour] = [await play(shared), await events(shared), await play(other)];
      await revoke(shared);
      expect(await stream.rest()).toBe('cut');
      expect([await page.next(), await page.next()]).toEqual([
        { type: 'share-ended', reason: 'revoked' },
        null,
      ]);
      expect(await neighbour.rest()).toBe('complete');
    });

    test.for<[by: string, reason: string, act: (shared: Share) => Promise<unknown>]>([
      [
        'the trash',
        'unavailable',
        () => api.as(owner, { method: 'DELETE', url: `/api/recordings/${recordingId}` }),
      ],
      ['the end of its time', 'expired', async () => api.clock.advance(day)],
      [
        'another process',
        'revoked',
        ({ id }) =>
          api.database.queries.updateTable('shares').set({ ended_at: 1 }).where('id', '=', id).execute(),
      ],
      [
        'the disabling of its owner',
        'unavailable',
        () =>
          api.database.queries
            .updateTable('users')
            .set({ disabled_at: 1 })
            .where('id', '=', owner.id)
            .execute(),
      ],
      [
        'the deletion of the account',
        'revoked',
        () => api.as(owner, { method: 'DELETE', url: '/auth/account' }),
      ],
    ])('S18: is cut by %s', async ([, reason, act]) => {
      const shared = await made({ expiresAt: instantOf(api.clock.nowMs() + day) });
      const [stream, page] = [await play(shared), await events(shared)];
      await act(shared);
      expect(await page.next()).toEqual({ type: 'share-ended', reason });
      expect(await stream.rest()).toBe('cut');
    });

    test('S7: is cut by a new password, and by another part', async () => {
      const shared = await made();
      const [first, page] = [await play(shared), await events(shared)];
      const changed = (await changeShareOf({ api, user: owner }, shared, { toMs: 200_000 })).json<Share>();
      expect(await first.rest()).toBe('cut');
      expect([await page.next(), await page.next()]).toEqual([{ type: 'share-changed' }, null]);
      const second = await play(shared);
      await changeShareOf({ api, user: owner }, changed, { password: goodLinkPassword });
      expect(await second.rest()).toBe('cut');
    });

    test('is cut by a rule of the installation', async () => {
      const admin = await api.signIn('admin');
      const stream = await play(await made());
      await api.as(admin, { method: 'PATCH', url: '/api/admin/sharing', payload: { links: 'off' } });
      expect(await stream.rest()).toBe('cut');
    });

    test('ends after ten minutes without reading', async () => {
      const [shared, read] = [await made(), await made()];
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
      onTestFinished(() => {
        vi.useRealTimers();
      });
      const unread = await play(shared);
      expect(await (await play(read)).rest()).toBe('complete');
      vi.advanceTimersByTime(9 * minute);
      const paused = await play(read);
      vi.advanceTimersByTime(5 * minute);
      expect([await unread.rest(), await paused.rest()]).toEqual(['cut', 'complete']);
    });

    test('continues for a listener who started, after the link is used up', async () => {
      const shared = await made({ maxListens: 1 });
      const started = await fetch(`${address}/s/${tokenOf(shared)}/listens`, { method: 'POST' });
      const cookie = started.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      expect(await (await play(shared, { cookie })).rest()).toBe('complete');
    });

    test('S47: is one of at most six of a network, and the others play on', async () => {
      const shared = await made();
      const streams = [];
      for (let count = 0; count < 6; count += 1) streams.push(await play(shared));
      const seventh = await request(shared, 'audio');
      expect([seventh.statusCode, seventh.headers['retry-after']]).toEqual([429, '5']);
      expect((await request(await made(), 'audio')).statusCode).toBe(200);
      expect(await streams[0]?.rest()).toBe('complete');
    });
  });

  test('S47: listeners of all links together leave connections for running takes', async () => {
    const small = await apiUnderTest(await open(), undefined, { maxShareStreams: 2 });
    const user = await small.signIn();
    const take = await startTake(small, user);
    const links = await Promise.all(
      [1, 2, 3].map(() =>
        share({ api: small, user }, take.recordingId, { live: { delayMs: 0, isHeldAfterStop: false } }),
      ),
    );
    address = await small.app.listen({ host: '127.0.0.1', port: 0 });
    const statuses: (number | undefined)[] = [];
    for (const link of links) statuses.push((await request(link, 'events')).statusCode);
    expect(statuses).toEqual([200, 200, 429]);
    const [watched] = links;
    if (watched !== undefined) statuses.push((await request(watched, 'peaks')).statusCode);
    expect(statuses.at(3)).toBe(429);
    const appended = await append(small, take, { uploadId: take.audioId, offset: 0, bytes: oggOfSilence(2) });
    expect(appended.statusCode).toBe(204);
  });

  test('a page learns of a Stop between the opening of its stream and the first comparison', async () => {
    const take = await startTake(api, owner);
    const shared = await share({ api, user: owner }, take.recordingId, {
      live: { delayMs: 0, isHeldAfterStop: true },
    });
    const page = await events(shared);
    await api.database.queries
      .updateTable('recordings')
      .set({ state: 'finishing' })
      .where('id', '=', take.recordingId)
      .execute();
    await api.checkLinks();
    expect(await page.next()).toEqual({ type: 'share-changed' });
  });

  /** All events of a page until its link is revoked. */
  async function eventsUntilRevoked(shared: Share, page: Awaited<ReturnType<typeof events>>) {
    await api.checkLinks();
    await revoke(shared);
    const types: string[] = [];
    for (let event = await page.next(); event !== null; event = await page.next()) types.push(event.type);
    return types;
  }
  const label = (kind: 'markers' | 'notes', payload: object, id = recordingId) =>
    api.as(owner, {
      method: 'POST',
      url: `/api/recordings/${id}/${kind}`,
      payload: { id: newId(), ...payload },
    });
  const rename = (title: string) =>
    api.as(owner, { method: 'PATCH', url: `/api/recordings/${recordingId}`, payload: { title } });
  const addNote = () => label('notes', { fromMs: 2000, toMs: null, text: 'A note' });
  const addMarker = (atMs: number) => label('markers', { atMs, label: 'A marker' });

  test('a page learns nothing from a change of what its link hides', async () => {
    const shared = await made({ title: 'A title of its own', toMs: 10_000 });
    const markers = await made({
      title: 'Another one',
      toMs: 10_000,
      shows: { title: true, owner: true, date: false, markers: true, notes: false, gaps: false },
    });
    const pages = [await events(shared), await events(markers)] as const;
    await api.checkLinks();
    api.clock.advance(1);
    expect((await rename('Secret')).statusCode).toBe(200);
    expect((await addNote()).statusCode).toBe(201);
    // After the part that the second link shows.
    expect((await addMarker(20_000)).statusCode).toBe(201);
    expect([await eventsUntilRevoked(shared, pages[0]), await eventsUntilRevoked(markers, pages[1])]).toEqual(
      [['share-ended'], ['share-ended']],
    );
  });

  test.for([
    ['the title', {}, () => rename('Another title')],
    ['a marker', { markers: true }, () => addMarker(2000)],
    ['a note', { notes: true }, addNote],
    [
      'the name of the owner',
      {},
      () => api.as(owner, { method: 'PATCH', url: '/api/profile', payload: { displayName: 'Anna' } }),
    ],
  ] as const)('a page learns that %s has changed, if its link shows it', async ([, shows, act]) => {
    const hidden = { date: false, markers: false, notes: false, gaps: false };
    const shared = await made({ shows: { title: true, owner: true, ...hidden, ...shows } });
    const page = await events(shared);
    await api.checkLinks();
    api.clock.advance(1);
    expect((await act()).statusCode).toBeLessThan(300);
    await api.checkLinks();
    expect(await eventsUntilRevoked(shared, page)).toEqual(['share-changed', 'share-ended']);
  });

  test.for<[change: string, act: () => Promise<unknown>]>([
    [
      'a marker renamed',
      () => api.database.queries.updateTable('markers').set({ label: 'B marker' }).execute(),
    ],
    ['a marker moved', () => api.database.queries.updateTable('markers').set({ at_ms: 3000 }).execute()],
    ['a marker deleted', () => api.database.queries.deleteFrom('markers').execute()],
    ['a note rewritten', () => api.database.queries.updateTable('notes').set({ text: 'B note' }).execute()],
    ['a note deleted', () => api.database.queries.deleteFrom('notes').execute()],
  ])('a page learns of %s on another server of the database', async ([, act]) => {
    await addMarker(2000);
    await addNote();
    const shared = await made({
      shows: { title: true, owner: true, date: false, markers: true, notes: true, gaps: false },
    });
    const page = await events(shared);
    await api.checkLinks();
    await act();
    expect(await eventsUntilRevoked(shared, page)).toEqual(['share-changed', 'share-ended']);
  });

  test('a page of a live link learns of a marker that it shows, and not of its growth as a change', async () => {
    const take = await startTake(api, owner);
    const shared = await share({ api, user: owner }, take.recordingId, {
      live: { delayMs: 0, isHeldAfterStop: false },
      shows: { title: true, owner: true, date: true, markers: true, notes: false, gaps: true },
    });
    const page = await events(shared);
    await api.checkLinks();
    const audio = oggOfSilence(10);
    const send = (fromByte: number, untilByte: number) =>
      append(api, take, {
        uploadId: take.audioId,
        offset: fromByte,
        bytes: audio.subarray(fromByte, untilByte),
      });
    const half = Math.floor(audio.length / 2);
    await send(0, half);
    await api.checkLinks();
    // Its sound is not there yet.
    await label('markers', { atMs: 8000, label: 'A marker' }, take.recordingId);
    await api.checkLinks();
    await send(half, audio.length);
    expect(await eventsUntilRevoked(shared, page)).toEqual(['share-grew', 'share-changed', 'share-ended']);
  });

  test.skipIf(!hasFfmpeg)(
    'a page that waits for the sound of an import learns that it is ready',
    async () => {
      const { take } = await importFile(api, owner, {
        name: 'a.mp3',
        bytes: sampleFile('a.mp3', ['-c:a', 'libmp3lame']),
      });
      const shared = await share({ api, user: owner }, take.recordingId);
      const page = await events(shared);
      await api.checkLinks();
      await api.runJobs();
      expect(await eventsUntilRevoked(shared, page)).toEqual(['share-changed', 'share-ended']);
    },
  );

  test('a page of a live link learns that it grows', async () => {
    const take = await startTake(api, owner);
    const shared = await share({ api, user: owner }, take.recordingId, {
      live: { delayMs: 0, isHeldAfterStop: false },
    });
    const page = await events(shared);
    const audio = oggOfSilence(10);
    let seen: ShareEvent | null = null;
    const growth = page.next().then((event) => (seen = event));
    for (let offset = 0; seen === null && offset < audio.length; offset += 400) {
      await append(api, take, {
        uploadId: take.audioId,
        offset,
        bytes: audio.subarray(offset, offset + 400),
      });
      await api.checkLinks();
    }
    expect(await growth).toMatchObject({ type: 'share-grew' });
  });
});
