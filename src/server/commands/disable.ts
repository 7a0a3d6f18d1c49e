import { systemClock } from '#base/clock.ts';
import type { Config } from '#server/config.ts';
import { setDisabled, type DisabledChange } from '#server/features/accounts/administration/set-disabled.ts';
import { AuthFlows } from '#server/features/accounts/challenges/auth-flows.ts';
import { LinkTokens } from '#server/features/accounts/challenges/link-tokens.ts';
import { createTakesOfSessions } from '#server/features/uploads/takes-of-sessions.ts';
import { createSecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import { openInstallation } from '#server/start/installation.ts';
import { openDatabaseInUse } from '#server/start/open-stores.ts';

const messages: Record<DisabledChange, { disable: string; enable: string }> = {
  changed: {
    disable:
      'Done. Sessions, event streams and uploads of this account end within a second. Nothing was deleted.',
    enable: 'Done. The user can sign in again.',
  },
  already: {
    disable: 'Nothing changed: the account is disabled already.',
    enable: 'Nothing changed: the account is not disabled.',
  },
  unknown: { disable: 'No account has this e-mail address.', enable: 'No account has this e-mail address.' },
  last: {
    disable: 'This is the only administrator. Make another account an administrator first.',
    enable: '',
  },
};

/** Disables or enables the account with an e-mail address. Returns 1 if that failed. */
export async function disable(
  config: Config,
  { email, isDisabled }: { email: string; isDisabled: boolean },
): Promise<number> {
  const clock = systemClock;
  const database = await openDatabaseInUse(config);
  try {
    const { secretKey, mailer } = await openInstallation(config, database);
    mailer?.close();
    const secrets = createSecretBox(secretKey);
    const deps = {
      database,
      clock,
      flows: new AuthFlows({ clock, secrets }),
      links: new LinkTokens({ clock, secrets }),
      takes: createTakesOfSessions({ clock, onEnded: () => undefined }),
    };
    const { change } = await setDisabled(deps, { account: { email }, isDisabled, actorId: null, ip: '' });
    process.stdout.write(`${messages[change][isDisabled ? 'disable' : 'enable']}\n`);
    return change === 'changed' || change === 'already' ? 0 : 1;
  } finally {
    await database.close();
  }
}
