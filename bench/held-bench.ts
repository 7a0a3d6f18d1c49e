import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '#contract/limits.ts';
import { HoldClient } from '#web/api/hold/hold-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { ApiClient } from '#tests/support/api-client.ts';
import { round, type Section } from './figures.ts';

const requests = 100;

/**
 * Measures a hundred requests held by an ended session, from the confirmed sign-in to the last response, compared
 * with the same requests without a hold.
 */
export async function heldBench(): Promise<Section> {
  const server = await EarshotServer.launch();
  const account = new ApiClient(server.url);
  await account.signUp();
  const { user } = (await account.json('GET', '/auth/session')) as { user: { id: string } };
  const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'earshot' };
  const client = new HoldClient({
    fetch: (url, init) => fetch(new URL(url, server.url), init),
    principal: () => null,
    readPrincipal: async () => user.id,
    isAuthCall: () => false,
    emit: () => undefined,
    confirmSending: async () => true,
    clock: {
      nowMs: () => performance.now(),
      schedule: (delayMs, action) => {
        const timer = setTimeout(action, delayMs);
        return () => {
          clearTimeout(timer);
        };
      },
    },
    limits: {
      max: limits.heldRequests,
      maxBytes: limits.heldBytes,
      maxMs: limits.heldRequestMs,
      confirmAfterMs: limits.heldWriteConfirmedAfterMs,
    },
    headers,
    newKey: randomUUID,
    channel: null,
  });
  const askAll = () =>
    Promise.all(
      Array.from({ length: requests }, async () => {
        const response = await client.fetch('/api/recordings?limit=1', {});
        if (response.status !== 200) throw new Error(`answered ${response.status}`);
        await response.text();
        return performance.now();
      }),
    );
  const held = askAll();
  while (client.heldCount < requests) await wait(10);
  headers.cookie = account.cookie;
  const confirmedMs = performance.now();
  await client.confirm();
  const heldMs = Math.max(...(await held)) - confirmedMs;
  const askedMs = performance.now();
  const plainMs = Math.max(...(await askAll())) - askedMs;
  account.close();
  await server.dispose();
  return {
    title: `${requests} held requests released`,
    note: 'Reads; client and server share the machine.',
    rows: [
      {
        requests,
        'confirmed → last answer, ms': round(heldMs, 0),
        'the same without a hold, ms': round(plainMs, 0),
      },
    ],
  };
}
