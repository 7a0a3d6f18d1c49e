import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Outbox, type OutboxStore, type SendResult } from './outbox.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** The state that outlives every page: the browser's disk, its cookie, and the server. */
class World {
  readonly disk = new Map<string, OutboxEntry>();
  readonly server = new Map<string, { positionMs: number; userId: string }>();
  readonly stars = new Map<string, { isFavourite: boolean; userId: string }>();
  readonly wrongSessions: string[] = [];
  signedIn: string | null = 'alice';
  isOffline = false;
  lockOwner: Page | null = null;
  ids = 0;
}

const keyOf = ({ userId, kind, target }: OutboxEntry): string => `${userId} ${kind} ${target}`;

/** A page that may be killed, or whose session may change, before or after each of its steps. */
class Page {
  readonly world: World;
  readonly outbox: Outbox;
  readonly userId: string | null;
  steps = 0;
  isDead = false;
  isDiskFull = false;
  #onStep: (step: number, page: Page) => void;
  #timers: (() => void)[] = [];

  constructor(world: World, onStep: (step: number, page: Page) => void = () => undefined) {
    this.world = world;
    this.userId = world.signedIn;
    this.#onStep = onStep;
    const store: OutboxStore = {
      list: (userId) =>
        this.#step(() =>
          [...world.disk.values()]
            .filter((entry) => entry.userId === userId)
            .toSorted((a, b) => a.createdAtMs - b.createdAtMs),
        ),
      put: (entry) =>
        this.#step(() => {
          if (this.isDiskFull) throw new DOMException('full', 'QuotaExceededError');
          world.disk.set(keyOf(entry), entry);
        }),
      has: (entry) => this.#step(() => world.disk.get(keyOf(entry))?.id === entry.id),
      settle: (entry) =>
        this.#step(() => {
          if (world.disk.get(keyOf(entry))?.id === entry.id) world.disk.delete(keyOf(entry));
        }),
    };
    this.outbox = new Outbox({
      store,
      userId: () => world.signedIn,
      send: (entry) => this.#send(entry),
      withLock: async (_name, work) => {
        while (world.lockOwner !== null && !world.lockOwner.isDead) await this.#step(() => undefined);
        world.lockOwner = this;
        try {
          return await work();
        } finally {
          if (!this.isDead) world.lockOwner = null;
        }
      },
      schedule: (_delayMs, work) => {
        this.#timers.push(work);
      },
    });
  }

  move(target: string, positionMs: number): Promise<void> {
    const { world } = this;
    world.ids += 1;
    return this.outbox.add({
      id: `${world.ids}`,
      userId: this.userId ?? '',
      kind: 'position',
      target,
      payload: { positionMs, heardAtMs: world.ids, playerId: 'player' },
      createdAtMs: world.ids,
    });
  }

  star(target: string, isFavourite: boolean): Promise<void> {
    const { world } = this;
    world.ids += 1;
    return this.outbox.enqueue({
      id: `${world.ids}`,
      userId: this.userId ?? '',
      kind: 'favourite',
      target,
      payload: { isFavourite },
      createdAtMs: world.ids,
    });
  }

  /** Ends the wait that was scheduled last, if any. */
  async passTime(): Promise<void> {
    this.#timers.splice(0).at(-1)?.();
    await settled();
  }

  /** The request names the user whom the page believes to be signed in. The server rejects any other session. */
  #send(entry: OutboxEntry): Promise<SendResult> {
    const { world } = this;
    const expected = world.signedIn;
    return this.#step((): SendResult => {
      if (world.isOffline) return 'unreachable';
      if (world.signedIn === null || world.signedIn !== expected) return 'other-session';
      if (world.signedIn !== entry.userId) world.wrongSessions.push(entry.id);
      if (entry.kind === 'position')
        world.server.set(entry.target, {
          positionMs: entry.payload.positionMs,
          userId: world.signedIn,
        });
      if (entry.kind === 'favourite')
        world.stars.set(entry.target, { ...entry.payload, userId: world.signedIn });
      // The user has to resolve the conflict.
      return entry.kind === 'note' ? 'not-yet' : 'settled';
    });
  }

  /**
   * One effect on the world. The page may be killed before the effect, or after it and before the page knows its
   * result.
   */
  async #step<Result>(effect: () => Result): Promise<Result> {
    await this.#pass();
    const result = effect();
    await this.#pass();
    return result;
  }

  async #pass(): Promise<void> {
    await Promise.resolve();
    this.steps += 1;
    this.#onStep(this.steps, this);
    if (this.isDead) await new Promise<never>(() => undefined);
  }
}

