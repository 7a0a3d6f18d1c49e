import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { packetsOf, readOggPage } from '#audio/ogg/ogg-page.ts';
import { hour, minute } from '#base/duration.ts';
import { recordingSchema } from '#contract/recordings.ts';
import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';
import { choosePage } from '#scripts/demo/choose-page.ts';
import { startLocalIssuer } from '#scripts/demo/local-issuer.ts';
import { demoInstructions } from '#scripts/demo/demo-instructions.ts';
import { runningSpeech, storeDemoRecordings } from '#scripts/demo/demo-recordings.ts';
import { recordUntilAborted } from '#scripts/demo/running-recording.ts';
import { signInAs } from '#scripts/demo/sign-in-as.ts';
import { freePort } from '#scripts/free-port.ts';
import type { ApiClient } from '#tests/support/api-client.ts';

const people = [
  { sub: 'ada', claims: { name: 'Ada <Demo>', email: 'ada@demo.example', email_verified: true } },
];

/** A server with the demo’s provider that can be restarted on the same data, and a client signed in as Ada. */
async function demoUnderTest() {
  const url = `http://localhost:${await freePort()}`;
  const client = {
    clientId: 'earshot',
    clientSecret: 'a secret of this test alone',
    redirectUris: [`${url}/auth/demo/callback`],
  };
  const issuer = await startLocalIssuer({ port: 0, people, client, choosePage });
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-demo-test-'));
  const start = () =>
    startServer(
      readConfig({
        PORT: new URL(url).port,
        PUBLIC_URL: url,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'silent',
        OIDC_DEMO_ISSUER: issuer.issuer,
        OIDC_DEMO_CLIENT_ID: client.clientId,
        OIDC_DEMO_CLIENT_SECRET: client.clientSecret,
        OIDC_DEMO_TRUST_EMAIL: 'true',
      }),
      { webDirectory: '/nowhere' },
    );
  let server = await start();
  onTestFinished(async () => {
    await server.stop();
    await issuer.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const ada = await signInAs(url, 'demo', 'ada');
  onTestFinished(() => {
    ada.close();
  });
  return {
    ada,
    restart: async (): Promise<void> => {
      await server.stop();
      server = await start();
    },
  };
}

const itemsSchema = z.object({ items: z.array(recordingSchema) });
const recordingsOf = async (ada: ApiClient) =>
  itemsSchema.parse(await ada.json('GET', '/api/recordings')).items;

test('the demo’s provider signs in to a real server', async () => {
  const { ada } = await demoUnderTest();
  expect(await ada.json('GET', '/auth/session')).toMatchObject({
    user: { displayName: 'Ada <Demo>', email: 'ada@demo.example', role: 'admin' },
  });
  const page = await ada.send({
    method: 'GET',
    path: '/auth/demo/callback/?code=c&state=s',
    headers: { accept: 'text/html' },
  });
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
});

test(
  'the demo has speech in several languages, with markers, notes, tags and a named gap',
  { timeout: 5 * minute },
  async () => {
    const { ada } = await demoUnderTest();
    await storeDemoRecordings(ada);
    const recordings = await recordingsOf(ada);
    expect(new Set(recordings.map(({ language }) => language))).toEqual(
      new Set(['en', 'de', 'es', 'fr', 'ar']),
    );
    const address = recordings.find(({ title }) => title?.startsWith('Inaugural'));
    expect(await ada.json('GET', `/api/recordings/${address?.id}`)).toMatchObject({
      gaps: [{ atMs: 5000, durationMs: 12_000, cause: 'device-slept' }],
      people: ['John F. Kennedy'],
    });
    const interview = recordings.find(({ title }) => title?.startsWith('Interview'));
    expect(await ada.json('GET', `/api/recordings/${interview?.id}/markers`)).toMatchObject({
      items: [{ label: 'Kindheit', atMs: 0 }, { label: 'Der Umzug' }, { label: 'Erste Arbeit' }],
    });
    expect(await ada.json('GET', `/api/recordings/${interview?.id}/notes`)).toMatchObject({
      items: [{ text: expect.stringContaining('Dorf') }],
    });
    expect(interview?.tagIds).toHaveLength(1);
    const afternoon = recordings.find(({ durationMs }) => durationMs > hour);
    expect(Math.abs((afternoon?.durationMs ?? 0) - 2 * hour)).toBeLessThan(minute);

    // A second seed adds only what is missing.
    await ada.json('DELETE', `/api/recordings/${address?.id}`);
    expect([await storeDemoRecordings(ada), await storeDemoRecordings(ada)]).toEqual([1, 0]);
    const titlesOf = (listed: typeof recordings) => listed.map(({ title }) => title).sort();
    expect(titlesOf(await recordingsOf(ada))).toEqual(titlesOf(recordings));
  },
);

test(
  'the demo’s running recording is complete after a restart of the server',
  { timeout: minute },
  async () => {
    const { ada, restart } = await demoUnderTest();
    const speech = await runningSpeech();
    const stopping = new AbortController();
    const recorded = recordUntilAborted(ada, { title: 'Running', speech }, stopping.signal);
    onTestFinished(() => {
      stopping.abort();
    });
    const playedBytes = async (): Promise<Buffer> => {
      const [running] = await recordingsOf(ada);
      return (
        await ada.send({
          method: 'GET',
          path: `/api/recordings/${running?.id}/audio`,
          headers: { cookie: ada.cookie },
        })
      ).body;
    };
    const untilPlayed = (minBytes: number): Promise<Buffer> =>
      vi.waitUntil(
        async () => {
          const bytes = await playedBytes().catch(() => Buffer.alloc(0));
          return bytes.length >= minBytes && bytes;
        },
        { timeout: minute },
      );
    const before = await untilPlayed(2000);
    await restart();
    const after = await untilPlayed(before.length * 3);
    stopping.abort();
    await recorded;
    const packets: Uint8Array[] = [];
    for (
      let atByte = 0, page = readOggPage(after, 0);
      page !== null;
      atByte += page.sizeBytes, page = readOggPage(after, atByte)
    )
      packets.push(...packetsOf(page));
    const [, , ...sound] = packets;
    expect(sound.length).toBeGreaterThan(50);
    expect(
      sound.every((packet, index) => Buffer.compare(packet, speech.packets[index] ?? Buffer.alloc(0)) === 0),
    ).toBe(true);
  },
);

test('B14: the demo’s instructions name settings sections that exist', async () => {
  const named = [
    ...demoInstructions({ url: 'http://localhost:3000', processId: 1 }).matchAll(/Settings › ([^.]+)\./g),
  ].map(([, section]) => section);
  const sections = await readFile(
    join(import.meta.dirname, '..', '..', 'src', 'web', 'app', 'pages', 'account-sections.tsx'),
    'utf8',
  );
  expect(named).toHaveLength(2);
  for (const section of named) expect(sections).toContain(`label: t\`${section}\``);
});

test('the demo’s page says that it is a demo, and escapes names', () => {
  const page = choosePage(people);
  expect(page).toContain('>Demo<');
  expect(page).toContain('Ada &lt;Demo&gt;');
});
