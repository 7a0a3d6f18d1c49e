import { beforeEach, expect, test, vi } from 'vitest';

/** As much of `Storage` as is used: its keys are its own properties. */
const emptyStore = (): Record<string, unknown> =>
  Object.create({
    getItem(this: Record<string, unknown>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, unknown>, key: string, text: string) {
      this[key] = text;
    },
    removeItem(this: Record<string, unknown>, key: string) {
      Reflect.deleteProperty(this, key);
    },
  }) as Record<string, unknown>;

let held: Set<string>;
let store: Record<string, unknown>;

/** Opens a page of a browser with that version. The notes of earlier pages are stored. */
async function openPage(version = 'WebKitGTK/2.50') {
  vi.resetModules();
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('navigator', {
    userAgent: version,
    locks: {
      query: async () => ({ held: [...held].map((name) => ({ name })) }),
      request: async (name: string, work: () => Promise<void>) => {
        held.add(name);
        await work();
        held.delete(name);
      },
    },
  });
  const { withRiskNoted } = await import('./risk-notes.ts');
  return { withRiskNoted, leave: () => page.dispatchEvent(new Event('pagehide')) };
}

/** Starts work that never ends, and resolves once it runs. */
async function startWork(
  { withRiskNoted }: Awaited<ReturnType<typeof openPage>>,
  kind: string,
): Promise<void> {
  const started = Promise.withResolvers<null>();
  void withRiskNoted(kind, () => {
    started.resolve(null);
    return new Promise<never>(() => undefined);
  });
  await started.promise;
}

/** The system ends the page and releases its locks. */
const die = (): void => held.clear();

beforeEach(() => {
  held = new Set();
  store = emptyStore();
  vi.stubGlobal('localStorage', store);
});

test('work during which a page died is not done again; other work is', async () => {
  await startWork(await openPage(), 'decode ogg/opus');
  die();
  const { withRiskNoted } = await openPage();
  const work = vi.fn<() => Promise<string>>(async () => 'peaks');
  expect(await withRiskNoted('decode ogg/opus', work)).toBeNull();
  expect(work).not.toHaveBeenCalled();
  expect(await withRiskNoted('decode wav/pcm-s16', work)).toBe('peaks');
});

test('another version of the browser tries again, and forgets', async () => {
  await startWork(await openPage(), 'decode ogg/opus');
  die();
  const { withRiskNoted } = await openPage('WebKitGTK/2.52');
  expect(await withRiskNoted('decode ogg/opus', async () => 'peaks')).toBe('peaks');
  expect(Object.keys(store)).toEqual([]);
});

test('work that succeeds or fails leaves no note', async () => {
  const { withRiskNoted } = await openPage();
  await withRiskNoted('decode ogg/opus', async () => {
    expect(Object.keys(store)).toHaveLength(1);
  });
  await expect(
    withRiskNoted('decode ogg/opus', () => Promise.reject(new Error('not decodable'))),
  ).rejects.toThrow('not decodable');
  expect(Object.keys(store)).toEqual([]);
  expect(await (await openPage()).withRiskNoted('decode ogg/opus', async () => 'peaks')).toBe('peaks');
});

test('a page that was left during work did not die', async () => {
  const page = await openPage();
  await startWork(page, 'decode ogg/opus');
  page.leave();
  die();
  expect(await (await openPage()).withRiskNoted('decode ogg/opus', async () => 'peaks')).toBe('peaks');
});

test('work that another page is doing now says nothing about it', async () => {
  await startWork(await openPage(), 'decode ogg/opus');
  expect(await (await openPage()).withRiskNoted('decode ogg/opus', async () => 'peaks')).toBe('peaks');
});

test('works without a store and without locks', async () => {
  const { withRiskNoted } = await openPage();
  vi.stubGlobal('localStorage', undefined);
  vi.stubGlobal('navigator', { userAgent: 'WebKitGTK/2.50' });
  expect(await withRiskNoted('decode ogg/opus', async () => 'peaks')).toBe('peaks');
});
