import { msg } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { minute } from '#base/duration.ts';
import { call } from '#web/api/call.ts';
import { shareKeys } from '#web/api/queries/query-client.ts';

/** The links of the user that work now. */
export const activeLinks = queryOptions({
  queryKey: shareKeys.active,
  queryFn: ({ signal }) => call('listAllShares', { query: { state: 'active' }, signal }),
  // Everything that this page changes is shown at once; other devices change links rarely.
  staleTime: 5 * minute,
  meta: { what: msg`Links` },
});
