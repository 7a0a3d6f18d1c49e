import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { serverLimits } from '#contract/server-limits.ts';
import { type ApiClient, startTake } from '#tests/support/api-client.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { hasPrograms, installationUnderTest, patient } from './installation.ts';
import { note } from './note.ts';
import { RecordingTake } from './recording-take.ts';

/** An event stream of a user at one node. */
interface EventStream {
  received: () => string;
  hasEnded: () => boolean;
}

async function openEvents(node: EarshotServer, { cookie }: ApiClient): Promise<EventStream> {
  let received = '';
  let hasEnded = false;
  const request = get(`${node.url}/api/events`, { headers: { cookie } }, (answer) => {
    answer.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    answer.on('close', () => {
      hasEnded = true;
    });
  });
  request.on('error', () => {
    hasEnded = true;
  });
  onTestFinished(() => {
    request.destroy();
  });
  await msUntil(() => received.includes('hello'));
  return { received: () => received, hasEnded: () => hasEnded };
}

/** Waits until a condition holds. Returns the time that it took, for the reader of the log alone. */
async function msUntil(condition: () => boolean): Promise<number> {
  const sinceMs = performance.now();
  await vi.waitFor(
    () => {
      expect(condition()).toBe(true);
    },
    { ...patient, interval: 10 },
  );
  return Math.round(performance.now() - sinceMs);
}

/** The status of `/readyz` of a node; 0 when its port is closed. */
const readiness = ({ url }: EarshotServer): Promise<number> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );

describe.skipIf(!hasPrograms)('a user of three nodes', () => {
  const installation = installationUnderTest({ movesOften: true });

  function node(index: number): EarshotServer {
    const found = installation().nodes[index % installation().nodes.length];
    if (found === undefined) throw new RangeError(`no node ${index}`);
    return found;
  }

  /** A client at one node, with the session of another client. */
  function sameSessionAt(index: number, { cookie }: ApiClient): ApiClient {
    const client = installation().clientAt(node(index).url);
    client.cookie = cookie;
    return client;
  }

  /** Sends wrong passwords for as many addresses, from one network. Returns how often the answer was 401. */
  async function guess(
    count: number,
    { from, nodeOf }: { from: string; nodeOf: (attempt: number) => number },
  ): Promise<number> {
    const clients = installation().nodes.map(({ url }) => installation().clientAt(url, from));
    const statuses = await Promise.all(
      Array.from({ length: count }, async (_, attempt) => {
        const client = clients[nodeOf(attempt)];
        const reply = await client?.tryPassword({
          email: `user${attempt}@example.org`,
          password: 'a wrong password, long enough',
        });
        return reply?.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    return statuses.filter((status) => status === 401).length;
  }

  test('sees a title that was changed through one node on a page that is connected to another', async () => {
    const { client } = await installation().newUser();
    const { recordingId } = await startTake(client);
    const events = await openEvents(node(1), client);
    await sameSessionAt(0, client).json('PATCH', `/api/recordings/${recordingId}`, {
      body: { title: 'Harbour' },
    });
    const seenMs = await msUntil(() => events.received().includes(recordingId));
    note(`a changed title was announced on another node after ${seenMs} ms`);
    expect(await sameSessionAt(2, client).json('GET', `/api/recordings/${recordingId}`)).toMatchObject({
      title: 'Harbour',
    });
  });

  test('ends the sessions of other devices through one node, which cuts their pages off another', async () => {
    const { client, user } = await installation().newUser();
    const lost = installation().clientAt(node(1).url);
    await lost.json('POST', '/auth/login', { body: user });
    const events = await openEvents(node(1), lost);
    await sameSessionAt(0, client).json('DELETE', '/auth/sessions');
    const endedMs = await msUntil(events.hasEnded);
    note(`the events of a revoked session ended on another node after ${endedMs} ms`);
    for (const index of [0, 1, 2])
      await expect(sameSessionAt(index, lost).json('GET', '/api/recordings')).rejects.toThrow(': 401 ');
  });

  test('is guarded against guesses at all nodes together as at one', async () => {
    const atOne = await guess(60, { from: '203.0.113.1', nodeOf: () => 0 });
    const spread = await guess(60, { from: '203.0.113.2', nodeOf: (attempt) => attempt % 3 });
    note(`of 60 wrong passwords ${atOne} were checked at one node, ${spread} at three`);
    expect(spread).toBe(atOne);
    expect(spread).toBeLessThan(60);
  });

  test('notices nothing of a node that is told to stop', async () => {
    const { client } = await installation().newUser();
    const { proxy } = installation();
    const stopped = new AbortController();
    const failedBefore = proxy.failedConnections;
    const statuses: number[] = [];
    const take = new RecordingTake(client, await startTake(client), 1);
    const recording = take.record(stopped.signal);
    const reading = (async () => {
      while (!stopped.signal.aborted) {
        const request = { method: 'GET', path: '/api/recordings', headers: { cookie: client.cookie } };
        statuses.push((await client.send(request)).status);
        await delay(50);
      }
    })();
    const ended = node(2).end('SIGTERM');
    const seen: number[] = [];
    while (seen.at(-1) !== 0) {
      seen.push(await readiness(node(2)));
      await delay(50);
    }
    expect(await ended).toBe(0);
    stopped.abort();
    await Promise.all([recording, reading]);
    await node(2).start();
    await installation().untilAllReady();
    const drainingCount = seen.filter((status) => status === 503).length;
    note(`/readyz was 503 for ${drainingCount} requests in a row before the port closed`);
    expect(drainingCount).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect([...take.audio.statuses.keys(), ...take.peaks.statuses.keys()]).toEqual([204, 204]);
    expect(proxy.failedConnections - failedBefore).toBe(0);
    await take.seal();
  });

  test('continues recording while the object store is unavailable, and its bytes are moved there afterwards', async () => {
    const { client } = await installation().newUser();
    const { s3 } = installation();
    const stopped = new AbortController();
    const take = new RecordingTake(client, await startTake(client), 2);
    await s3.stop();
    const recording = take.record(stopped.signal);
    const ready = new Set<number>();
    // Enough for a tail that is due.
    while (take.audio.lengthBytes < 80 * 1024) {
      for (const each of installation().nodes) ready.add(await readiness(each));
      await delay(serverLimits.appendIntervalMs);
    }
    stopped.abort();
    await recording;
    expect(ready).toEqual(new Set([200]));
    expect([...take.audio.statuses.keys(), ...take.peaks.statuses.keys()]).toEqual([204, 204]);
    await take.seal();
    expect((await take.playedAudio()).equals(take.audio.bytes)).toBe(true);
    await s3.start();
    const objectsOfTake = async (): Promise<string[]> =>
      (await installation().objectNames()).filter((name) => name.includes(`${take.recordingId}/audio`));
    await expect.poll(objectsOfTake, patient).not.toEqual([]);
    await expect.poll(() => take.details(), patient).toMatchObject({ state: 'ready' });
    expect((await take.playedAudio()).equals(take.audio.bytes)).toBe(true);
  });
});
