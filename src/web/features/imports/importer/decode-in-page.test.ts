import { expect, onTestFinished, test, vi } from 'vitest';
import { holdSignInBack } from '#web/api/sign-in-prompt.ts';
import { decodeInPage } from './decode-in-page.ts';

const format = { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 } as const;

/** A browser in which pages hold these locks. */
function stubLocks(held: readonly string[]): void {
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('navigator', {
    userAgent: 'WebKitGTK/2.50',
    locks: {
      query: async () => ({ held: held.map((name) => ({ name })) }),
      request: async (_name: string, work: () => Promise<void>) => work(),
    },
  });
}

test('a file is decoded in the page while no take runs', async () => {
  stubLocks(['import:a']);
  const run = vi.fn<() => Promise<void>>(async () => undefined);
  expect(await decodeInPage(format, run)).toBe(true);
  expect(run).toHaveBeenCalledOnce();
});

test('a file is left to the server while a take runs in this page or in another one', async () => {
  const run = vi.fn<() => Promise<void>>(async () => undefined);
  stubLocks(['recording:b']);
  expect(await decodeInPage(format, run)).toBe(false);
  stubLocks([]);
  holdSignInBack(true);
  onTestFinished(() => {
    holdSignInBack(false);
  });
  expect(await decodeInPage(format, run)).toBe(false);
  expect(run).not.toHaveBeenCalled();
});

test.each(['this page', 'another page'])('a take that starts in %s stops the decoding', async (place) => {
  vi.useFakeTimers();
  stubLocks([]);
  onTestFinished(() => {
    vi.useRealTimers();
    holdSignInBack(false);
  });
  const run = vi.fn<(signal: AbortSignal) => Promise<void>>(
    (signal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
      }),
  );
  const ended = vi.fn<() => void>();
  void decodeInPage(format, run).then(ended);
  await vi.advanceTimersByTimeAsync(5000);
  expect(run).toHaveBeenCalledOnce();
  expect(ended).not.toHaveBeenCalled();
  if (place === 'this page') holdSignInBack(true);
  else stubLocks(['recording:b']);
  await vi.advanceTimersByTimeAsync(1000);
  expect(ended).toHaveBeenCalledOnce();
});
