import { expect, test } from 'vitest';
import { whenTakesLoaded } from './when-takes-loaded.ts';

test('waits until the takes on this device are loaded, so that the action finds the recording', async () => {
  const loading = Promise.withResolvers<void>();
  const here = new Set<string>();
  const done = whenTakesLoaded({ loading: () => loading.promise }, async () =>
    here.has('take') ? 'here' : 'on the server',
  );
  here.add('take');
  loading.resolve();
  expect(await done).toBe('here');
});

test('runs synchronously once the takes are loaded', () => {
  let isDone = false;
  void whenTakesLoaded({ loading: () => null }, async () => {
    isDone = true;
  });
  expect(isDone).toBe(true);
});
