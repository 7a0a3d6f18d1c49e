import { msg } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';

const facetsKey = [...recordingKeys.library, 'facets'] as const;
const read = ({ signal }: { signal: AbortSignal }) => call('getFacets', { signal });

export type Facets = Awaited<ReturnType<typeof read>>;

/** The filter values that occur in the user's recordings; null while they are unknown. */
export function useFacets(isEnabled: boolean): Facets | null {
  return (
    useQuery({ queryKey: facetsKey, queryFn: read, enabled: isEnabled, meta: { what: msg`Filters` } }).data ??
    null
  );
}
