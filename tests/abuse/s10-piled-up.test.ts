import { describe, expect, test } from 'vitest';
import { type ApiClient, startTake, newId, type OpenTake } from '#tests/support/api-client.ts';
import { oggOfSilence } from '#tests/support/api-under-test.ts';
import { appendUntil, expectNeighbourUnharmed, newUser, onEveryDatabase, statusOf } from './attack.ts';

/** Opens an upload with a take's capability. Returns the response's status. */
async function openUpload(
  client: ApiClient,
  take: OpenTake,
  place: { id: string; stream: 'audio' | 'peaks'; index: number },
): Promise<number> {
  const body = {
    recordingId: take.recordingId,
    stream: place.stream,
    segmentIndex: place.index,
    startMs: place.index * 1000,
    epoch: 1,
  };
  const reply = await client.send({
    method: 'PUT',
    path: `/api/uploads/${place.id}`,
    headers: { authorization: `Bearer ${take.token}`, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  });
  return reply.status;
}

/** Opens this many segments with a second of audio each, and seals none. */
async function openSegments(client: ApiClient, take: OpenTake, count: number): Promise<void> {
  const sound = oggOfSilence(1);
  for (let index = 1; index <= count; index += 1) {
    const id = newId();
    expect(await openUpload(client, take, { id, stream: 'audio', index })).toBe(201);
    expect(
      (await client.append({ uploadId: id, token: take.token, offsetBytes: 0, bytes: sound })).status,
    ).toBe(204);
  }
}

const list = (client: ApiClient): Promise<number> =>
  statusOf(client, { method: 'GET', path: '/api/recordings' });

async function inLoops(loops: number, rounds: number, work: () => Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: loops }, async () => {
      for (let round = 0; round < rounds; round += 1) await work();
    }),
  );
}

onEveryDatabase((launch) => {
  describe('S10: data that a user has accumulated', () => {
    // Previously every list request read every file of the take: an append of the neighbour waited 6 s.
    test('a take with hundreds of open segments, listed by thirty loops, delays no user', async () => {
      const server = await launch();
      const client = await newUser(server);
      const take = await startTake(client);
      await openSegments(client, take, 400);
      await expectNeighbourUnharmed(server, () => inLoops(30, 20, () => list(client)));
      const { items } = (await client.json('GET', '/api/recordings')) as { items: { durationMs: number }[] };
      expect(items[0]?.durationMs).toBeGreaterThan(400_000);
    });

    // Previously no request had a limit per user.
    test('throttles a session that sends requests without pause, but not its own take', async () => {
      const client = await newUser(await launch());
      const take = await startTake(client);
      const ended = new AbortController();
      const appending = appendUntil(client, take, ended.signal);
      const [reads, writes] = [new Map<number, number>(), new Map<number, number>()];
      const count = (counts: Map<number, number>, status: number): void => {
        counts.set(status, (counts.get(status) ?? 0) + 1);
      };
      await inLoops(10, 80, async () => {
        count(reads, await list(client));
      });
      await inLoops(10, 40, async () => {
        count(
          writes,
          await statusOf(client, {
            method: 'PATCH',
            path: `/api/recordings/${take.recordingId}`,
            body: { title: 'Again' },
          }),
        );
      });
      ended.abort();
      // Throws if any append was rejected.
      await appending;
      for (const counts of [reads, writes])
        expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([200, 429]);
    });
  });
});
