import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasPostgres, testPostgresUrl as url } from '#tests/support/test-postgres.ts';
import { PostgresChannel } from './postgres-channel.ts';

/** Opens a channel with the messages that it received. */
function openChannel(name: string): { channel: PostgresChannel; received: unknown[] } {
  const received: unknown[] = [];
  const channel = new PostgresChannel({
    url,
    name,
    onMessage: (message) => received.push(message),
    onMissed: () => undefined,
    onError: () => undefined,
  });
  channel.start();
  onTestFinished(() => channel.stop());
  return { channel, received };
}

/** How long a slow database takes for a message: longer than messages are gathered. */
const slowMs = 500;

/** Lets each message take long, and counts the statements that a connection runs at once. */
function slowDown(): { maxAtOnce: number } {
  const counted = { maxAtOnce: 0 };
  const running = new Map<Client, number>();
  // Of its overloads, the channel uses the one with a text, values and a promise.
  type Query = (this: Client, ...given: readonly unknown[]) => Promise<unknown>;
  const statements: { query: Query } = Client.prototype as never;
  const { query } = statements;
  vi.spyOn(statements, 'query').mockImplementation(async function answerLate(this: Client, ...given) {
    const atOnce = (running.get(this) ?? 0) + 1;
    running.set(this, atOnce);
    counted.maxAtOnce = Math.max(counted.maxAtOnce, atOnce);
    try {
      const answer = await query.apply(this, given);
      if (String(given[0]).includes('pg_notify')) await delay(slowMs);
      return answer;
    } finally {
      running.set(this, (running.get(this) ?? 0) - 1);
    }
  });
  return counted;
}

afterEach(() => vi.restoreAllMocks());

describe.skipIf(!hasPostgres)('a channel of PostgreSQL', () => {
  it('runs one statement at a time on its connection, because pg no longer queues the others', async () => {
    const counted = slowDown();
    const [sender, receiver] = [openChannel('one_at_a_time'), openChannel('one_at_a_time')];
    for (const message of ['first', 'second', 'third'])
      await expect
        .poll(() => {
          sender.channel.send(message);
          return receiver.received;
        })
        .toContain(message);
    expect(counted.maxAtOnce).toBe(1);
  });
});
