import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTakeWorker } from './take-worker.ts';

class FakeWorker extends EventTarget {
  static last: FakeWorker;
  isTerminated = false;
  postMessage = vi.fn<() => void>();
  constructor() {
    super();
    FakeWorker.last = this;
  }
  terminate(): void {
    this.isTerminated = true;
  }
}

let page: EventTarget;

beforeEach(() => {
  page = new EventTarget();
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const started = (): FakeWorker => {
  startTakeWorker({ onMessage: () => undefined, onBroken: () => undefined });
  return FakeWorker.last;
};

test('a page that is left while its take runs does not end the worker', () => {
  const worker = started();
  page.dispatchEvent(new Event('pagehide'));
  expect(worker.isTerminated).toBe(false);
});

test('a page that is left after Stop gives its take to the next page', () => {
  const worker = started();
  worker.dispatchEvent(
    new MessageEvent('message', { data: { type: 'stopped', takeId: 'a', durationMs: 1 } }),
  );
  expect(worker.isTerminated).toBe(false);
  page.dispatchEvent(new Event('pagehide'));
  expect(worker.isTerminated).toBe(true);
});
