import type { Config } from './config.ts';
import { createSmtpMailer, type Mailer } from './mail/mailer.ts';
import { loadSecretKey } from './secret-key.ts';

/** What one installation has to itself: its secret, and its way to send mail, where it has one. Rejects where the secret cannot be read. */
export async function openInstallation(config: Config): Promise<{ secretKey: Uint8Array; mailer: Mailer | null }> {
  const secretKey = await loadSecretKey({ configured: config.secretKey, dataDir: config.dataDir });
  return { secretKey, mailer: config.smtpUrl === '' ? null : createSmtpMailer({ url: config.smtpUrl, from: config.mailFrom }) };
}
