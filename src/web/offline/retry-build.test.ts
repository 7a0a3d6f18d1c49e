import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from '#base/store.ts';
import { hour } from '#base/duration.ts';
import type { Connection } from '#web/api/connection/connection.ts';
import { retryBuild } from './retry-build.ts';

class Worker extends EventTarget {
  state = 'installing';

  become(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

/** The browser's side: what was asked, and builds that come and go. */
class Registration extends EventTarget {
  installing: Worker | null = null;
  readonly update = vi.fn<() => Promise<void>>(() => Promise.resolve());

  find(): Worker {
    const worker = new Worker();
    this.installing = worker;
    this.dispatchEvent(new Event('updatefound'));
    return worker;
  }
}

function start(first: Connection = 'there') {
  const registration = new Registration();
  const connection = createStore<Connection>(first);
  // The few members that are used are all there.
  retryBuild(registration as unknown as ServiceWorkerRegistration, connection);
  return { registration, connection };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a newer build is asked for every hour, and when the server comes back', async () => {
  const { registration, connection } = start();
  await vi.advanceTimersByTimeAsync(hour);
  expect(registration.update).toHaveBeenCalledTimes(1);
  connection.set('gone');
  await vi.advanceTimersByTimeAsync(hour);
  expect(registration.update).toHaveBeenCalledTimes(1);
  connection.set('there');
  expect(registration.update).toHaveBeenCalledTimes(2);
});

test('one whose installation failed is asked for again, later each time, and soon again after one was kept', async () => {
  const { registration } = start();
  for (const pauseMs of [2000, 8000, 32_000]) {
    registration.update.mockClear();
    registration.find().become('redundant');
    await vi.advanceTimersByTimeAsync(pauseMs - 1);
    expect(registration.update).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(registration.update).toHaveBeenCalledTimes(1);
  }
  registration.update.mockClear();
  registration.find().become('installed');
  registration.find().become('redundant');
  await vi.advanceTimersByTimeAsync(2000);
  expect(registration.update).toHaveBeenCalledTimes(1);
});

test('one that was kept and then gave way to a newer one is not missed', async () => {
  const { registration } = start();
  const worker = registration.find();
  worker.become('installed');
  worker.become('redundant');
  await vi.advanceTimersByTimeAsync(hour - 1);
  expect(registration.update).not.toHaveBeenCalled();
});

test('a question that came to nothing is asked again; while the server is gone it waits for its return', async () => {
  const { registration, connection } = start();
  connection.set('gone');
  registration.update.mockRejectedValueOnce(new TypeError('Failed to update a ServiceWorker'));
  connection.set('there');
  await vi.advanceTimersByTimeAsync(2000);
  expect(registration.update).toHaveBeenCalledTimes(2);

  registration.find().become('redundant');
  connection.set('gone');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(registration.update).toHaveBeenCalledTimes(2);
  connection.set('there');
  expect(registration.update).toHaveBeenCalledTimes(3);
});
