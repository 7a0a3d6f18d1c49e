import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createStore } from '#base/store.ts';
import { recordingFor } from '#web/api/queries/recording-for.suite.ts';
import { RowControls } from './row-controls.tsx';
import { libraryItemsOf, type ListedTake } from './library-items.ts';

const nothing = () => undefined;
const actions = {
  onRename: nothing,
  onEdit: nothing,
  onTag: nothing,
  onShare: nothing,
  onMoveToTrash: nothing,
  onQueue: nothing,
  onPlay: nothing,
  playing: createStore<string | null>(null),
  running: { subscribe: () => () => undefined, msOf: () => null },
  playedMs: () => null,
};
const take: ListedTake = {
  id: 'here',
  title: 'Field notes',
  timeZone: 'UTC',
  startedAtMs: 0,
  durationMs: 5000,
  markers: [],
  state: 'stopped',
  facts: { isCapturing: false, receipt: 'none', isStored: true, owner: 'nobody', transfer: 'none' },
};

test('downloads the original of takes and imports, and offers no download for a take only on this device', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const recordings = [
    recordingFor('spoken'),
    { ...recordingFor('imported'), source: 'import' as const, rendition: 'ready' as const },
  ];
  const downloads = libraryItemsOf({
    takes: [take],
    recordings,
    transfers: new Map(),
    isFiltered: false,
    search: '',
    hasServerList: true,
  }).map((row) => {
    const markup = renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <RowControls
          row={row}
          titleId="title"
          actions={actions}
          isTabStop
          isChosen={false}
          onToggle={nothing}
        />
      </I18nProvider>,
    );
    return [row.id, /<a href="([^"]*)" download/.exec(markup)?.[1] ?? null];
  });
  expect(downloads).toEqual([
    ['here', null],
    ['spoken', '/api/recordings/spoken/original'],
    ['imported', '/api/recordings/imported/original'],
  ]);
});

test('offers offline actions for copies on this device, and only the star for other recordings', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const copy = {
    ...take,
    id: 'copy',
    facts: { ...take.facts, receipt: 'whole' as const, owner: 'me' as const },
  };
  const rows = libraryItemsOf({
    takes: [copy],
    recordings: [recordingFor('copy'), recordingFor('there')],
    transfers: new Map(),
    isFiltered: false,
    search: '',
    hasServerList: true,
    isAway: true,
  });
  const offered = rows.map((row) => {
    const markup = renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <RowControls
          row={row}
          titleId="title"
          actions={actions}
          isTabStop
          isChosen={false}
          onToggle={nothing}
        />
      </I18nProvider>,
    );
    return [
      row.id,
      ['Play', 'Rename', 'Download', 'Move to trash', 'Favourite'].filter((name) =>
        markup.includes(`aria-label="${name}"`),
      ),
    ];
  });
  expect(offered).toEqual([
    ['copy', ['Play', 'Rename', 'Move to trash', 'Favourite']],
    ['there', ['Favourite']],
  ]);
});
