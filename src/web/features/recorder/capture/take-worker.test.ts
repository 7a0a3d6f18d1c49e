import { beforeEach, expect, test, vi } from 'vitest';

let page: EventTarget;
let ended: string[];
let reloads: number;

class FakeWorker extends EventTarget {
  postMessage(): void {}
  terminate(): void {
    ended.push('take');
  }
}

const turn = (type: 'pagehide' | 'pageshow', persisted: boolean) =>
  page.dispatchEvent(Object.assign(new Event(type), { persisted }));

beforeEach(() => {
  vi.resetModules();
  [page, ended, reloads] = [new EventTarget(), [], 0];
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('location', { reload: () => (reloads += 1) });
  vi.stubGlobal('Worker', FakeWorker);
});

async function recoverHere(): Promise<void> {
  const { startTakeWorker } = await import('./take-worker.ts');
  startTakeWorker({ onMessage: () => {}, onBroken: () => {} }).post({ type: 'recover', takeId: 'a' });
}

test('a page that is stored for “Back” gives up its takes, and loads again when it is shown', async () => {
  await recoverHere();
  turn('pagehide', true);
  expect(ended).toEqual(['take']);
  turn('pageshow', true);
  expect(reloads).toBe(1);
});

test('a page that the browser does not store is left alone', async () => {
  await recoverHere();
  turn('pagehide', false);
  turn('pageshow', false);
  expect([ended, reloads]).toEqual([[], 0]);
});

test('a stored page without a take is shown as it was', async () => {
  await import('./take-worker.ts');
  turn('pagehide', true);
  turn('pageshow', true);
  expect(reloads).toBe(0);
});
