import { expect, test, vi } from 'vitest';
import { readDevice } from './watch-takes.ts';

const listTakes = vi.hoisted(() => vi.fn<() => Promise<readonly { id: string }[]>>());
const heldTakeIds = vi.hoisted(() => vi.fn<() => Promise<ReadonlySet<string>>>());
vi.mock('./takes-store.ts', () => ({ listTakes }));
vi.mock('./recording-lock.ts', () => ({ heldTakeIds }));

test('lists takes even if the browser rejects locks', async () => {
  listTakes.mockResolvedValue([{ id: 'a' }]);
  heldTakeIds.mockRejectedValue(new DOMException('rejected', 'SecurityError'));
  expect(await readDevice()).toEqual({ records: [{ id: 'a' }], heldTakeIds: new Set() });
});

test('lists held takes even if the browser rejects storage', async () => {
  listTakes.mockRejectedValue(new DOMException('rejected', 'SecurityError'));
  heldTakeIds.mockResolvedValue(new Set(['a']));
  expect(await readDevice()).toEqual({ records: [], heldTakeIds: new Set(['a']) });
});
