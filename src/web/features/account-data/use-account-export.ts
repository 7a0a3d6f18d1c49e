import { msg } from '@lingui/core/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { second } from '#base/duration.ts';
import type { AccountExport } from '#contract/exports-api.ts';
import { call } from '#web/api/call.ts';
import type { QueryStateProps } from '#web/request-states/query-state.tsx';

export const accountExportKey = ['account-export'] as const;
const pollIntervalMs = 2 * second;
/** How often the page asks whether recordings that an export lacks are finished. */
const finishingIntervalMs = 10 * second;

/** How long until the export is read again; false if it does not change without the user or a device. */
export function refetchIntervalOf(made: AccountExport | null | undefined): number | false {
  if (made?.state === 'preparing') return pollIntervalMs;
  const isFinishing = made?.leftOutRecordings?.some(({ reason }) => reason === 'processing') ?? false;
  return isFinishing ? finishingIntervalMs : false;
}

export interface AccountExportState {
  /** The last export; null if there is none, undefined while it is not known. */
  made: AccountExport | null | undefined;
  answer: QueryStateProps['answer'];
  isStarting: boolean;
  start: () => void;
}

/** The export of the whole account, polled while it is being prepared. */
export function useAccountExport(onFailed: (error: Error) => void): AccountExportState {
  const client = useQueryClient();
  const answer = useQuery({
    queryKey: accountExportKey,
    queryFn: async ({ signal }) => (await call('getAccountExport', { signal })).export,
    refetchInterval: ({ state }) => refetchIntervalOf(state.data),
    meta: { what: msg`Export all my data` },
  });
  const starting = useMutation({
    mutationFn: () => call('startAccountExport'),
    onSuccess: (made) => {
      client.setQueryData(accountExportKey, made);
    },
    onError: onFailed,
  });
  return { made: answer.data, answer, isStarting: starting.isPending, start: () => starting.mutate() };
}
