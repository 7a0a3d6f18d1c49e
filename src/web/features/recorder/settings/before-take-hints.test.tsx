import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { HighQualityNotice } from './high-quality.tsx';
import { LockedScreenHint } from './locked-screen-hint.tsx';

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => {
  vi.unstubAllGlobals();
  audioPreferences.change({ quality: 'speech', isHighExplained: false });
});

const notice = () =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <HighQualityNotice />
    </I18nProvider>,
  );
const hint = () =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <LockedScreenHint />
    </I18nProvider>,
  );

test('explains High to users who have it, until it was explained', () => {
  expect(notice()).toBe('');
  audioPreferences.change({ quality: 'high' });
  expect(notice()).toContain('without noise reduction');
  audioPreferences.change({ isHighExplained: true });
  expect(notice()).toBe('');
});

test('speaks of the locked screen only in the installed app on iOS', () => {
  vi.stubGlobal('navigator', {});
  expect(hint()).toBe('');
  vi.stubGlobal('navigator', { standalone: false });
  expect(hint()).toBe('');
  vi.stubGlobal('navigator', { standalone: true });
  expect(hint()).toContain('screen locks');
});
