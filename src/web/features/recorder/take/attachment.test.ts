import { expect, test } from 'vitest';
import { createAttachment, type TakeRegistry } from './attachment.ts';

const upload = { token: 'token', expiresAt: '2026-12-01T00:00:00.000Z', appendIntervalMs: 500 };
const stored = { durationMs: 5000, receipts: [] };
const take = {
  id: 'take',
  title: 'Talk',
  startedAtMs: 0,
  timeZone: 'UTC',
  sampleRateHz: 48_000,
  channels: 1,
  deviceLabel: null,
  ownerId: null,
};

/** A take of Rosa's, on a server that has finished it or not. */
function attached({
  isFinished,
  ownerId = 'rosa',
  isClaimed = false,
  reopen = async () => upload,
}: {
  isFinished: boolean;
  ownerId?: string | null;
  isClaimed?: boolean;
  reopen?: () => Promise<typeof upload>;
}) {
  const calls: string[] = [];
  const rejections: string[] = [];
  const registry: TakeRegistry = {
    userId: () => 'rosa',
    mayClaim: () => isClaimed,
    onSessionChange: () => () => {},
    rename: async () => {},
    failureOf: () => 'never',
    rejectionOf: () => 'deleted',
    wait: async () => {},
    register: async () => {
      calls.push('register');
      return { upload: isFinished ? null : upload, title: 'Talk', stored };
    },
    reopen: () => {
      calls.push('reopen');
      return reopen();
    },
  };
  const attachment = createAttachment(
    {
      take: () => ({ ...take, ownerId }),
      onAttached: (ownerId) => calls.push(`attached to ${ownerId}`),
      onStored: (ownerId) => calls.push(`stored by ${ownerId}`),
      onUnowned: () => calls.push('unowned'),
      onRejected: (rejection) => rejections.push(rejection),
    },
    registry,
  );
  return { attachment, calls, rejections };
}

test('gets a capability by registering an unfinished take, even if the take is resumed', async () => {
  for (const goesOn of [false, true]) {
    const { attachment, calls } = attached({ isFinished: false });
    attachment.need({ goesOn });
    await expect.poll(() => calls).toEqual(['register', 'attached to rosa']);
  }
});

test("reopens a finished take that is resumed, and compares one that is not with the server's copy", async () => {
  const onward = attached({ isFinished: true });
  onward.attachment.need({ goesOn: true });
  await expect.poll(() => onward.calls).toEqual(['register', 'reopen', 'attached to rosa']);
  const over = attached({ isFinished: true });
  over.attachment.need();
  await expect.poll(() => over.calls).toEqual(['register', 'stored by rosa']);
});

test('leaves a take that can no longer be reopened on the device', async () => {
  const { attachment, calls } = attached({
    isFinished: true,
    reopen: () => Promise.reject(new Error('already-finished')),
  });
  attachment.need({ goesOn: true });
  await expect.poll(() => calls).toEqual(['register', 'reopen', 'unowned']);
});

test('says why a take that the server never takes is rejected', async () => {
  const { attachment, rejections } = attached({
    isFinished: true,
    reopen: () => Promise.reject(new Error('already-finished')),
  });
  attachment.need({ goesOn: true });
  await expect.poll(() => rejections).toEqual(['deleted']);
});

test('registers an unowned take only if the signed-in user has claimed it', async () => {
  const claimed = attached({ isFinished: false, ownerId: null, isClaimed: true });
  claimed.attachment.need();
  await expect.poll(() => claimed.calls).toEqual(['register', 'attached to rosa']);
  for (const ownerId of [null, 'another user']) {
    const other = attached({ isFinished: false, ownerId });
    other.attachment.need();
    await expect.poll(() => other.calls).toEqual(['unowned']);
  }
});
