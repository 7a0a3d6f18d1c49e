import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { second } from '#base/duration.ts';
import type { AccountExport } from '#contract/exports-api.ts';
import { call } from '#web/api/call.ts';

const key = ['account-export'] as const;
const lookAgainMs = 2 * second;

export interface AccountExportState {
  /** The one that was asked for last; null when there is none, undefined while nobody knows. */
  made: AccountExport | null | undefined;
  error: Error | null;
  isStarting: boolean;
  start: () => void;
  retry: () => void;
}

/** The export of the whole account, looked at again and again while it is being gathered. */
export function useAccountExport(onFailed: (error: Error) => void): AccountExportState {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: key, queryFn: async ({ signal }) => (await call('getAccountExport', { signal })).export,
    refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? lookAgainMs : false),
  });
  const starting = useMutation({ mutationFn: () => call('startAccountExport'), onSuccess: (made) => { client.setQueryData(key, made); }, onError: onFailed });
  return { made: data, error, isStarting: starting.isPending, start: () => starting.mutate(), retry: () => void refetch() };
}
