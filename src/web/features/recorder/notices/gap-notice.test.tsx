import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { GapNotice } from './gap-notice.tsx';

const gap = (atMs: number) => ({ atMs, durationMs: 400, cause: 'unknown' as const });

const noticeOf = (gapCount: number, microphoneChangeGap: number | null, isPaused = false) => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <GapNotice
        take={{
          gaps: [gap(100), gap(900)].slice(0, gapCount),
          deviceLabel: 'TestMic',
          microphoneChangeGap,
        }}
        isPaused={isPaused}
      />
    </I18nProvider>,
  );
};

test('names the microphone only at the gap at which another one took over', () => {
  expect(noticeOf(1, null)).not.toContain('TestMic');
  expect(noticeOf(1, 0)).toContain('TestMic');
  expect(noticeOf(2, 0)).not.toContain('TestMic');
});

test('says that recording continues only while it does', () => {
  expect(noticeOf(1, null)).toContain('Recording continues');
  expect(noticeOf(1, null, true)).not.toContain('Recording continues');
});
