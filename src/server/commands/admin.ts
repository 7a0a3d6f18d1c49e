import { systemClock } from '#base/clock.ts';
import type { Config } from '#server/config.ts';
import { setAdmin, type RoleChange } from '#server/features/accounts/administration/admin-role.ts';
import { openDatabase } from '#server/start/stores.ts';

const said: Record<RoleChange, string> = {
  changed: 'Done. It counts from the next request on.',
  already: 'Nothing to do: it is so already.',
  unknown: 'No account has this e-mail address.',
  last: 'This is the only administrator. Make another one first.',
};

/** Makes an account an administrator or an ordinary one. Returns 1 if that failed. */
export async function admin(
  config: Config,
  { email, isAdmin }: { email: string; isAdmin: boolean },
): Promise<number> {
  const database = await openDatabase(config, { migrates: false });
  try {
    const change = await setAdmin({ database, clock: systemClock }, email, isAdmin);
    process.stdout.write(`${said[change]}\n`);
    return change === 'changed' || change === 'already' ? 0 : 1;
  } finally {
    await database.close();
  }
}
