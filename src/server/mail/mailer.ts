import { createTransport } from 'nodemailer';
import { second } from '#base/duration.ts';

/** One plain-text message to one recipient: readable everywhere, with no remote content. */
interface Message {
  to: string;
  subject: string;
  text: string;
}

/** Hands messages to the server for outgoing e-mail. */
export interface Mailer {
  /** Rejects if the server did not accept the message; safe to retry. */
  send(message: Message): Promise<void>;
  close(): void;
}

/**
 * Sends by SMTP (RFC 5321), over TLS if the URL starts with `smtps:` and with STARTTLS whenever it is offered.
 * @param options.url `smtps://user:password@host:port`
 * @param options.from the sender as shown to recipients, `Earshot <post@example.org>`
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
      // In object form the address stays one address, whatever characters it contains.
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
