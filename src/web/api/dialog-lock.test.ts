import { beforeEach, describe, expect, it } from 'vitest';
import { createDialogLock, type DialogLock } from './dialog-lock.ts';

// Node implements Web Locks with the same semantics, within this process.
const { locks } = navigator;
const never = () => undefined;

let tabs: DialogLock[] = [];
const openTab = (): DialogLock => {
  const tab = createDialogLock(locks);
  tabs.push(tab);
  return tab;
};

beforeEach(() => {
  for (const tab of tabs) tab.release();
  tabs = [];
});

describe('the lock for the sign-in dialog', () => {
  it('belongs to one tab at a time', async () => {
    const [a, b] = [openTab(), openTab()];
    expect(await a.take('if-free', never)).toBe(true);
    expect(await b.take('if-free', never)).toBe(false);
  });

  it('passes to a waiting tab when the other tab releases it', async () => {
    const [a, b] = [openTab(), openTab()];
    await a.take('if-free', never);
    const turn = b.take('in-turn', never);
    a.release();
    expect(await turn).toBe(true);
  });

  it('can be taken over at once, which notifies the tab that loses it', async () => {
    const [a, b] = [openTab(), openTab()];
    const lost = Promise.withResolvers<void>();
    await a.take('if-free', lost.resolve);
    expect(await b.take('at-once', never)).toBe(true);
    await lost.promise;
    expect(await a.take('if-free', never)).toBe(false);
  });

  it('is not acquired after the waiting tab has released it', async () => {
    const [a, b] = [openTab(), openTab()];
    await a.take('if-free', never);
    const turn = b.take('in-turn', () => {
      throw new Error('onLost was called without the lock');
    });
    b.release();
    expect(await turn).toBe(false);
  });

  it('is granted to every tab if the browser has no Web Locks', async () => {
    expect(await createDialogLock(undefined).take('if-free', never)).toBe(true);
  });
});
