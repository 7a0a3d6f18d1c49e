import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import type { DayCount } from '#web/features/sharing/links/share-queries.ts';
import { DayTable } from './day-counts.tsx';

const dayOf = (day: string, listenCount: number): DayCount => ({
  day,
  openCount: 1200,
  listenCount,
  wholeListenCount: 1,
});

/** The cells of each row, as text. */
function rowsOf(days: readonly DayCount[], locale = 'en'): string[][] {
  i18n.loadAndActivate({ locale, messages: {} });
  const markup = renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <DayTable days={days} />
    </I18nProvider>,
  );
  return [...markup.matchAll(/<tr>(?<row>.*?)<\/tr>/g)].map(({ groups }) =>
    [...(groups?.['row'] ?? '').matchAll(/<t[hd][^>]*>(?<cell>.*?)<\/t[hd]>/g)].map((cell) =>
      (cell.groups?.['cell'] ?? '').replaceAll(/<[^>]*>/g, ''),
    ),
  );
}

afterEach(() => vi.unstubAllEnvs());

test('shows the newest day first, and each day by its own name west of Greenwich', () => {
  vi.stubEnv('TZ', 'Pacific/Honolulu');
  expect(rowsOf([dayOf('2026-11-20', 2), dayOf('2026-11-21', 4)])).toEqual([
    ['Date', 'Opened', 'Played', 'To the end'],
    ['November 21, 2026', '1,200', '4', '1'],
    ['November 20, 2026', '1,200', '2', '1'],
  ]);
});

test('writes dates and numbers as the language of the reader does', () => {
  const [, row] = rowsOf([dayOf('2026-11-21', 4)], 'de');
  expect(row).toEqual(['21. November 2026', '1.200', '4', '1']);
});

test('shows two weeks at first', () => {
  const days = Array.from({ length: 30 }, (_, day) =>
    dayOf(`2026-11-${String(day + 1).padStart(2, '0')}`, 0),
  );
  expect(rowsOf(days)).toHaveLength(15);
});
