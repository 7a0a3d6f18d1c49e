import { call } from '#web/api/call.ts';
import { leave } from '#web/api/session.ts';

/**
 * Deletes the account on the server, and with it all sessions.
 * @throws ApiError; the account is then still there
 */
export const deleteOwnAccount = (): Promise<void> => leave(() => call('deleteAccount'));
