import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { api as contract } from '#contract/api.ts';
import type { Share } from '#contract/shares.ts';
import { answerOf, Browser } from '#tests/support/accounts-under-test.ts';
import { apiOnSqlite, recordTake } from '#tests/support/api-under-test.ts';
import { newId } from '#tests/support/factories.ts';
import { goodLinkPassword, listener, share, tokenOf } from '#tests/support/sharing.ts';

const linkEndpoints = Object.values(contract).filter(({ access }) => access.startsWith('share'));

test('S2: no token is in any line of the log, whatever is answered', async () => {
  let log = '';
  const lines = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  const api = await apiOnSqlite(undefined, { logger: pino({ level: 'trace' }, lines) });
  const user = await api.signIn();
  const { recordingId } = await recordTake(api, user, 3);
  const sharer = { api, user };
  const [open, locked, revoked] = [
    await share(sharer, recordingId, { download: 'formats' }),
    await share(sharer, recordingId, { password: goodLinkPassword }),
    await share(sharer, recordingId),
  ];
  await api.as(user, { method: 'DELETE', url: `/api/shares/${revoked.id}` });
  const tokens = [open, locked, revoked].map(tokenOf);
  const bodies: string[] = [];
  for (const token of [...tokens, `${tokenOf(open)}x`])
    for (const { method, path, replyKind, replyMediaTypes = [] } of linkEndpoints) {
      if (replyKind === 'event-stream' && token === tokenOf(open)) continue;
      const { body } = await listener(api).send(
        method,
        path.replace(':token', token),
        method === 'POST' ? { body: { password: 'a wrong one' } } : {},
      );
      // A page names its own address, which its reader has.
      if (!replyMediaTypes.includes('text/html')) bodies.push(body);
    }
  await listener(api).send('GET', `/s/${tokens[0] ?? ''}/${'x'.repeat(500)}`);
  expect(log).toContain('/s/:token/audio');
  for (const secret of [...tokens, goodLinkPassword, 'a wrong one']) {
    expect(log).not.toContain(secret);
    expect(bodies.join('\n')).not.toContain(secret);
  }
});

test('S48: unknown, ended and locked links are answered equally fast', async () => {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const { recordingId } = await recordTake(api, user, 3);
  const sharer = { api, user };
  const [locked, revoked] = [
    await share(sharer, recordingId, { password: goodLinkPassword }),
    await share(sharer, recordingId),
  ];
  await api.as(user, { method: 'DELETE', url: `/api/shares/${revoked.id}` });
  const tokens = {
    locked: tokenOf(locked),
    revoked: tokenOf(revoked),
    unknown: '9XjzCkS8kQwMYdqsYYtCfd',
    malformed: 'x',
  };
  const timesMs: Record<string, number[]> = { locked: [], revoked: [], unknown: [], malformed: [] };
  for (let round = 0; round < 150; round += 1)
    for (const [name, token] of Object.entries(tokens)) {
      const startedMs = performance.now();
      await listener(api, `10.4.${round}.1`).send('GET', `/s/${token}/recording`);
      timesMs[name]?.push(performance.now() - startedMs);
    }
  const medians = Object.values(timesMs).map((times) => {
    const sorted = times.slice(20).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  });
  // Another query for one of them would take about half as long again.
  expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(0.35 * Math.max(...medians));
});

test('S49: an address of links of its own serves links for anyone, and nothing else', async () => {
  const api = await apiOnSqlite(undefined, {
    publicUrl: 'https://ear.example',
    shareUrl: 'https://listen.example',
  });
  const user = await api.signIn();
  const asOwner = { host: 'ear.example', origin: 'https://ear.example', 'x-requested-with': 'earshot' };
  const cookie = `__Host-Http-sid=${user.cookie}`;
  const send = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
    api.app.inject({
      method,
      url,
      headers: { ...asOwner, cookie },
      ...(payload === undefined ? {} : { payload }),
    });
  const recordingId = newId();
  await send('PUT', `/api/recordings/${recordingId}`, {
    title: '',
    startedAt: '2026-11-21T09:00:00.000Z',
    timeZone: 'Europe/Berlin',
    format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
    source: 'microphone',
  });
  const made = async (settings: object) =>
    answerOf<Share>(
      await send('POST', `/api/recordings/${recordingId}/shares`, { id: newId(), ...settings }),
    );
  const [open, forUsers] = [
    await made({ password: goodLinkPassword }),
    await made({ audience: 'installation' }),
  ];
  expect(open.url).toMatch(/^https:\/\/listen\.example\/s\//);
  expect(forUsers.url).toMatch(/^https:\/\/ear\.example\/s\//);
  const there = new Browser(api.app, '198.51.100.7', 'listen.example');
  const unlocked = await there.post(`/s/${tokenOf(open)}/unlock`, { password: goodLinkPassword });
  expect([unlocked.statusCode, unlocked.cookies[0]?.secure]).toEqual([204, true]);
  expect(unlocked.cookies[0]?.name).toMatch(/^__Host-Http-sh-[\da-f]{8}$/);
  expect((await there.send('GET', `/s/${tokenOf(open)}/recording`)).statusCode).toBe(200);
  for (const path of [
    '/',
    '/api/recordings',
    '/auth/session',
    '/library',
    '/s/../api/recordings',
    '/healthx',
  ])
    expect([path, (await there.send('GET', path)).statusCode]).toEqual([path, 421]);
  const elsewhere = new Browser(api.app, '198.51.100.7', 'evil.example');
  expect((await elsewhere.send('GET', `/s/${tokenOf(open)}/recording`)).statusCode).toBe(421);
});
