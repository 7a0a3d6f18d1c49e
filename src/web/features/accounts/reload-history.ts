import { queryClient } from '#web/api/queries/query-client.ts';
import { accountKeys } from './account-keys.ts';

/** Reads the history of the account again after a change of how its user signs in. */
export const reloadHistory = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: accountKeys.history });
