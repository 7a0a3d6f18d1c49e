import type { Clock } from '#base/clock.ts';
import { z } from 'zod';
import { linkPaths } from '#contract/links.ts';
import { awaitedPriority, type JobHandler, type JobQueue } from '#server/jobs/job-queue.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import {
  accountChanged,
  emailChanged,
  emailCode,
  emailTaken,
  passwordReset,
  resetLinkMade,
  signUpCode,
  signUpTaken,
  type AccountChange,
  type EmailMessage,
} from '#server/mail/email-templates.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { serverI18n } from '#server/i18n/server-i18n.ts';
import { type AccountEvent, recordEvent } from './audit-log.ts';
import type { SecretBox } from './challenges/secret-box.ts';
import { findUser } from './users-store.ts';

const jobKind = 'account-mail';
const changes = [
  'password',
  'email',
  'two-step-on',
  'two-step-off',
  'passkey-added',
  'passkey-removed',
  'identity-linked',
  'identity-unlinked',
] as const satisfies readonly AccountChange[];

const letterSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sign-up-code'), code: z.string() }),
  z.object({ kind: z.literal('sign-up-taken') }),
  z.object({ kind: z.literal('email-code'), code: z.string() }),
  z.object({ kind: z.literal('email-taken') }),
  z.object({ kind: z.literal('email-changed'), newEmail: z.string(), token: z.string() }),
  z.object({ kind: z.literal('password-reset'), token: z.string() }),
  z.object({ kind: z.literal('reset-link-made'), name: z.string() }),
  z.object({ kind: z.literal('account-changed'), change: z.enum(changes) }),
]);
const orderSchema = z.object({ to: z.string(), locale: z.string().nullable(), letter: letterSchema });
type MailOrder = z.output<typeof orderSchema>;

const payloadSchema = z.object({ sealed: z.string() });

/** Emails about accounts. A server without a mailer drops them. */
export interface AccountMail {
  /** Queues an email in the given transaction, so that it is only sent if the transaction commits. A job sends it. */
  post(queries: Queries, order: MailOrder): Promise<void>;
  jobs: JobHandler[];
}

/** Links always use the configured public URL, never a host name from a request. */
function emailMessageOf(publicUrl: string, { letter, locale }: MailOrder): EmailMessage {
  const i18n = serverI18n(locale);
  switch (letter.kind) {
    case 'sign-up-code':
      return signUpCode(i18n, { code: letter.code, minutes: 10 });
    case 'sign-up-taken':
      return signUpTaken(i18n, { url: `${publicUrl}/sign-in` });
    case 'email-code':
      return emailCode(i18n, { code: letter.code, minutes: 10 });
    case 'email-taken':
      return emailTaken(i18n);
    case 'email-changed':
      return emailChanged(i18n, {
        newEmail: letter.newEmail,
        link: `${publicUrl}${linkPaths.undoEmailChange}#${letter.token}`,
        days: 7,
      });
    case 'password-reset':
      return passwordReset(i18n, {
        link: `${publicUrl}${linkPaths.resetPassword}#${letter.token}`,
        minutes: 30,
      });
    case 'reset-link-made':
      return resetLinkMade(i18n, { name: letter.name, url: `${publicUrl}/settings/security` });
    case 'account-changed':
      return accountChanged(i18n, { change: letter.change, url: `${publicUrl}/sign-in` });
  }
}

/**
 * Emails are sent by a job so that no response waits for SMTP. Their contents are encrypted in the job's row
 * because they include codes and links, which are secrets.
 */
export function createAccountMail(deps: {
  mailer: Mailer | null;
  publicUrl: string;
  queue: JobQueue;
  secrets: SecretBox;
}): AccountMail {
  const { mailer, publicUrl, queue, secrets } = deps;
  return {
    async post(queries, order) {
      if (mailer)
        await queue.enqueue(queries, {
          kind: jobKind,
          payload: { sealed: secrets.seal(JSON.stringify(order), jobKind) },
          priority: awaitedPriority,
        });
    },
    jobs: [
      {
        kind: jobKind,
        async run({ payload }) {
          const opened = secrets.open(payloadSchema.parse(payload).sealed, jobKind);
          if (opened === null) throw new Error('the email was encrypted with another secret key');
          const order = orderSchema.parse(JSON.parse(opened));
          const { subject, paragraphs } = emailMessageOf(publicUrl, order);
          await mailer?.send({ to: order.to, subject, text: `${paragraphs.join('\n\n')}\n` });
        },
      },
    ],
  };
}

/**
 * Notifies a user by email of a change to their account, if the account has an address (ASVS 6.3.7). Call
 * `queue.wake()` after the commit.
 */
export async function notifyOfChange(
  deps: { mail: AccountMail },
  queries: Queries,
  notice: { userId: string; change: AccountChange },
): Promise<void> {
  const user = await findUser(queries, notice.userId);
  if (user?.email)
    await deps.mail.post(queries, {
      to: user.email,
      locale: user.locale,
      letter: { kind: 'account-changed', change: notice.change },
    });
}

/**
 * Records a change that a user made to their own account, and notifies them by email. Call `queue.wake()` after
 * the commit.
 */
export async function recordAccountChange(
  deps: { mail: AccountMail; clock: Clock },
  queries: Queries,
  given: {
    userId: string;
    subject?: string;
    change: AccountChange;
    ip: string;
    action: AccountEvent['action'];
    detail?: AccountEvent['detail'];
  },
): Promise<void> {
  const { userId, subject = userId, ip, action, detail } = given;
  await recordEvent(queries, deps.clock, {
    action,
    actorId: userId,
    subject,
    ip,
    ...(detail ? { detail } : {}),
  });
  await notifyOfChange(deps, queries, { userId, change: given.change });
}
