import { systemClock } from '#base/clock.ts';
import type { Config } from '#server/config.ts';
import { setAdmin, type RoleChange } from '#server/features/accounts/administration/admin-role.ts';
import { openDatabaseInUse } from '#server/start/open-stores.ts';

const messages: Record<RoleChange, string> = {
  changed: 'Done. The change takes effect with the next request.',
  already: 'Nothing changed: the account has this role already.',
  unknown: 'No account has this e-mail address.',
  last: 'This is the only administrator. Make another account an administrator first.',
};

/** Makes an account an administrator or an ordinary one. Returns 1 if that failed. */
export async function admin(
  config: Config,
  { email, isAdmin }: { email: string; isAdmin: boolean },
): Promise<number> {
  const database = await openDatabaseInUse(config);
  try {
    const change = await setAdmin({ database, clock: systemClock }, email, isAdmin);
    process.stdout.write(`${messages[change]}\n`);
    return change === 'changed' || change === 'already' ? 0 : 1;
  } finally {
    await database.close();
  }
}
