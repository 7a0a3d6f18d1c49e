import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';
import { choosePage } from '../../scripts/demo/choose-page.ts';
import { startLocalIssuer } from '../../scripts/demo/local-issuer.ts';
import { storeSampleRecordings } from '../../scripts/demo/sample-recordings.ts';
import { signInAs } from '../../scripts/demo/sign-in-as.ts';
import { freePort } from '../../scripts/free-port.ts';

const people = [{ sub: 'ada', claims: { name: 'Ada <Demo>', email: 'ada@demo.example', email_verified: true } }];

test('the demo’s provider signs in to a real server, and its samples become recordings', async () => {
  const url = `http://localhost:${await freePort()}`;
  const client = { clientId: 'earshot', clientSecret: 'a secret of this test alone', redirectUris: [`${url}/auth/demo/callback`] };
  const issuer = await startLocalIssuer({ port: 0, people, client, choosePage });
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-demo-test-'));
  const server = await startServer(readConfig({
    PORT: new URL(url).port, PUBLIC_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'silent',
    OIDC_DEMO_ISSUER: issuer.issuer, OIDC_DEMO_CLIENT_ID: client.clientId, OIDC_DEMO_CLIENT_SECRET: client.clientSecret, OIDC_DEMO_TRUST_EMAIL: 'true',
  }), { webDirectory: '/nowhere' });
  onTestFinished(async () => {
    await server.stop();
    await issuer.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const ada = await signInAs(url, 'demo', 'ada');
  onTestFinished(() => { ada.close(); });
  expect(await ada.json('GET', '/auth/session')).toMatchObject({ user: { displayName: 'Ada <Demo>', email: 'ada@demo.example', role: 'admin' } });
  await storeSampleRecordings(ada, [{ title: 'A minute', durationMs: 60_000 }, { title: 'Two seconds', durationMs: 2000 }]);
  expect(await ada.json('GET', '/api/recordings')).toMatchObject({ items: [{ title: 'Two seconds', durationMs: 2000 }, { title: 'A minute', durationMs: 60_000 }] });
  const page = await ada.send({ method: 'GET', path: '/auth/demo/callback/?code=c&state=s', headers: { accept: 'text/html' } });
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
});

test('the demo’s page says that it is one, and takes no name for markup', () => {
  const page = choosePage(people);
  expect(page).toContain('>Demo<');
  expect(page).toContain('Ada &lt;Demo>');
});
