import { beforeEach, expect, test } from 'vitest';
import { setOwnerStanding } from '#device/takes/owner-standings.ts';
import { clearToasts } from '#web/ui/overlays/toast.tsx';
import { toastQueue } from '#web/ui/overlays/toast-queue.ts';
import { showTakeToast } from './take-owner-toast.ts';

const shown = () => toastQueue.visibleToasts.map(({ content }) => content.message());
const messages = { owned: () => 'stays in its account', deleted: () => 'its account was deleted' };

beforeEach(() => {
  clearToasts();
  setOwnerStanding('ana', null, 0);
});

test('says that the take stays in its account, until the server says that it has none', () => {
  showTakeToast('ana', messages);
  setOwnerStanding('bob', 'deleted', 0);
  setOwnerStanding('ana', 'disabled', 0);
  expect(shown()).toEqual(['stays in its account']);
  setOwnerStanding('ana', 'deleted', 0);
  expect(shown()).toEqual(['its account was deleted']);
});

test('never says so of an account that is known to be deleted', () => {
  setOwnerStanding('ana', 'deleted', 0);
  showTakeToast('ana', messages);
  expect(shown()).toEqual(['its account was deleted']);
});

test('says nothing more once the message has gone', () => {
  showTakeToast('ana', messages);
  clearToasts();
  setOwnerStanding('ana', 'deleted', 0);
  expect(shown()).toEqual([]);
});
