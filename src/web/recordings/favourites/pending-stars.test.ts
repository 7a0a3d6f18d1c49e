import { expect, test } from 'vitest';
import { PendingStars } from './pending-stars.ts';

class Rejected extends Error {}

/** Two tabs of one browser, and a server that answers, refuses or cannot be reached. */
function setUp() {
  const world = {
    stored: null as string | null,
    viewer: 'ana' as string | null,
    sender: 'ana' as string | null,
    server: 'there' as 'there' | 'gone' | 'refusing',
  };
  const sent: [string, boolean][] = [];
  const saved: [string, boolean][] = [];
  const rejected: unknown[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const openTab = () =>
    new PendingStars({
      viewerId: () => world.viewer,
      senderId: () => world.sender,
      read: () => JSON.parse(world.stored ?? 'null') as unknown,
      write: (text) => {
        world.stored = text;
      },
      alone: (work) => {
        const done = last.then(work);
        last = done;
        return done;
      },
      async send(id, isFavourite) {
        if (world.server === 'gone') throw new Error('offline');
        sent.push([id, isFavourite]);
        if (world.server === 'refusing') throw new Rejected();
        await Promise.resolve();
      },
      isPassing: (error) => !(error instanceof Rejected),
      onSaved: (id, isFavourite) => {
        saved.push([id, isFavourite]);
      },
      onRejected: (error) => {
        rejected.push(error);
      },
    });
  return { world, sent, saved, rejected, openTab };
}

const shown = (tab: PendingStars) => [...tab.stars.getSnapshot()];

test('a star is shown at once, and is no longer pending once the server has it', async () => {
  const { world, sent, saved, openTab } = setUp();
  const tab = openTab();
  const done = tab.set('a', true);
  expect(shown(tab)).toEqual([['a', true]]);
  await done;
  expect([shown(tab), world.stored, sent, saved]).toEqual([[], null, [['a', true]], [['a', true]]]);
});

test('without a connection it stays, also after a reload, and is sent once, as it was wanted last', async () => {
  const { world, sent, openTab } = setUp();
  world.server = 'gone';
  const tab = openTab();
  await tab.set('a', true);
  await tab.set('b', true);
  await tab.set('a', false);
  const reloaded = openTab();
  expect(shown(reloaded)).toEqual([
    ['a', false],
    ['b', true],
  ]);
  world.server = 'there';
  await Promise.all([tab.send(), reloaded.send(), tab.send()]);
  expect([sent, shown(reloaded), world.stored]).toEqual([
    [
      ['a', false],
      ['b', true],
    ],
    [],
    null,
  ]);
});

test('one that the server refuses goes back and says so; the others are still sent', async () => {
  const { world, rejected, saved, openTab } = setUp();
  world.server = 'gone';
  const tab = openTab();
  await tab.set('a', true);
  world.server = 'refusing';
  await tab.send();
  expect([shown(tab), world.stored, rejected.length, saved]).toEqual([[], null, 1, []]);
  world.server = 'there';
  await tab.set('b', true);
  expect(saved).toEqual([['b', true]]);
});

test('a star that is changed while it is being sent is sent again as it is wanted then', async () => {
  const { sent, openTab } = setUp();
  const tab = openTab();
  await Promise.all([tab.set('a', true), tab.set('a', false)]);
  expect([sent.at(-1), shown(tab)]).toEqual([['a', false], []]);
});

test('what one person wants is neither shown to another nor sent for them', async () => {
  const { world, sent, openTab } = setUp();
  world.sender = null;
  const tab = openTab();
  await tab.set('a', true);
  world.viewer = world.sender = 'bob';
  tab.refresh();
  await tab.send();
  expect([shown(tab), sent]).toEqual([[], []]);
  world.viewer = null;
  await tab.set('a', true);
  expect([shown(tab), sent]).toEqual([[], []]);
});

test('what another program stored under the key is nothing', () => {
  const { world, openTab } = setUp();
  for (const stored of [
    '7',
    '"x"',
    '{"userId":"ana"}',
    '{"userId":"ana","stars":[null,["a"],["b",1],["c",true]]}',
  ]) {
    world.stored = stored;
    expect(shown(openTab())).toEqual(stored.includes('"c"') ? [['c', true]] : []);
  }
});

test('recordings that were starred all at once are no longer pending', async () => {
  const { world, openTab } = setUp();
  world.server = 'gone';
  const tab = openTab();
  await tab.set('a', true);
  await tab.set('b', true);
  tab.forget(['a', 'c']);
  expect(shown(tab)).toEqual([['b', true]]);
});