const settled = async (): Promise<void> => {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
};

/** Alice's changes on one page. */
async function journey(page: Page): Promise<void> {
  await page.move('a', 1);
  await page.move('b', 3);
  await page.star('c', true);
  await page.move('a', 2);
  await page.star('c', false);
  await page.outbox.flush();
}

async function stepsOfJourney(isOffline: boolean): Promise<number> {
  const world = new World();
  world.isOffline = isOffline;
  const page = new Page(world);
  await journey(page);
  return page.steps;
}

/** A later visit with a connection, by Alice or another user. */
async function visit(world: World, userId: string): Promise<void> {
  world.signedIn = userId;
  world.isOffline = false;
  await new Page(world).outbox.flush();
}

const positions = ({ server }: World) =>
  Object.fromEntries([...server].map(([id, { positionMs }]) => [id, positionMs]));

describe.each([false, true])('a page that is offline: %s', (isOffline) => {
  test('loses no stored change and sends the last change last, even if it is killed at any step', async () => {
    const steps = await stepsOfJourney(isOffline);
    expect(steps).toBeGreaterThan(10);
    for (let at = 1; at <= steps; at += 1) {
      const world = new World();
      world.isOffline = isOffline;
      const page = new Page(world, (step, self) => {
        self.isDead ||= step === at;
      });
      void journey(page);
      await settled();
      const stored = [...world.disk.values()];
      await visit(world, 'alice');
      expect(world.disk.size).toBe(0);
      for (const { kind, target, payload } of stored)
        expect(payload).toMatchObject(
          kind === 'favourite'
            ? { isFavourite: world.stars.get(target)?.isFavourite }
            : { positionMs: positions(world)[target] },
        );
      expect(world.wrongSessions).toEqual([]);
    }
  });

  test('sends changes only as their own user, even if another user signs in at any step', async () => {
    const steps = await stepsOfJourney(isOffline);
    for (const other of ['bob', null])
      for (let at = 1; at <= steps; at += 1) {
        const world = new World();
        world.isOffline = isOffline;
        const page = new Page(world, (step) => {
          if (step === at) world.signedIn = other;
        });
        await journey(page);
        await visit(world, 'bob');
        await page.outbox.flush();
        expect(world.wrongSessions).toEqual([]);
        await visit(world, 'alice');
        expect({ at, ...positions(world) }).toEqual({ at, a: 2, b: 3 });
        expect(world.stars.get('c')).toEqual({ isFavourite: false, userId: 'alice' });
        expect(world.disk.size).toBe(0);
      }
  });

  test('sends changes only as their own user, even if it is killed and another user signs in at any two steps', async () => {
    const steps = await stepsOfJourney(isOffline);
    await fc.assert(
      fc.asyncProperty(fc.nat(steps), fc.nat(steps), async (killAt, signInAt) => {
        const world = new World();
        world.isOffline = isOffline;
        const page = new Page(world, (step, self) => {
          if (step === signInAt) world.signedIn = 'bob';
          self.isDead ||= step === killAt;
        });
        void journey(page);
        await settled();
        await visit(world, 'bob');
        expect(world.wrongSessions).toEqual([]);
        await visit(world, 'alice');
        expect(world.disk.size).toBe(0);
        for (const { userId } of [...world.server.values(), ...world.stars.values()])
          expect(userId).toBe('alice');
      }),
    );
  });
});

describe('two pages', () => {
  test('of one user send the last change last, even if the first page is killed at any step', async () => {
    for (let at = 1; at <= 40; at += 1) {
      const world = new World();
      const first = new Page(world, (step, self) => {
        self.isDead ||= step === at;
      });
      void first.star('c', true);
      await settled();
      const second = new Page(world);
      await second.star('c', false);
      await settled();
      await visit(world, 'alice');
      expect({ at, star: world.stars.get('c')?.isFavourite }).toEqual({ at, star: false });
      expect(world.disk.size).toBe(0);
    }
  });
});

