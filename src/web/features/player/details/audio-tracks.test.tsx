import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { FormatText } from './audio-tracks.tsx';

test('shows the channels of a format as mono, stereo or a number', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const words = (channels: number) =>
    renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <FormatText codec="FLAC" kilohertz="48" channels={channels} />
      </I18nProvider>,
    );
  expect([words(1), words(2)]).toEqual(['FLAC, 48 kHz, mono', 'FLAC, 48 kHz, stereo']);
  expect(words(6)).not.toContain('stereo');
  expect(words(6)).toContain('6');
});
