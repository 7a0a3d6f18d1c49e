import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test } from 'vitest';
import { Router } from 'wouter';
import { takesFor } from '#device/takes/device-take.ts';
import { deviceTakesState } from '#device/takes/device-takes-state.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { addRecovered, dismissRecovered } from '#web/features/recorder/recovery/recovered-takes.ts';
import { RecoveredNotice } from './recovered-notice.tsx';

const take = { id: 'take-1', ownerId: null, title: 'Interview', startedAtMs: 0, durationMs: 60_000 };

/** The notice of a recovered take with these facts on the device now; null if the device no longer has it. */
function noticeOf(record: Partial<TakeRecord> | null): string {
  const records = record === null ? [] : [takeRecordFor({ ...take, state: 'stopped', ...record })];
  deviceTakesState.set({
    isLoaded: true,
    takes: takesFor(records, { userId: null, heldTakeIds: new Set() }),
    hasOtherOwners: false,
    others: [],
  });
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Router ssrPath="/">
        <RecoveredNotice />
      </Router>
    </I18nProvider>,
  );
}

beforeEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  dismissRecovered(take.id);
  addRecovered({ ...take, canContinue: true });
});

test('says that a recovered recording is in the library, on this device or only on the server', () => {
  expect(noticeOf({})).toContain('in your library');
  expect(noticeOf({})).toContain('Continue recording');
  expect(noticeOf(null)).toContain('in your library');
});

test('says nothing about a recording that was moved to the trash since', () => {
  expect(noticeOf({ deletedAtMs: 1 })).toBe('');
});

test('says nothing about a recording that its owner deleted permanently elsewhere', () => {
  expect(noticeOf({ isRejected: true, rejection: 'deleted' })).toBe('');
});
