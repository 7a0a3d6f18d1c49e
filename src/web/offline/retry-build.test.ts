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

/** A service worker registration with its update requests, and builds that are found and installed. */
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
  // Has all members that retryBuild uses.
  retryBuild(registration as unknown as ServiceWorkerRegistration, connection);
  return { registration, connection };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('checks for a newer build every hour, and when the server is back', async () => {
  const { registration, connection } = start();
  await vi.advanceTimersByTimeAsync(hour);
  expect(registration.update).toHaveBeenCalledTimes(1);
  connection.set('gone');
  await vi.advanceTimersByTimeAsync(hour);
  expect(registration.update).toHaveBeenCalledTimes(1);
  connection.set('there');
  expect(registration.update).toHaveBeenCalledTimes(2);
});

test('retries after a failed installation at growing intervals, and restarts them after a successful one', async () => {
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

test('does not retry for a build that was installed and then replaced by a newer one', async () => {
  const { registration } = start();
  const worker = registration.find();
  worker.become('installed');
  worker.become('redundant');
  await vi.advanceTimersByTimeAsync(hour - 1);
  expect(registration.update).not.toHaveBeenCalled();
});

test('retries a failed check, and waits for the server while it is unreachable', async () => {
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