describe('one page', () => {
  test('sends other changes while a note waits for its user, and does not lose the note', async () => {
    const world = new World();
    const page = new Page(world);
    const payload = { recordingId: 'r', noteId: 'n', fromMs: 0, toMs: null, text: 'Mine' };
    const note: OutboxEntry = {
      id: 'note',
      userId: 'alice',
      kind: 'note',
      target: 'draft',
      payload: { ...payload, revision: 1, sentText: null },
      createdAtMs: 0,
    };
    await page.outbox.store(note);
    await page.star('c', true);
    for (let flushes = 0; flushes < 3; flushes += 1) await page.outbox.flush();
    expect([[...world.disk.values()], world.stars.size]).toEqual([[note], 1]);
    await page.outbox.drop(note);
    expect(world.disk.size).toBe(0);
  });

  test('sends a change immediately, without waiting for the disk', async () => {
    const world = new World();
    const page = new Page(world);
    void page.move('a', 1);
    for (let beat = 0; beat < 4; beat += 1) await Promise.resolve();
    expect(positions(world)).toEqual({ a: 1 });
  });

  test('sends two changes of one target in order, even if the first takes long', async () => {
    const sent: unknown[] = [];
    const outbox = new Outbox({
      store: { list: async () => [], put: async () => {}, has: async () => true, settle: async () => {} },
      userId: () => 'alice',
      send: async ({ id }) => {
        if (id === 'first') await settled();
        sent.push(id);
        return 'settled';
      },
      withLock: (_name, work) => work(),
      schedule: () => {},
    });
    const payload = { positionMs: 1, heardAtMs: 1, playerId: 'player' };
    const add = (id: string) =>
      outbox.add({ id, userId: 'alice', kind: 'position', target: 'a', payload, createdAtMs: 1 });
    await Promise.all([add('first'), add('second')]);
    expect(sent).toEqual(['first', 'second']);
  });

  test('does not send a change that was written again after the flush read it', async () => {
    const sent: string[] = [];
    const disk = new Map<string, OutboxEntry>();
    const release = Promise.withResolvers<void>();
    const outbox = new Outbox({
      store: {
        list: async () => [...disk.values()],
        put: async (entry) => {
          disk.set(keyOf(entry), entry);
        },
        has: async (entry) => disk.get(keyOf(entry))?.id === entry.id,
        settle: async (entry) => {
          if (disk.get(keyOf(entry))?.id === entry.id) disk.delete(keyOf(entry));
        },
      },
      userId: () => 'alice',
      send: async ({ id }) => {
        if (id === 'slow') await release.promise;
        sent.push(id);
        return 'settled';
      },
      withLock: (_name, work) => work(),
      schedule: () => {},
    });
    const payload = { positionMs: 1, heardAtMs: 1, playerId: 'player' };
    const change = (id: string, target: string): OutboxEntry => ({
      id,
      userId: 'alice',
      kind: 'position',
      target,
      payload,
      createdAtMs: 1,
    });
    for (const entry of [change('slow', 'a'), change('old', 'b')]) disk.set(keyOf(entry), entry);
    const flushed = outbox.flush();
    await settled();
    await outbox.add(change('new', 'b'));
    release.resolve();
    await flushed;
    expect(sent).toEqual(['new', 'slow']);
    expect(disk.size).toBe(0);
  });

  test('flushes a source with the entries, and retries it after a wait when the server fails', async () => {
    const world = new World();
    const page = new Page(world);
    const answers = [true, false];
    const flushed: string[] = [];
    page.outbox.addSource(async (userId) => {
      flushed.push(userId);
      return answers.shift() ?? false;
    });
    await page.outbox.flush();
    await page.passTime();
    expect(flushed.length).toBeGreaterThanOrEqual(2);
    const before = flushed.length;
    await page.passTime();
    expect([new Set(flushed), flushed.length]).toEqual([new Set(['alice']), before]);
    world.signedIn = null;
    await page.outbox.flush();
    expect(flushed).toHaveLength(before);
  });

  test('flushes no source when an entry is added', async () => {
    const page = new Page(new World());
    let flushes = 0;
    page.outbox.addSource(async () => {
      flushes += 1;
      return false;
    });
    await settled();
    await page.star('c', true);
    await settled();
    expect([flushes, page.world.stars.size]).toEqual([1, 1]);
    await page.outbox.flush();
    expect(flushes).toBe(2);
  });

  test('rejects a change that neither the disk nor the server accepts', async () => {
    const world = new World();
    const page = new Page(world);
    page.isDiskFull = true;
    const entry = { id: 'x', userId: 'alice', target: 'a', createdAtMs: 1 } as const;
    const payload = { positionMs: 1, heardAtMs: 1, playerId: 'player' };
    const change: OutboxEntry = { ...entry, kind: 'position', payload };
    await page.outbox.add(change);
    expect(positions(world)).toEqual({ a: 1 });
    world.isOffline = true;
    await expect(page.outbox.add(change)).rejects.toThrow('full');
  });
});
