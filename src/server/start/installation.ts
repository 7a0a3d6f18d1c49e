import type { Config } from '#server/config.ts';
import { setUpCodeOf } from '#server/features/accounts/sign-in/set-up-code.ts';
import { planDescriptors, readFileLimit, type DescriptorPlan } from '#server/http/edge/descriptors.ts';
import { isLoopback } from '#server/http/edge/loopback.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { explainFiles } from './explain/explain-files.ts';
import { loadMatchingKey } from './secret-fingerprint.ts';
import { explained } from '#server/start-error.ts';
import { withDatabase } from './stores.ts';
import type { Database } from '#server/storage/database/database.ts';

/** Loads the mailer only if e-mail is configured. */
async function openMailer({ smtpUrl, mailFrom }: Config): Promise<Mailer | null> {
  if (smtpUrl === '') return null;
  const { createSmtpMailer } = await import('#server/mail/mailer.ts');
  return createSmtpMailer({ url: smtpUrl, from: mailFrom });
}

/**
 * Returns whether others can reach the installation. If so, its first account, which becomes the administrator,
 * needs the set-up code.
 */
export function needsSetUpCode({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  const listening = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`);
  return listening === null || !isLoopback(listening) || !isLoopback(new URL(publicUrl));
}

export interface Installation {
  secretKey: Uint8Array;
  /** The code that the first account needs; null if only this machine can reach the installation. */
  setUpCode: string | null;
  mailer: Mailer | null;
  descriptors: DescriptorPlan;
}

/**
 * Opens an installation's secret key, set-up code, mailer if configured, and file descriptor plan.
 * @throws StartError when the secret cannot be read or does not match the database
 */
export async function openInstallation(config: Config, database: Database): Promise<Installation> {
  const secretKey = await explained(explainFiles(config.dataDir), () =>
    withDatabase(config, () => loadMatchingKey(config, database)),
  );
  return {
    secretKey,
    setUpCode: needsSetUpCode(config) ? setUpCodeOf(secretKey) : null,
    mailer: await openMailer(config),
    descriptors: planDescriptors(readFileLimit(), config.connectionsPerAddress),
  };
}
