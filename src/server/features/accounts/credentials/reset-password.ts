import { z } from 'zod';
import { instantOf, instantOrNull } from '#base/instant.ts';
import { checkPasswordReset, forgotPassword, resetPassword } from '#contract/credentials-api.ts';
import type { ParsedBodyOf } from '#contract/endpoint.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { awaitedPriority, type JobHandler } from '#server/jobs/job-queue.ts';
import type { SessionRow } from '#server/storage/database/schema.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { listPasskeys } from './passkeys-store.ts';
import { presentTake } from '#server/features/accounts/sessions/present-take.ts';
import { announceEnded, endSessionsOf } from '#server/features/accounts/sessions/sessions-of-user.ts';
import { hasTotp } from './totp-store.ts';
import { countUsableCredentials } from './usable-credentials.ts';
import { findUser } from '#server/features/accounts/users-store.ts';
import { checkNewPassword } from './password-rules.ts';
import { setPassword } from '#server/features/accounts/password-store.ts';
import { recordAccountChange } from '#server/features/accounts/account-mail.ts';
import type { AccountsTransaction, SessionsDeps } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { CredentialsDeps } from './credentials-deps.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

type ResetPasswordDeps = SessionsDeps &
  Pick<
    CredentialsDeps,
    | 'queue'
    | 'secrets'
    | 'mail'
    | 'hasMail'
    | 'flows'
    | 'links'
    | 'throttle'
    | 'ceiling'
    | 'passwords'
    | 'isUsableIdentity'
  >;

const forgotJob = 'forgot-password';
const forgotSchema = z.object({ sealed: z.string() });
const expired = (): ProblemError => new ProblemError('code-expired');

/**
 * Looks up the account in a job and not in the request, so that the response and its timing are the same for every
 * address. A retry after a failure issues a new link, which revokes the previous one.
 */
export function forgotPasswordJob(deps: ResetPasswordDeps): JobHandler {
  const { database, secrets, links, mail, clock } = deps;
  return {
    kind: forgotJob,
    async run({ payload }) {
      const email = secrets.open(forgotSchema.parse(payload).sealed, forgotJob);
      // The request was encrypted with another secret key, so its address is unknown.
      if (email === null) return;
      const emailKey = emailKeyOf(email);
      await database.transaction(async (transaction) => {
        const user = await transaction
          .selectFrom('users')
          .selectAll()
          .where('email_key', '=', emailKey)
          .where('disabled_at', 'is', null)
          .executeTakeFirst();
        if (!user?.email) return;
        const { token } = await links.issue(transaction, { kind: 'password-reset', userId: user.id });
        await mail.post(transaction, {
          to: user.email,
          locale: user.locale,
          letter: { kind: 'password-reset', token },
        });
        await recordEvent(transaction, clock, {
          action: 'password.reset-asked',
          actorId: null,
          subject: user.id,
          ip: '',
        });
      });
      deps.queue.wake();
    },
  };
}

/**
 * A reset removes all credentials that the owner did not select, because an attacker may have added them (USENIX
 * 2022, "trojan identifier").
 */
async function dropUnnamed(
  transaction: AccountsTransaction,
  userId: string,
  named: { identities: string[]; passkeys: string[] },
): Promise<void> {
  const notNamed = (ids: string[]): string[] => (ids.length > 0 ? ids : ['']);
  await transaction
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where('id', 'not in', notNamed(named.identities))
    .execute();
  await transaction
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', 'not in', notNamed(named.passkeys))
    .execute();
}

async function reset(
  deps: ResetPasswordDeps,
  body: ParsedBodyOf<typeof resetPassword>,
  ip: string,
): Promise<SessionRow[]> {
  const { database, links, flows, clock, ceiling, passwords } = deps;
  const owner = await links.findOwner(database.queries, 'password-reset', body.token);
  const user = owner === null ? null : await findUser(database.queries, owner);
  if (!user || user.disabled_at !== null) throw expired();
  // Checked before the link is consumed, so that the user can try again with a better password.
  await checkNewPassword(
    body.newPassword,
    { email: user.email ?? '', displayName: user.display_name },
    '/newPassword',
  );
  const hash = await passwords.hash(body.newPassword, { purpose: 'sign-in', client: ip });
  const ended = await database.transaction(async (transaction) => {
    await database.lockUser(transaction, user.id);
    const link = await links.consume(transaction, { kind: 'password-reset', token: body.token }, z.unknown());
    if (link?.userId !== user.id) throw expired();
    await setPassword(transaction, { userId: user.id, hash }, clock.nowMs());
    await dropUnnamed(transaction, user.id, {
      identities: body.keepIdentities,
      passkeys: body.keepPasskeys,
    });
    // A password can't be used without an email address. Throwing here rolls the transaction back, so the link
    // stays valid.
    if ((await countUsableCredentials(transaction, user.id, deps.isUsableIdentity)) === 0)
      throw new ProblemError('last-credential');
    await flows.dropOf(transaction, user.id);
    await ceiling.clear(transaction, user.email_key);
    await recordAccountChange(deps, transaction, {
      action: 'password.reset',
      userId: user.id,
      ip,
      change: 'password',
    });
    return endSessionsOf(deps, transaction, { userId: user.id, finishTakesOf: body.finishTakesOf });
  });
  await deps.throttle.forgetAccount(user.email_key);
  deps.queue.wake();
  return ended;
}

/** Routes for a forgotten password: request a link, check it, and set the new password. */
export function resetPasswordRoutes(deps: ResetPasswordDeps): Route[] {
  const { database, queue, secrets, throttle, links } = deps;
  return [
    route(forgotPassword, async ({ body, ip }) => {
      if (!deps.hasMail) throw new ProblemError('mail-not-configured');
      await throttle.consumeMail({ ip, emailKey: emailKeyOf(body.email) });
      await queue.enqueue(database.queries, {
        kind: forgotJob,
        payload: { sealed: secrets.seal(body.email, forgotJob) },
        priority: awaitedPriority,
      });
      queue.wake();
      return { status: 204 };
    }),
    route(checkPasswordReset, async ({ body, ip }) => {
      await throttle.consumeProof(ip);
      const { queries } = database;
      const userId = await links.findOwner(queries, 'password-reset', body.token);
      const user = userId === null ? null : await findUser(queries, userId);
      if (!user) throw expired();
      const identities = await queries
        .selectFrom('identities')
        .selectAll()
        .where('user_id', '=', user.id)
        .orderBy('linked_at')
        .execute();
      const passkeys = await listPasskeys(queries, user.id);
      return {
        body: {
          email: user.email,
          hasTotp: await hasTotp(queries, user.id),
          takes: (await deps.takes.running(queries, user.id)).map(presentTake),
          identities: identities.map((row) => ({
            id: row.id,
            provider: row.provider,
            label: row.label ?? '',
            addedAt: instantOf(row.linked_at),
            lastUsedAt: instantOrNull(row.last_used_at),
          })),
          passkeys: passkeys.map((row) => ({
            id: row.id,
            label: row.name,
            addedAt: instantOf(row.created_at),
            lastUsedAt: instantOrNull(row.last_used_at),
          })),
        },
      };
    }),
    route(resetPassword, async ({ body, ip }) => {
      await throttle.consumeProof(ip);
      announceEnded(deps, await reset(deps, body, ip));
      return { status: 204 };
    }),
  ];
}
