import { expect, test } from 'vitest';
import { ObservedStore } from './observed-store.ts';
import { entryKeyOf, type OutboxStore } from './outbox.ts';
import { newEntry, type OutboxEntry } from './outbox-entry.ts';

const star = (target: string, isFavourite: boolean, userId = 'ana'): OutboxEntry =>
  newEntry({ userId, kind: 'favourite', target, payload: { isFavourite } });

/** Two tabs of one browser with one disk. */
function setUp() {
  const disk = new Map<string, OutboxEntry>();
  const world = { viewer: 'ana' as string | null, isDiskFull: false, notifications: 0 };
  const tabs: ObservedStore[] = [];
  const store: OutboxStore = {
    list: async (userId) => {
      const now = [...disk.values()];
      await Promise.resolve();
      return now.filter((entry) => entry.userId === userId);
    },
    put: async (entry) => {
      await Promise.resolve();
      if (world.isDiskFull) throw new Error('full');
      disk.set(entryKeyOf(entry), entry);
    },
    has: async (entry) => disk.get(entryKeyOf(entry))?.id === entry.id,
    settle: async (entry) => {
      await Promise.resolve();
      if (disk.get(entryKeyOf(entry))?.id === entry.id) disk.delete(entryKeyOf(entry));
    },
  };
  const openTab = (): ObservedStore => {
    const tab = new ObservedStore({
      store,
      viewerId: () => world.viewer,
      isShown: ({ kind }) => kind !== 'position',
      notify: () => {
        world.notifications += 1;
        for (const other of tabs) if (other !== tab) void other.refresh();
      },
    });
    tabs.push(tab);
    return tab;
  };
  return { world, disk, openTab };
}

const shown = (tab: ObservedStore): unknown[] =>
  tab.entries.getSnapshot().map(({ target, payload }) => [target, ...Object.values(payload)]);
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

test('shows a change before it is stored, then in the other tab, and again after a reload', async () => {
  const { openTab } = setUp();
  const [tab, other] = [openTab(), openTab()];
  const stored = tab.put(star('a', true));
  expect([shown(tab), shown(other)]).toEqual([[['a', true]], []]);
  await stored;
  await settled();
  const reloaded = openTab();
  await reloaded.refresh();
  expect([shown(other), shown(reloaded)]).toEqual([[['a', true]], [['a', true]]]);
});

test('shows only the last change of a target, and no settled changes', async () => {
  const { openTab } = setUp();
  const [tab, other] = [openTab(), openTab()];
  const [first, second] = [star('a', true), star('a', false)];
  await Promise.all([tab.put(first), tab.put(second)]);
  await tab.settle(first);
  await settled();
  expect([shown(tab), shown(other)]).toEqual([[['a', false]], [['a', false]]]);
  await tab.settle(second);
  await settled();
  expect([shown(tab), shown(other)]).toEqual([[], []]);
});

test('shows a change that is made while entries are being read from the disk', async () => {
  const { openTab, disk } = setUp();
  const tab = openTab();
  const before = star('a', true);
  disk.set(entryKeyOf(before), before);
  const read = tab.refresh();
  const stored = tab.put(star('b', true));
  const settling = tab.settle(before);
  await Promise.all([read, stored, settling]);
  await settled();
  expect(shown(tab)).toEqual([['b', true]]);
});

test('stores an entry that no screen shows without notifying the other tab', async () => {
  const { world, disk, openTab } = setUp();
  const [tab, other] = [openTab(), openTab()];
  const payload = { positionMs: 1, heardAtMs: 1, playerId: 'player' };
  const entry = newEntry({ userId: 'ana', kind: 'position', target: 'a', payload });
  await tab.put(entry);
  await other.refresh();
  expect([disk.size, shown(tab), shown(other)]).toEqual([1, [], []]);
  await tab.settle(entry);
  expect([disk.size, world.notifications]).toEqual([0, 0]);
});

test('shows no entries of the previous user, and shows them again when that user returns', async () => {
  const { world, openTab } = setUp();
  const tab = openTab();
  await tab.refresh();
  await tab.put(star('a', true));
  world.viewer = 'bob';
  await tab.put(star('b', true, 'bob'));
  expect(shown(tab)).toEqual([['b', true]]);
  await tab.refresh();
  expect(shown(tab)).toEqual([['b', true]]);
  world.viewer = null;
  void tab.refresh();
  expect(shown(tab)).toEqual([]);
  world.viewer = 'ana';
  await tab.refresh();
  expect(shown(tab)).toEqual([['a', true]]);
});
