import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { GapNotice } from './gap-notice.tsx';

const gap = (atMs: number) => ({ atMs, durationMs: 400, cause: 'unknown' as const });

test('names the microphone only at the gap at which another one took over', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const noticeOf = (gapCount: number, microphoneChangeGap: number | null) =>
    renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <GapNotice
          take={{
            gaps: [gap(100), gap(900)].slice(0, gapCount),
            deviceLabel: 'TestMic',
            microphoneChangeGap,
          }}
        />
      </I18nProvider>,
    );
  expect(noticeOf(1, null)).not.toContain('TestMic');
  expect(noticeOf(1, 0)).toContain('TestMic');
  expect(noticeOf(2, 0)).not.toContain('TestMic');
});
