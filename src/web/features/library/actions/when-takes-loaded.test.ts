import { expect, test } from 'vitest';
import { whenTakesLoaded } from './when-takes-loaded.ts';

test('what is done before the device was looked at waits: by then it is known where the recording lies', async () => {
  const loading = Promise.withResolvers<void>();
  const here = new Set<string>();
  const done = whenTakesLoaded({ loading: () => loading.promise }, async () =>
    here.has('take') ? 'here' : 'on the server',
  );
  here.add('take');
  loading.resolve();
  expect(await done).toBe('here');
});

test('once it was looked at, nothing waits', () => {
  let isDone = false;
  void whenTakesLoaded({ loading: () => null }, async () => {
    isDone = true;
  });
  expect(isDone).toBe(true);
});
