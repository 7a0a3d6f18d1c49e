import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { takesFor } from '#device/takes/device-take.ts';
import { deviceTakesState } from '#device/takes/device-takes-state.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { MovingTakes } from './moving-takes.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

/** What a signed-out visitor reads before signing up. */
function textWith(...records: readonly Partial<TakeRecord>[]): string {
  const takes = takesFor(
    records.map((facts, index) => takeRecordFor({ id: String(index), state: 'stopped', ...facts })),
    { userId: null, heldTakeIds: new Set(), standings: new Map() },
  );
  deviceTakesState.set({ isLoaded: true, takes, hasOtherOwners: false, others: [] });
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <MovingTakes />
    </I18nProvider>,
  );
}

test('says how many recordings without an account are on this device', () => {
  expect(textWith({ ownerId: null })).toBe('1 recording on this device can move to your account too.');
  expect(textWith({ ownerId: null }, { ownerId: null }, { ownerId: 'ana' })).toMatch(/^2 recordings /u);
});

test('promises nothing of recordings that stay where they are', () => {
  expect(textWith()).toBe('');
  expect(textWith({ ownerId: 'ana' }, { ownerId: 'bob' })).toBe('');
  expect(textWith({ ownerId: null, deletedAtMs: 1 })).toBe('');
  expect(textWith({ ownerId: null, isRejected: true, rejection: 'invalid' })).toBe('');
});
