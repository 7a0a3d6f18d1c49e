import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setOwnerStanding } from '#device/takes/owner-standings.ts';
import { lastAudience } from '#web/features/recorder/take/last-audience.ts';
import { ForeignTakeTitle } from './foreign-take.tsx';

const onAir = { audience: 'anyone', peopleCount: null, listeningCount: 3, delayMs: 0 } as const;
const titleOf = (ownerId: string): string =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <ForeignTakeTitle ownerId={ownerId} />
    </I18nProvider>,
  );

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => {
  setOwnerStanding('ana', null, 0);
});

test('a take that was on air when its owner signed out still says so, without listeners that nobody counts', () => {
  lastAudience.note('take-1', 'ana', { onAir, isShared: true });
  expect(titleOf('ana')).toBe('A recording of another account is running · On air · Anyone with the link');
  expect(lastAudience.getSnapshot()?.audience.onAir?.listeningCount).toBeNull();
  expect(titleOf('ben')).not.toContain('On air');
});

test('a take that nobody could hear, or whose links ended with its account, says nothing of it', () => {
  lastAudience.note('take-1', 'ana', { onAir: null, isShared: true });
  expect(titleOf('ana')).not.toContain('On air');
  lastAudience.note('take-1', 'ana', { onAir, isShared: true });
  setOwnerStanding('ana', 'deleted', 1);
  expect(titleOf('ana')).not.toContain('On air');
});
