import { createHash } from 'node:crypto';
import { openssl } from '#tests/support/gate-proxy.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { expect, firstAddress, gateKinds, test } from './gated-test.ts';
import { signInInPopup } from './provider-test.ts';
import {
  expectWhole,
  isSignedIn,
  onlyReadyRecording,
  signUpOnScreen,
  startTake,
  stopTake,
  untilClock,
  untilSaved,
} from './steps.ts';

for (const gateKind of gateKinds)
  test.describe(`behind nginx (${gateKind})`, () => {
    test.use({ gateKind });
    test.skip(gateKind === 'tls' && openssl === null, 'openssl is not installed');
    test('uploads a take completely while it runs', async ({ gated: { page, url } }) => {
      await page.goto(firstAddress(gateKind, url));
      await signUpOnScreen(page);
      await startTake(page);
      await expect(page.getByText('Saved on the server')).toBeVisible({ timeout: 30_000 });
      await untilClock(page, 3000);
      await stopTake(page);
      await expectWhole(page, await onlyReadyRecording(page), 3000);
    });

    test('signs in with a provider and keeps the session after a reload', async ({
      gated: { page, url },
    }) => {
      await page.goto(firstAddress(gateKind, url));
      await page.goto(`${url}/sign-in`);
      await signInInPopup(page, { press: 'Continue with Village ID', user: 'ann' });
      await expect(page.getByRole('button', { name: /Ann of the village.*’s account/ })).toBeVisible();
      await page.reload();
      expect(await isSignedIn(page)).toBe(true);
    });

    test('imports a file, plays it and downloads it unchanged', async ({ gated: { page, url } }) => {
      const walk = makeWav({ seconds: 4, seed: 7 });
      await page.goto(firstAddress(gateKind, url));
      await signUpOnScreen(page);
      await page.getByRole('link', { name: 'Library', exact: true }).first().click();
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'Walk.wav', mimeType: 'audio/wav', buffer: walk });
      await expect(
        page.getByRole('region', { name: 'Imports' }).getByRole('listitem').filter({ hasText: 'Walk.wav' }),
      ).toContainText('Imported', { timeout: 60_000 });
      const { id } = await onlyReadyRecording(page);
      const answered = await page.evaluate(async (recordingId) => {
        const audio = Object.assign(new Audio(`/api/recordings/${recordingId}/audio`), { muted: true });
        const ended = new Promise((resolve, reject) => {
          audio.addEventListener('ended', resolve);
          audio.addEventListener('error', () => {
            reject(new Error(audio.error?.message));
          });
        });
        await audio.play();
        await ended;
        const original = await fetch(`/api/recordings/${recordingId}/original`);
        const digest = await crypto.subtle.digest('SHA-256', await original.arrayBuffer());
        return {
          playedSeconds: audio.currentTime,
          sha256: Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join(''),
        };
      }, id);
      expect(answered.playedSeconds).toBeCloseTo(4, 1);
      expect(answered.sha256).toBe(createHash('sha256').update(walk).digest('hex'));
    });
  });

for (const gateKind of ['redirect', 'unauthorized'] as const)
  test.describe(`an authenticating proxy (${gateKind}) whose session expires during a take`, () => {
    test.use({ gateKind });
    test('is named on the screen, loses nothing, and a button after Stop leads to its sign-in and back', async ({
      gated: { page, url },
    }) => {
      await page.goto(firstAddress(gateKind, url));
      await signUpOnScreen(page);
      await untilSaved(page);
      await startTake(page);
      await expect(page.getByText('Saved on the server')).toBeVisible({ timeout: 30_000 });
      await page.context().clearCookies({ name: 'gate' });
      await expect(page.getByText('sign in to your network first')).toBeVisible({ timeout: 30_000 });
      const button = page.getByRole('button', { name: 'Go to sign-in page' });
      await expect(button).toBeHidden();
      await untilClock(page, 6000);
      await stopTake(page);
      await expect(button).toBeVisible({ timeout: 30_000 });
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await button.click();
      await page.getByRole('link', { name: 'Sign in at the gate' }).click();
      await expect(page).toHaveURL(`${url}/`);
      await expectWhole(page, await onlyReadyRecording(page), 6000);
      await expect(button).toBeHidden();
    });
  });
