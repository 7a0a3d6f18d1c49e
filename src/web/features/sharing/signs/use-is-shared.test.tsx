import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { minute } from '#base/duration.ts';
import { shareKeys } from '#web/api/queries/query-client.ts';
import { openPolicy, shareFor } from '#web/features/sharing/terms/share.suite.ts';
import { useIsShared } from './use-is-shared.ts';

const { recordingId } = shareFor();

function Sign() {
  return useIsShared(recordingId, true) ? 'shared' : 'private';
}

/** Whether the recording is shown as shared, with links that expire at these times. */
function shown(ends: readonly (number | null)[]): string {
  const client = new QueryClient();
  const items = ends.map((endMs) =>
    shareFor({ expiresAt: endMs === null ? null : new Date(endMs).toISOString() }),
  );
  client.setQueryData(shareKeys.active, { items, policy: openPolicy });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Sign />
    </QueryClientProvider>,
  );
}

test('a link that has expired since the list was read does not make its recording shared', () => {
  const [past, future] = [Date.now() - minute, Date.now() + minute];
  expect(shown([])).toBe('private');
  expect(shown([past])).toBe('private');
  expect(shown([future])).toBe('shared');
  expect(shown([future, past])).toBe('shared');
  expect(shown([past, null])).toBe('shared');
});
