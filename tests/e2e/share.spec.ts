import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { expect, test } from './earshot-test.ts';
import { listed, signUp, untilSaved } from './steps.ts';

test.use({ browserOptions: { serviceWorkers: 'allow' } });

const memo = {
  name: 'Memo from another app.wav',
  mimeType: 'audio/wav',
  buffer: makeWav({ seconds: 3, seed: 21 }),
};
const imports = (page: Page) => page.getByRole('region', { name: 'Imports' });
const importShared = (page: Page) =>
  imports(page)
    .getByRole('button', { name: /^Import .*Memo from another app/ })
    .click();

/**
 * Sends a file to the app as the system's share sheet does: posts the form that the manifest declares, as a
 * navigation.
 */
async function share(page: Page, file: typeof memo): Promise<void> {
  await untilSaved(page);
  await page.evaluate(async () => {
    interface Manifest {
      share_target: {
        action: string;
        method: string;
        enctype: string;
        params: { files: { name: string }[] };
      };
    }
    const {
      share_target: { action, method, enctype, params },
    } = (await (await fetch('/manifest.webmanifest')).json()) as Manifest;
    const form = Object.assign(document.createElement('form'), { action, method, enctype });
    form.append(
      Object.assign(document.createElement('input'), {
        type: 'file',
        name: params.files[0]?.name ?? '',
        id: 'shared-by-the-system',
      }),
    );
    document.body.append(form);
  });
  await page.locator('#shared-by-the-system').setInputFiles(file);
  await page.evaluate(() =>
    document.querySelector<HTMLInputElement>('#shared-by-the-system')?.form?.submit(),
  );
}

test('a file shared by another app opens the library and is imported once, bit for bit', async ({ page }) => {
  await signUp(page);
  await share(page, memo);
  await expect(page).toHaveURL(/\/library$/);
  await importShared(page);
  await expect(imports(page).getByRole('listitem').filter({ hasText: memo.name })).toContainText('Imported', {
    timeout: 60_000,
  });
  const [recording, another] = await listed(page);
  expect(another).toBeUndefined();
  expect(recording).toMatchObject({ title: 'Memo from another app', source: 'import' });
  const original = await page.request.get(`/api/recordings/${recording?.id ?? ''}/original`);
  expect(
    createHash('sha256')
      .update(await original.body())
      .digest('hex'),
  ).toBe(createHash('sha256').update(memo.buffer).digest('hex'));

  await page.reload();
  await expect(page.getByRole('main').getByRole('link', { name: 'Memo from another app' })).toBeVisible();
  expect(await listed(page)).toHaveLength(1);
});

test('a file shared by a signed-out user waits until they sign in', async ({ page }) => {
  await share(page, memo);
  await expect(page).toHaveURL(/\/library$/);
  await importShared(page);
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Email' })).toBeVisible();
  await page.keyboard.press('Escape');
  await signUp(page);
  await expect
    .poll(async () => (await listed(page)).map(({ title, state }) => [title, state]), { timeout: 60_000 })
    .toEqual([['Memo from another app', 'ready']]);
});

test('a shared file survives pages that close before it is read, and is imported once', async ({
  page,
  consoleGuard,
}) => {
  // A page that is importing asks before it unloads. Without a user gesture, Chromium blocks that dialog and logs
  // a message.
  consoleGuard.allow(/Blocked attempt to show a 'beforeunload'/);
  await signUp(page);
  await share(page, memo);
  await page.waitForURL('**/library', { waitUntil: 'commit' });
  for (const address of ['/', '/library', '/settings', '/library'])
    await page.goto(address, { waitUntil: 'commit' });
  await importShared(page);
  await expect
    .poll(async () => (await listed(page)).map(({ title, state }) => [title, state]), { timeout: 60_000 })
    .toEqual([['Memo from another app', 'ready']]);
  await page.reload();
  await expect(page.getByRole('main').getByRole('link', { name: 'Memo from another app' })).toBeVisible();
  expect(await listed(page)).toHaveLength(1);
});

test('reports in the library that a shared file did not fit on this device; choosing it there imports it', async ({
  page,
  browserContext,
  server,
}) => {
  await signUp(page);
  await untilSaved(page);
  const devtools = await browserContext.newCDPSession(page);
  const setQuota = async (quotaSize: number) =>
    devtools.send('Storage.overrideQuotaForOrigin', { origin: new URL(server.url).origin, quotaSize });
  await setQuota(1000);
  await share(page, memo);
  await expect(page.getByText('Couldn’t save the shared file on this device.')).toBeVisible();
  await expect(page).toHaveURL(/\/library$/);
  await setQuota(1_000_000_000);
  await page.locator('input[data-import=files]').setInputFiles(memo);
  await expect(imports(page).getByRole('listitem').filter({ hasText: memo.name })).toContainText('Imported', {
    timeout: 60_000,
  });
});

/** Serves a page on another origin of this machine that fills the file field of its form and submits it on load. */
async function hostilePage(
  target: string,
  { fileCount, hidesReferrer }: { fileCount: number; hidesReferrer: boolean },
): Promise<{ url: string; close: () => void }> {
  const html = `<!doctype html><title>Hostile</title>${hidesReferrer ? '<meta name="referrer" content="no-referrer">' : ''}
    <form method="post" enctype="multipart/form-data" action="${target}/shared"><input type="file" name="files" multiple></form>
    <script>
      const files = new DataTransfer();
      for (let index = 0; index < ${fileCount}; index += 1) files.items.add(new File([new Uint8Array(2000)], 'hostile ' + index + '.wav', { type: 'audio/wav' }));
      document.querySelector('input').files = files.files;
      document.forms[0].submit();
    </script>`;
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

test('S4: rejects files posted by another site; if it hides its origin, a limited number wait for a press', async ({
  page,
  server,
}) => {
  await signUp(page);
  await untilSaved(page);
  const visit = async (options: { fileCount: number; hidesReferrer: boolean }) => {
    const hostile = await hostilePage(server.url, options);
    await page.goto(hostile.url, { waitUntil: 'commit' });
    await page.waitForURL(/\/library$/);
    hostile.close();
  };
  await visit({ fileCount: 1, hidesReferrer: false });
  await expect(
    page.getByText('Another website tried to add files to your library. None were added.'),
  ).toBeVisible();
  await expect(imports(page)).toBeHidden();

  await visit({ fileCount: limits.shared.files + 1, hidesReferrer: true });
  await expect(
    page.getByText('Too many files are already waiting, or they’re too large together.'),
  ).toBeVisible();
  await expect(imports(page)).toBeHidden();

  await visit({ fileCount: 2, hidesReferrer: true });
  await expect(imports(page).getByText('Another app or page shared 2 files')).toBeVisible();
  await page.reload();
  await expect(imports(page).getByRole('listitem').filter({ hasText: 'Not imported yet' })).toHaveCount(2);
  expect(await listed(page)).toEqual([]);
  await imports(page).getByRole('button', { name: 'Discard all' }).click();
  await expect(imports(page)).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(imports(page)).toBeHidden();
  expect(await listed(page)).toEqual([]);
});
