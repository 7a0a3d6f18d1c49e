import type { Page, Route } from '@playwright/test';
import { expect, test } from './earshot-test.ts';
import {
  audioSlotOf,
  clockMs,
  expectWhole,
  onlyReadyRecording,
  signUp,
  startTake,
  stopTake,
  untilClock,
} from './steps.ts';

const problem = (status: number, code: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: `/problems/${code}`, title: code, status, instance: 'urn:uuid:0', code }),
});

/** What an unreliable network or a faulty proxy does to one request. */
const fates: Record<string, (route: Route) => Promise<unknown>> = {
  answered: (route) => route.continue(),
  'lost on its way': (route) => route.abort('connectionreset'),
  'its answer lost': async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  },
  'delivered twice': async (route) => {
    await route.fetch();
    await route.continue();
  },
  broken: (route) => route.fulfill(problem(500, 'internal')),
  'too large': (route) => route.fulfill(problem(413, 'too-large')),
  'answered by a hotel': (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome to our Wi-Fi</h1>' }),
};

async function audioHashOnDevice(page: Page): Promise<string> {
  return page.evaluate(
    async (name) => {
      const slots = await (await navigator.storage.getDirectory()).getDirectoryHandle('slots');
      const file = await (await slots.getFileHandle(name)).getFile();
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
      return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    await audioSlotOf(page),
  );
}

test('the server stores exactly the bytes of the device, whatever the network does to the upload', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource|ERR_CONNECTION_RESET/);
  await signUp(page);
  const order = Object.keys(fates);
  const met = new Set<string>();
  let calls = 0;
  await page.route(/\/api\/uploads\//, async (route) => {
    calls += 1;
    // Every second request passes, because the retry delays would otherwise exceed the test's timeout.
    const name = calls % 2 === 0 ? 'answered' : (order[((calls - 1) / 2) % order.length] ?? 'answered');
    met.add(name);
    await fates[name]?.(route).catch(() => undefined);
  });
  await startTake(page);
  await untilClock(page, 5000);
  const spokenMs = await clockMs(page);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  await expectWhole(page, recording, spokenMs);
  expect(recording.segments.map(({ sha256 }) => sha256)).toEqual([await audioHashOnDevice(page)]);
  expect([...met].toSorted()).toEqual(order.toSorted());
});
