import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reloadIfStalled } from './stalled-load.ts';

let workers: EventTarget & { controller?: object };
let stored: Map<string, string>;
const reload = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  reload.mockClear();
  workers = new EventTarget();
  stored = new Map();
  vi.stubGlobal('navigator', { serviceWorker: workers });
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      stored.set(key, value);
    },
    removeItem: (key: string) => {
      stored.delete(key);
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
});

const changeWorker = () => {
  workers.dispatchEvent(new Event('controllerchange'));
};

describe('a page without the app', () => {
  it('reloads after its service worker changed', () => {
    reloadIfStalled();
    vi.advanceTimersByTime(60_000);
    expect(reload).not.toHaveBeenCalled();
    changeWorker();
    vi.advanceTimersByTime(60_000);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('reloads if it has a service worker and the app does not load', () => {
    workers.controller = {};
    reloadIfStalled();
    vi.advanceTimersByTime(60_000);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('reloads once, not twice in a row', () => {
    reloadIfStalled();
    changeWorker();
    vi.advanceTimersByTime(60_000);
    reloadIfStalled();
    changeWorker();
    vi.advanceTimersByTime(60_000);
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe('a page with the app', () => {
  it('stays when its service worker changes, also if that was before the app loaded', () => {
    workers.controller = {};
    const isThere = reloadIfStalled();
    changeWorker();
    isThere();
    changeWorker();
    vi.advanceTimersByTime(60_000);
    expect(reload).not.toHaveBeenCalled();
  });

  it('may reload at a later change of its service worker', () => {
    reloadIfStalled();
    changeWorker();
    vi.advanceTimersByTime(60_000);
    reloadIfStalled()();
    reloadIfStalled();
    changeWorker();
    vi.advanceTimersByTime(60_000);
    expect(reload).toHaveBeenCalledTimes(2);
  });
});
