import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/earshot-test.ts';
import { onServerSentence, signUp, startTake, stopTake, untilClock } from '#tests/e2e/steps.ts';
import { switchLanguage } from './views.ts';

interface Said {
  urgency: 'polite' | 'assertive';
  text: string;
}

/** Records the text of every live region from now on, once per change. */
async function listen(page: Page): Promise<() => Promise<Said[]>> {
  await page.evaluate(() => {
    const said: Said[] = [];
    Object.assign(globalThis, { said });
    const before = new WeakMap<Element, string>();
    const regions = () =>
      [...document.querySelectorAll('[aria-live], [role=alert], [role=status], output')].filter(
        (region) => region.getAttribute('aria-live') !== 'off' && region.closest('[role=timer]') === null,
      );
    const textOf = (region: Element) => (region.textContent ?? '').replaceAll('\u200B', '').trim();
    const urgencyOf = (region: Element) =>
      region.getAttribute('aria-live') === 'assertive' || region.getAttribute('role') === 'alert'
        ? 'assertive'
        : 'polite';
    const look = (isFirst: boolean) => {
      for (const region of regions()) {
        const text = textOf(region);
        if (!isFirst && text !== '' && before.get(region) !== text)
          said.push({ urgency: urgencyOf(region), text });
        before.set(region, text);
      }
    };
    look(true);
    new MutationObserver(() => {
      look(false);
    }).observe(document.documentElement, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['aria-live'],
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { said: Said[] }).said);
}

/** Waits until a text is announced, and checks that it is announced once and with the right urgency. */
async function expectOnce(
  said: () => Promise<Said[]>,
  text: RegExp,
  urgency: Said['urgency'],
): Promise<void> {
  await expect
    .poll(async () => (await said()).filter((one) => text.test(one.text)).map((one) => one.urgency), {
      message: String(text),
    })
    .toEqual([urgency]);
}

test('announces start and stop once each, the stop with the length and where the recording is stored', async ({
  page,
}) => {
  await signUp(page);
  const said = await listen(page);
  await startTake(page);
  await expectOnce(said, /^Recording started$/, 'polite');
  await untilClock(page, 2000);
  await stopTake(page);
  await expectOnce(said, /^Recording stopped\. [\d.]+ seconds, saved on (the server|this device)$/, 'polite');
  await expect(page.getByText(onServerSentence)).toBeVisible();
  const all = await said();
  expect(
    all.filter(({ urgency }) => urgency === 'assertive'),
    'nothing interrupts the screen reader',
  ).toEqual([]);
  expect(all.filter(({ text }) => /^Recording (started|stopped)/.test(text))).toHaveLength(2);
});

test('offline, the stop says “this device”; the server’s return and the end of the upload are announced once', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await signUp(page);
  await startTake(page);
  await browserContext.setOffline(true);
  await expect(page.getByText('Waiting for a connection', { exact: true })).toBeVisible();
  const said = await listen(page);
  await untilClock(page, 2000);
  await stopTake(page);
  await expectOnce(said, /^Recording stopped\. [\d.]+ seconds, saved on this device$/, 'polite');
  // The page checks the server less often than the upload does, and announces only the return from an outage that
  // it noticed.
  await expect(page.getByText('Can’t reach the server', { exact: true })).toBeVisible();
  await browserContext.setOffline(false);
  await expectOnce(said, /^The server can be reached again$/, 'polite');
  await expectOnce(said, /^Saved on the server$/, 'polite');
});

test('the loss of the microphone interrupts the screen reader once', async ({ page, browserContext }) => {
  await browserContext.addInitScript(() => {
    const { mediaDevices } = navigator;
    const ask = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await ask(constraints);
      Object.assign(globalThis, { track: stream.getAudioTracks()[0] });
      return stream;
    };
  });
  await signUp(page);
  const said = await listen(page);
  await startTake(page);
  await untilClock(page, 1500);
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));
    const { track } = globalThis as unknown as { track: MediaStreamTrack };
    track.stop();
    track.dispatchEvent(new Event('ended'));
  });
  await expectOnce(said, /^Microphone disconnected\. Earshot is looking for another one\.$/, 'assertive');
  await expect(page.getByText('Recording is on hold.')).toBeVisible();
  expect((await said()).filter(({ text }) => text.startsWith('Microphone disconnected'))).toHaveLength(1);
});

test('announcements are in the page’s language, also after a switch during a recording', async ({ page }) => {
  await signUp(page);
  const said = await listen(page);
  await switchLanguage(page, 'de');
  await page.getByRole('button', { name: 'Aufnehmen', exact: true }).click();
  await expectOnce(said, /^Aufnahme gestartet$/, 'polite');
  await switchLanguage(page, 'en');
  await untilClock(page, 1500);
  await stopTake(page);
  await expectOnce(said, /^Recording stopped\. [\d.]+ seconds, saved on (the server|this device)$/, 'polite');
});
