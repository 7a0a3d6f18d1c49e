import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LiveEvent } from '#contract/events-api.ts';
import { openHub, type OpenHub } from './open-hub.ts';
import { hasPostgres, testPostgresUrl as databaseUrl } from '#tests/support/test-postgres.ts';

/** A page of a user on one server, and what it was sent. */
function pageOf({ hub }: OpenHub, userId: string) {
  const events: LiveEvent[] = [];
  hub.join({
    userId,
    sessionId: `session of ${userId}`,
    send: (event) => {
      events.push(event);
    },
    close: () => undefined,
  });
  const types = (): string[] => events.map(({ type }) => type);
  return {
    events,
    sees: async (type: string): Promise<void> => {
      while (!types().includes(type)) await delay(20);
    },
  };
}

async function server(): Promise<OpenHub> {
  const opened = await openHub({ databaseUrl }, { onError: () => undefined });
  opened.start();
  onTestFinished(() => opened.stop());
  return opened;
}

/** Two servers that receive each other's events. */
async function twoServers(): Promise<[OpenHub, OpenHub]> {
  const servers: [OpenHub, OpenHub] = [await server(), await server()];
  for (const [from, to] of [servers, servers.toReversed()] as [OpenHub, OpenHub][]) {
    const probe = pageOf(to, 'probe');
    while (probe.events.length === 0) {
      from.hub.publish('probe', { type: 'profile-changed' });
      await delay(50);
    }
  }
  return servers;
}

describe.skipIf(!hasPostgres)('two servers of one PostgreSQL database', () => {
  test('an event reaches the user on both, and nobody else', async () => {
    const [one, other] = await twoServers();
    const [here, there, stranger] = [pageOf(one, 'anna'), pageOf(other, 'anna'), pageOf(other, 'ben')];
    one.hub.publish('anna', { type: 'library-changed' });
    expect(here.events).toEqual([{ type: 'library-changed' }]);
    await there.sees('library-changed');
    expect(there.events).toEqual([{ type: 'library-changed' }]);
    expect(stranger.events).toEqual([]);
    expect(here.events).toHaveLength(1);
  });

  test('a thousand events at once arrive in their order', async () => {
    const [one, other] = await twoServers();
    const there = pageOf(other, 'anna');
    const ids = Array.from(
      { length: 1000 },
      (_, index) => `0190f7a0-0000-7000-8000-${String(index).padStart(12, '0')}`,
    );
    for (const recordingId of ids) one.hub.publish('anna', { type: 'recording-changed', recordingId });
    one.hub.publish('anna', { type: 'library-changed' });
    await there.sees('library-changed');
    expect(there.events.slice(0, -1).map(({ recordingId }) => recordingId)).toEqual(ids);
  });

  test('a server can be stopped at any moment of its start', async () => {
    for (let delayMs = 0; delayMs < 40; delayMs += 2) {
      const opened = await openHub({ databaseUrl }, { onError: () => undefined });
      opened.start();
      await delay(delayMs);
      await expect(opened.stop()).resolves.toBeUndefined();
    }
  });

  test('pages read everything again after a connection was lost', async () => {
    const [one, other] = await twoServers();
    const there = pageOf(other, 'anna');
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen earshot_live' or query like 'select pg_notify%' and pid <> pg_backend_pid()`,
    );
    await there.sees('hello');
    const event = pageOf(other, 'anna');
    while (event.events.length === 0) {
      one.hub.publish('anna', { type: 'profile-changed' });
      await delay(50);
    }
    expect(event.events.map(({ type }) => type)).toContain('profile-changed');
  });
});
