import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import type { Recording } from '#contract/recordings.ts';
import { recordingFor } from '#web/api/lists/recording-for.suite.ts';
import { RecordingRow } from './recording-row.tsx';
import { rowsOf } from './rows.ts';

const markupOf = (recording: Recording): string => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const [row] = rowsOf({ takes: [], recordings: [recording], isFiltered: false, search: '', hasServerList: true, transfers: new Map() });
  if (!row) throw new Error('no row');
  return renderToStaticMarkup(<I18nProvider i18n={i18n}><Router ssrPath="/"><RecordingRow row={row} overviews={async () => new Uint8Array()} /></Router></I18nProvider>);
};

test('a file without sound shows neither a waveform nor a length', () => {
  const heard = markupOf({ ...recordingFor('a'), durationMs: 5000 });
  expect(heard).toContain('<svg');
  expect(heard).toContain('00:05');
  const silent = markupOf({ ...recordingFor('b'), source: 'import', state: 'failed', rendition: 'failed', durationMs: 0 });
  expect(silent).not.toContain('<svg');
  expect(silent).not.toContain('00:00');
});
