import type { Page } from '@playwright/test';
import { portalWords } from '#tests/support/gate-proxy.ts';
import { expect, test } from './gated-test.ts';
import {
  expectWhole,
  onlyReadyRecording,
  signUpOnScreen,
  startTake,
  stopTake,
  untilClock,
  untilSaved,
} from './steps.ts';

/** The URLs of all cached files that contain the portal's text, and the number of cached files. */
const cached = (page: Page): Promise<{ foreign: string[]; files: number }> =>
  page.evaluate(async (words) => {
    const found: { foreign: string[]; files: number } = { foreign: [], files: 0 };
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        found.files += 1;
        if (((await (await cache.match(request))?.text()) ?? '').includes(words))
          found.foreign.push(request.url);
      }
    }
    return found;
  }, portalWords);

for (const gateKind of ['portal-page', 'portal-redirect'] as const)
  test.describe(`a captive portal (${gateKind})`, () => {
    test.use({ gateKind });

    test('that closes during a take is named and loses nothing; the upload finishes once it is open', async ({
      gated: { page, url, proxy },
    }) => {
      proxy.setPortal('open');
      await page.goto(url);
      await signUpOnScreen(page);
      await startTake(page);
      await expect(page.getByText('Saved on the server')).toBeVisible({ timeout: 30_000 });
      proxy.setPortal('closed');
      await expect(page.getByText('sign in to your network first')).toBeVisible({ timeout: 30_000 });
      await untilClock(page, 5000);
      await stopTake(page);
      await expect(page.getByRole('dialog')).toHaveCount(0);
      proxy.setPortal('open');
      await expectWhole(page, await onlyReadyRecording(page), 5000);
    });

    test('does not stop the app from opening from its cache, and its pages are never cached as app files', async ({
      gated: { page, url, proxy },
    }) => {
      proxy.setPortal('open');
      await page.goto(url);
      await untilSaved(page);
      const before = await cached(page);
      expect(before.files).toBeGreaterThan(10);
      // Files that must be fetched again while the portal is closed, and a language not used before.
      await page.evaluate(async () => {
        const cache = await caches.open('shell');
        const assets = (await cache.keys()).filter(({ url: address }) =>
          new URL(address).pathname.startsWith('/assets/'),
        );
        for (const request of assets.slice(0, 5)) await cache.delete(request);
      });
      proxy.setPortal('closed');
      const addresses = await page.evaluate(async () => {
        const answers = await Promise.all(
          ['/assets/language/de-0.js', '/assets/made-up-0.js', '/app-pictures/de'].map(async (address) => {
            const reply = await fetch(address, { redirect: 'manual' }).catch(() => null);
            return reply === null ? 'none' : await reply.text().catch(() => 'unread');
          }),
        );
        return answers.length;
      });
      expect(addresses).toBe(3);
      await page.evaluate(async () => {
        await (await navigator.serviceWorker.ready).update().catch(() => undefined);
      });
      expect((await cached(page)).foreign).toEqual([]);
      proxy.setPortal('open');
      await page.goto(`${url}/?lang=de`);
      await expect(page.locator('html')).toHaveAttribute('lang', 'de');
      expect((await cached(page)).foreign).toEqual([]);
    });

    test('that closes before the first caching leaves nothing in the caches; the app is cached once it is open', async ({
      gated: { page, url, proxy },
    }) => {
      await page.goto(`${url}/portal/page`);
      // The browser has the service worker's script, and none of the files that the worker caches.
      const outcome = await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.register('/service.worker.js');
        const worker = registration.installing ?? registration.waiting ?? registration.active;
        return new Promise<string>((resolve) => {
          const look = () => {
            if (worker === null || worker.state === 'redundant' || worker.state === 'activated')
              resolve(worker?.state ?? 'none');
          };
          worker?.addEventListener('statechange', look);
          look();
        });
      });
      expect(outcome).toBe('redundant');
      expect(await cached(page)).toMatchObject({ foreign: [] });
      proxy.setPortal('open');
      await page.goto(url);
      await untilSaved(page);
      expect((await cached(page)).foreign).toEqual([]);
    });
  });
