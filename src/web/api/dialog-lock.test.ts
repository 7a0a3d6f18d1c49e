import { beforeEach, describe, expect, it } from 'vitest';
import { createDialogLock, type DialogLock } from './dialog-lock.ts';

// Node has the Web Locks of the browsers: the same ones, within this process.
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

describe('the right to show the sign-in dialog', () => {
  it('is one tab’s at a time', async () => {
    const [a, b] = [openTab(), openTab()];
    expect(await a.take('if-free', never)).toBe(true);
    expect(await b.take('if-free', never)).toBe(false);
  });

  it('comes to the tab that waits for it when the other gives it back', async () => {
    const [a, b] = [openTab(), openTab()];
    await a.take('if-free', never);
    const turn = b.take('in-turn', never);
    a.release();
    expect(await turn).toBe(true);
  });

  it('can be taken over at once, and the tab that loses it hears of that', async () => {
    const [a, b] = [openTab(), openTab()];
    const lost = Promise.withResolvers<void>();
    await a.take('if-free', lost.resolve);
    expect(await b.take('at-once', never)).toBe(true);
    await lost.promise;
    expect(await a.take('if-free', never)).toBe(false);
  });

  it('is not waited for any longer once that was given up', async () => {
    const [a, b] = [openTab(), openTab()];
    await a.take('if-free', never);
    const turn = b.take('in-turn', () => {
      throw new Error('it was never had');
    });
    b.release();
    expect(await turn).toBe(false);
  });

  it('is everybody’s where the browser has no locks', async () => {
    expect(await createDialogLock(undefined).take('if-free', never)).toBe(true);
  });
});
