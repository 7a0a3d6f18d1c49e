import { systemClock } from '#base/clock.ts';
import type { Config } from '#server/config.ts';
import { createAccountMail } from '#server/features/accounts/account-mail.ts';
import { AuthFlows } from '#server/features/accounts/challenges/auth-flows.ts';
import { createSecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import { turnTwoStepOff, type TwoStepOff } from '#server/features/accounts/credentials/two-step-off.ts';
import { openInstallation } from '#server/start/installation.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { openDatabaseInUse } from '#server/start/open-stores.ts';
import { databaseTime } from '#server/storage/database/database-time.ts';

const messages: Record<TwoStepOff, string> = {
  off: 'Done. The next sign-in needs no second step.',
  already: 'Nothing changed: two-step sign-in is off already.',
  unknown: 'No account has this e-mail address.',
};

/**
 * Turns off two-step sign-in for an account. Returns 1 if that failed. The running server sends the e-mail about
 * it.
 */
export async function twoStepOff(config: Config, { email }: { email: string }): Promise<number> {
  const clock = systemClock;
  const database = await openDatabaseInUse(config);
  let mailer: Mailer | null = null;
  try {
    const { secretKey, ...installation } = await openInstallation(config, database);
    ({ mailer } = installation);
    const secrets = createSecretBox(secretKey);
    const mail = createAccountMail({
      mailer,
      publicUrl: config.publicUrl,
      queue: createJobQueue({ clock, time: databaseTime(database, clock) }),
      secrets,
    });
    const outcome = await turnTwoStepOff(
      { database, clock, flows: new AuthFlows({ clock, secrets }), mail },
      email,
    );
    process.stdout.write(`${messages[outcome]}\n`);
    return outcome === 'unknown' ? 1 : 0;
  } finally {
    mailer?.close();
    await database.close();
  }
}
