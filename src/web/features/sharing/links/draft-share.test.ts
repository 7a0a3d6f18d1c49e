import { expect, test } from 'vitest';
import { openPolicy } from '#contract/sharing-policy.suite.ts';
import type { ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { draftShareOf, newFormOf, newLinkOf } from './draft-share.ts';
import { readForm } from '#web/features/sharing/terms/share-form.ts';

const nowMs = Date.parse('2026-11-24T12:00:00.000Z');
const target: ShareTarget = {
  recordingId: '0198f0aa-0000-7000-8000-0000000000aa',
  title: 'Seminar',
  durationMs: 60_000,
  isGrowing: false,
  span: null,
};

/** What would be sent beside the id if nothing was changed in the form. */
function sentOf(to: ShareTarget, policy = openPolicy) {
  const share = draftShareOf(to, policy, nowMs);
  const { changes } = readForm(newFormOf(share, to, policy), {
    share,
    policy,
    durationMs: to.durationMs,
    nowMs,
  });
  return { ...newLinkOf(to, policy), ...changes };
}

test('a new link needs no settings by default', () => {
  expect(sentOf(target)).toEqual({});
});

test('the selected part is shared', () => {
  expect(sentOf({ ...target, span: { fromMs: 1000, toMs: 5000 } })).toEqual({ fromMs: 1000, toMs: 5000 });
});

test('a new link follows a recording that is being made, where the rules allow it', () => {
  const growing = { ...target, isGrowing: true, durationMs: null };
  expect(sentOf(growing)).toEqual({ live: { delayMs: 10_000, isHeldAfterStop: false } });
  expect(sentOf(growing, { ...openPolicy, mayGoLive: false })).toEqual({});
});

test('a new link has what the rules of the server require', () => {
  expect(sentOf(target, { ...openPolicy, links: 'users' })).toEqual({ audience: 'installation' });
  expect(sentOf(target, { ...openPolicy, isPasswordRequired: true })).toEqual({
    password: expect.stringMatching(/^[\w-]{19}$/),
  });
});

test('the form shows when the server would end the link', () => {
  const policy = { ...openPolicy, defaultDays: 30, longestDays: 7 };
  expect(draftShareOf(target, policy, nowMs).expiresAt).toBe('2026-12-01T12:00:00.000Z');
});
