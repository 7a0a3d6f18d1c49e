import type { Config } from './config.ts';
import type { Mailer } from './mail/mailer.ts';
import { loadSecretKey } from './secret-key.ts';

/** What sends mail is loaded only where an installation sends any. */
async function openMailer({ smtpUrl, mailFrom }: Config): Promise<Mailer | null> {
  if (smtpUrl === '') return null;
  const { createSmtpMailer } = await import('./mail/mailer.ts');
  return createSmtpMailer({ url: smtpUrl, from: mailFrom });
}

/** What one installation has to itself: its secret, and its way to send mail, where it has one. Rejects where the secret cannot be read. */
export async function openInstallation(config: Config): Promise<{ secretKey: Uint8Array; mailer: Mailer | null }> {
  const secretKey = await loadSecretKey({ configured: config.secretKey, dataDir: config.dataDir });
  return { secretKey, mailer: await openMailer(config) };
}
