import type { Config } from './config.ts';
import { setUpCodeOf } from './features/accounts/sign-in/set-up-code.ts';
import { planDescriptors, readFileLimit, type DescriptorPlan } from './http/edge/descriptors.ts';
import { isLoopback } from './http/edge/loopback.ts';
import type { Mailer } from './mail/mailer.ts';
import { explainFiles } from './start/explain/explain-files.ts';
import { loadMatchingKey } from './start/secret-fingerprint.ts';
import { explained } from './start/start-error.ts';
import { withDatabase } from './start/stores.ts';
import type { Database } from './storage/database/database.ts';

/** What sends mail is loaded only where an installation sends any. */
async function openMailer({ smtpUrl, mailFrom }: Config): Promise<Mailer | null> {
  if (smtpUrl === '') return null;
  const { createSmtpMailer } = await import('./mail/mailer.ts');
  return createSmtpMailer({ url: smtpUrl, from: mailFrom });
}

/**
 * Whether strangers can reach the installation: its first account, which is its administrator, then needs the
 * set-up code.
 */
export function needsSetUpCode({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  const listening = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`);
  return listening === null || !isLoopback(listening) || !isLoopback(new URL(publicUrl));
}

export interface Installation {
  secretKey: Uint8Array;
  /** What the first account has to bring; null where only this machine can reach the installation. */
  setUpCode: string | null;
  mailer: Mailer | null;
  descriptors: DescriptorPlan;
}

/**
 * What one installation has to itself: its secret, its set-up code, its way to send mail, where it has one,
 * and its share of file descriptors. Rejects where the secret cannot be read or is not the database's.
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
