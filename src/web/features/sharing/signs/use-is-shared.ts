import { msg } from '@lingui/core/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { minute } from '#base/duration.ts';
import { call } from '#web/api/call.ts';
import { shareKeys } from '#web/api/queries/query-client.ts';

const activeLinks = queryOptions({
  queryKey: shareKeys.active,
  queryFn: ({ signal }) => call('listAllShares', { query: { state: 'active' }, signal }),
  select: ({ items }) => new Set(items.map(({ recordingId }) => recordingId)),
  // Everything that this page changes is read again; other devices change links rarely.
  staleTime: 5 * minute,
  meta: { what: msg`Links` },
});

/**
 * Whether others can listen to a recording by a link. False while that is not known: a missing sign promises
 * nothing, a wrong one would.
 */
export function useIsShared(recordingId: string, isEnabled: boolean): boolean {
  const { data } = useQuery({ ...activeLinks, enabled: isEnabled });
  return data?.has(recordingId) ?? false;
}
