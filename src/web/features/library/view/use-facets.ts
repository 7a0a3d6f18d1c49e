import { msg } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';

const facetsKey = [...recordingKeys.library, 'facets'] as const;
const read = ({ signal }: { signal: AbortSignal }) => call('getFacets', { signal });

export type Facets = Awaited<ReturnType<typeof read>>;

/** What the person's recordings can be narrowed by; null while that is not known. */
export function useFacets(isEnabled: boolean): Facets | null {
  return (
    useQuery({ queryKey: facetsKey, queryFn: read, enabled: isEnabled, meta: { what: msg`Filters` } }).data ??
    null
  );
}
