import { expect, test, vi } from 'vitest';
import { readDevice } from './watch-takes.ts';

const listTakes = vi.hoisted(() => vi.fn<() => Promise<readonly { id: string }[]>>());
const heldTakeIds = vi.hoisted(() => vi.fn<() => Promise<ReadonlySet<string>>>());
vi.mock('./takes-store.ts', () => ({ listTakes }));
vi.mock('./recording-lock.ts', () => ({ heldTakeIds }));

test('takes are listed where the browser rejects locks alone', async () => {
  listTakes.mockResolvedValue([{ id: 'a' }]);
  heldTakeIds.mockRejectedValue(new DOMException('rejected', 'SecurityError'));
  expect(await readDevice()).toEqual({ records: [{ id: 'a' }], heldTakeIds: new Set() });
});

test('held takes are known where the browser rejects storage alone', async () => {
  listTakes.mockRejectedValue(new DOMException('rejected', 'SecurityError'));
  heldTakeIds.mockResolvedValue(new Set(['a']));
  expect(await readDevice()).toEqual({ records: [], heldTakeIds: new Set(['a']) });
});
