import { expect, test } from 'vitest';
import { onceLooked } from './when-takes-loaded.ts';

test('what is done before the device was looked at waits: by then it is known where the recording lies', async () => {
  const look = Promise.withResolvers<void>();
  const here = new Set<string>();
  const done = onceLooked({ looking: () => look.promise }, async () =>
    here.has('take') ? 'here' : 'on the server',
  );
  here.add('take');
  look.resolve();
  expect(await done).toBe('here');
});

test('once it was looked at, nothing waits', () => {
  let isDone = false;
  void onceLooked({ looking: () => null }, async () => {
    isDone = true;
  });
  expect(isDone).toBe(true);
});
