import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Share } from '#contract/shares.ts';
import { setOwnerStanding } from '#device/takes/owner-standings.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { lastLinks } from '#web/features/recorder/take/last-links.ts';
import type { Take, TakeState } from '#web/features/recorder/take/take.ts';
import { ForeignTakeTitle } from './foreign-take.tsx';

const link = {
  recordingId: 'take-1',
  state: 'active',
  expiresAt: null,
  toMs: null,
  live: { delayMs: 0 },
  audience: 'anyone',
  hasPassword: false,
  people: [],
  listeningCount: 3,
} as unknown as Share;
const titleOf = (ownerId: string): string =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <ForeignTakeTitle ownerId={ownerId} />
    </I18nProvider>,
  );

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => {
  setOwnerStanding('ana', null, 0);
  vi.restoreAllMocks();
});

test('a take that was on air when the session of its owner expired still says so, without listeners that nobody counts', () => {
  lastLinks.note('take-1', 'ana', [link]);
  expect(titleOf('ana')).toBe('A recording of another account is running · On air · Anyone with the link');
  expect(lastLinks.getSnapshot()?.links.map(({ listeningCount }) => listeningCount)).toEqual([null]);
  expect(titleOf('ben')).not.toContain('On air');
});

test.for<[what: string, links: Share[]]>([
  ['without a live link', [{ ...link, live: null }]],
  ['whose link has expired since', [{ ...link, expiresAt: new Date(Date.now() - 1000).toISOString() }]],
  ['whose link plays only what was recorded before', [{ ...link, toMs: 0 }]],
  ['of which another recording is on air', [{ ...link, recordingId: 'take-2' }]],
])('a take %s is not on air', ([, links]) => {
  lastLinks.note('take-1', 'ana', links);
  expect(titleOf('ana')).not.toContain('On air');
});

test.for([
  ['syncing', true],
  ['capability-rejected', false],
] as const)('a take whose upload is %s is on air: %s', ([condition, isOnAir]) => {
  lastLinks.note('take-1', 'ana', [link]);
  const take = { id: 'take-1', ownerId: 'ana', condition, progress: { capturedMs: 1000 } } as Take;
  vi.spyOn(recorder.everyTake, 'getSnapshot').mockReturnValue({ status: 'recording', take } as TakeState);
  expect(titleOf('ana').includes('On air')).toBe(isOnAir);
});

test.for(['deleted', 'disabled'] as const)('a take whose account is %s is not on air', (standing) => {
  lastLinks.note('take-1', 'ana', [link]);
  setOwnerStanding('ana', standing, 1);
  expect(titleOf('ana')).not.toContain('On air');
});
