import type { Clock } from '#base/clock.ts';
import type { AccountShares } from '#server/features/accounts/deletion/delete-account.ts';
import { removeUserFromShares, revokeWhere } from './shares-store.ts';

/** The shares feature's part in deleting an account. */
export const createAccountShares = (clock: Clock): AccountShares => ({
  async removeUser(transaction, userId) {
    await revokeWhere(transaction, { ownerId: userId }, clock.nowMs());
    await removeUserFromShares(transaction, userId);
  },
});
