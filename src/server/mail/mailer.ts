import { createTransport } from 'nodemailer';
import { second } from '#base/duration.ts';

/**
 * One message to one person, as plain text: readable everywhere, and nothing in it is fetched from anywhere.
 */
interface Message {
  to: string;
  subject: string;
  text: string;
}

/** Hands messages to the post. */
export interface Mailer {
  /** Rejects when the server for outgoing mail did not take it; safe to try again. */
  send(message: Message): Promise<void>;
  close(): void;
}

/**
 * Sends by SMTP (RFC 5321), over TLS where the address begins with `smtps:` and by STARTTLS wherever it is
 * offered.
 * @param options.url `smtps://user:password@host:port`
 * @param options.from the sender as people see it, `Earshot <post@example.org>`
 */
export function createSmtpMailer(options: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url: options.url,
    connectionTimeout: 10 * second,
    greetingTimeout: 10 * second,
    socketTimeout: 20 * second,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      // As a list, the address is one address, whatever signs it holds.
      await transport.sendMail({
        from: options.from,
        to: [{ name: '', address: to }],
        subject,
        text,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => transport.close(),
  };
}
