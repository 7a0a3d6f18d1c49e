import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { minute } from '#base/duration.ts';
import type { Share } from '#contract/shares.ts';
import { openPolicy } from '#contract/sharing-policy.suite.ts';
import { shareKeys } from '#web/api/queries/query-client.ts';
import { shareFor } from '#web/features/sharing/terms/share.suite.ts';
import { useIsShared } from './use-is-shared.ts';

const { recordingId } = shareFor();

function Sign() {
  return useIsShared(recordingId, true) ? 'shared' : 'private';
}

/** Renders the signs of rows, with these links. */
function render(items: readonly Share[], rowCount = 1): string {
  const client = new QueryClient();
  client.setQueryData(shareKeys.active, { items, policy: openPolicy });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      {Array.from({ length: rowCount }, (_, row) => (
        <Sign key={row} />
      ))}
    </QueryClientProvider>,
  );
}

/** Whether the recording is shown as shared, with links that expire at these times. */
const shown = (ends: readonly (number | null)[]): string =>
  render(ends.map((endMs) => shareFor({ expiresAt: endMs === null ? null : new Date(endMs).toISOString() })));

test('a link that has expired since the list was read does not make its recording shared', () => {
  const [past, future] = [Date.now() - minute, Date.now() + minute];
  expect(shown([])).toBe('private');
  expect(shown([past])).toBe('private');
  expect(shown([future])).toBe('shared');
  expect(shown([future, past])).toBe('shared');
  expect(shown([past, null])).toBe('shared');
});

test('all rows together read the list of links once', () => {
  let readCount = 0;
  const link = Object.defineProperty(shareFor(), 'expiresAt', {
    get: () => {
      readCount += 1;
      return null;
    },
  });
  expect(render([link], 3)).toBe('sharedsharedshared');
  expect(readCount).toBe(1);
});
