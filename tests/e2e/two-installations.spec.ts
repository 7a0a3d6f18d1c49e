import { EarshotServer } from '#tests/support/earshot-server.ts';
import { freePort } from '#scripts/free-port.ts';
import { expect, openBrowser, test as base } from './earshot-test.ts';
import {
  expectWhole,
  isSignedIn,
  onlyReadyRecording,
  signOut,
  signUpOnScreen,
  startTake,
  stopTake,
  untilClock,
} from './steps.ts';

/** A second installation on the same host at another port. Browsers scope cookies by host, not by port. */
const test = base.extend<{ neighbour: EarshotServer }>({
  neighbour: async ({}, use) => {
    const neighbour = await EarshotServer.launch();
    await use(neighbour);
    await neighbour.dispose();
  },
  browserOptions: { serviceWorkers: 'allow' },
});

test('two installations on one host have separate users, takes and sign-outs', async ({
  page,
  browserContext,
  server,
  neighbour,
}) => {
  await signUpOnScreen(page);
  const there = await browserContext.newPage();
  await there.goto(`${neighbour.url}/sign-up`);
  const form = there.locator('form').filter({ has: there.getByRole('textbox', { name: 'Email' }) });
  await form.getByRole('textbox', { name: 'Email' }).fill('neighbour@example.org');
  await form.getByLabel('Password', { exact: true }).fill('a quiet harbour at dusk 7');
  await form.getByRole('button', { name: 'Create account', exact: true }).click();
  await expect.poll(() => isSignedIn(there)).toBe(true);

  await page.reload();
  expect(await isSignedIn(page)).toBe(true);
  await startTake(page);
  await untilClock(page, 2000);
  await signOut(there);
  await stopTake(page);
  await expectWhole(page, await onlyReadyRecording(page), 2000);
  await page.reload();
  expect(await isSignedIn(page)).toBe(true);
  expect(server.url).not.toBe(neighbour.url);
});

for (const [name, host, opened] of [
  ['IPv6', '::1', '[::1]'],
  ['IPv4', '127.0.0.1', '127.0.0.1'],
  ['another name than that of PUBLIC_URL', '127.0.0.1', '127.0.0.1'],
] as const) {
  base(`creates an account and uploads a take over ${name}`, async ({ profile }) => {
    const port = await freePort();
    const url = `http://${opened}:${port}`;
    const server = await EarshotServer.launch({
      HOST: host,
      PORT: String(port),
      ...(name.startsWith('IP') ? { PUBLIC_URL: url } : {}),
    });
    const context = await openBrowser({ profile, baseURL: url, serviceWorkers: 'allow' });
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(url);
    await signUpOnScreen(page);
    await startTake(page);
    await untilClock(page, 1500);
    await stopTake(page);
    await expectWhole(page, await onlyReadyRecording(page), 1500);
    await context.close();
    await server.dispose();
  });
}

base('a user at another host than that of PUBLIC_URL reads the right URL', async ({ profile }) => {
  const server = await EarshotServer.launch({ PUBLIC_URL: 'https://ear.example', TRUSTED_PROXY_HOPS: '1' });
  const context = await openBrowser({ profile, baseURL: server.url, locale: 'de-DE' });
  const page = context.pages()[0] ?? (await context.newPage());
  expect((await page.goto(`${server.url}/library`))?.status()).toBe(421);
  await expect(page.getByRole('heading')).toHaveText('Earshot hat eine andere Adresse');
  await expect(page.getByRole('link', { name: 'https://ear.example' })).toHaveAttribute(
    'href',
    'https://ear.example/',
  );
  await context.close();
  await server.dispose();
});
