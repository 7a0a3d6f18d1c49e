import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import type { Recording } from '#contract/recordings.ts';
import { recordingFor } from '#web/api/queries/recording-for.suite.ts';
import { RecordingListItem } from './recording-list-item.tsx';
import { RunningLength } from './row-play.tsx';
import { libraryItemsOf, type ListedTake } from './library-items.ts';

const markupOf = (recording: Recording): string => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const [row] = libraryItemsOf({
    takes: [],
    recordings: [recording],
    isFiltered: false,
    search: '',
    hasServerList: true,
    transfers: new Map(),
  });
  if (!row) throw new Error('no row');
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Router ssrPath="/">
        <RecordingListItem row={row} overviews={async () => new Uint8Array()} />
      </Router>
    </I18nProvider>,
  );
};

test('shows neither a waveform nor a length for a file without audio', () => {
  const heard = markupOf({ ...recordingFor('a'), durationMs: 5000 });
  expect(heard).toContain('<svg');
  expect(heard).toContain('00:05');
  const silent = markupOf({
    ...recordingFor('b'),
    source: 'import',
    state: 'failed',
    rendition: 'failed',
    durationMs: 0,
  });
  expect(silent).not.toContain('<svg');
  expect(silent).not.toContain('00:00');
});

test('shows the live length of a recording of this page, and the last known length of others', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const running: ListedTake = {
    id: 'running',
    title: 'Field notes',
    timeZone: 'UTC',
    startedAtMs: 0,
    durationMs: 5000,
    markers: [],
    state: 'recording',
    facts: { isCapturing: true, receipt: 'none', isStored: true, owner: 'nobody', transfer: 'none' },
  };
  const [row] = libraryItemsOf({
    takes: [running],
    recordings: [],
    isFiltered: false,
    search: '',
    hasServerList: true,
    transfers: new Map(),
  });
  if (!row) throw new Error('no row');
  const lengthOf = (msHere: number | null) =>
    renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <RunningLength row={row} running={{ subscribe: () => () => undefined, msOf: () => msHere }} />
      </I18nProvider>,
    );
  expect(lengthOf(65_000)).toContain('01:05');
  expect(lengthOf(null)).toContain('00:05');
  expect(markupOf({ ...recordingFor('elsewhere'), state: 'receiving', durationMs: 7000 })).toContain('00:07');
});
