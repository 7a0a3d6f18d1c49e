import { expect, test } from 'vitest';
import { Services } from './services.ts';

function recorded(names: readonly string[], { failing }: { failing?: string } = {}) {
  const calls: string[] = [];
  const services = names.map((name) => ({
    start: async () => {
      calls.push(`start ${name}`);
      if (name === failing) throw new Error(`${name} cannot start`);
    },
    stop: () => void calls.push(`stop ${name}`),
  }));
  return { calls, services };
}

test('starts services in order and stops them in the reverse order', async () => {
  const { calls, services } = recorded(['events', 'requests', 'jobs']);
  const running = new Services();
  await running.start(...services);
  await running.stop();
  expect(calls).toEqual([
    'start events',
    'start requests',
    'start jobs',
    'stop jobs',
    'stop requests',
    'stop events',
  ]);
});

test('a failed start reports its error, starts nothing after it, and can be stopped', async () => {
  const { calls, services } = recorded(['events', 'requests', 'jobs'], { failing: 'requests' });
  const running = new Services();
  await expect(running.start(...services)).rejects.toThrow('requests cannot start');
  await running.stop();
  expect(calls).toEqual(['start events', 'start requests', 'stop requests', 'stop events']);
});

test('stops each service once, and those without a start or a stop', async () => {
  const { calls, services } = recorded(['events']);
  const running = new Services();
  await running.start({ stop: () => void calls.push('close stores') }, ...services, {});
  await running.stop();
  await running.stop();
  expect(calls).toEqual(['start events', 'stop events', 'close stores']);
});
