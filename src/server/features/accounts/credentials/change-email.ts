import { z } from 'zod';
import { minute } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import type { CodeSent } from '#contract/accounts-api.ts';
import { changeEmail, undoEmailChange, verifyEmail } from '#contract/credentials-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import type { SessionRow } from '#server/storage/database/schema.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { newCode, type FlowRef } from '#server/features/accounts/challenges/auth-flows.ts';
import { changeAccount, type Actor } from '#server/features/accounts/sessions/change-account.ts';
import { requireRecentAuth } from '#server/features/accounts/sessions/require-recent-auth.ts';
import { announceEnded, endSessionsOf } from '#server/features/accounts/sessions/sessions-of-user.ts';
import { emailTakenError, findUser, isEmailTaken } from '#server/features/accounts/users-store.ts';
import { type NewSignIn, issueSession } from '#server/features/accounts/sessions/issue-session.ts';
import type { AccountsTransaction, SessionsDeps } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { CredentialsDeps } from './credentials-deps.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

type ChangeEmailDeps = SessionsDeps &
  Pick<CredentialsDeps, 'queue' | 'mail' | 'hasMail' | 'flows' | 'links' | 'throttle'>;

const codeMs = 10 * minute;
const codeTries = 5;
/** The data of a flow that waits for its code. */
export const newEmailSchema = z.object({ email: z.string() });
const undoSchema = z.object({ email: z.string() });
const expired = (cause?: unknown): ProblemError => new ProblemError('code-expired', { cause });

/** Sets a user's address. Violates a unique constraint if the address is taken. */
async function setEmail(
  deps: ChangeEmailDeps,
  transaction: AccountsTransaction,
  change: { userId: string; email: string; isProven: boolean },
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({
      email: change.email,
      email_key: emailKeyOf(change.email),
      email_verified_at: change.isProven ? deps.clock.nowMs() : null,
    })
    .where('id', '=', change.userId)
    .execute();
}

/**
 * Changes the address without proof: without mail, an address is only a sign-in name.
 * @throws email-taken (409)
 */
async function changeAtOnce(deps: ChangeEmailDeps, email: string, actor: Actor): Promise<NewSignIn> {
  const { userId } = actor.principal;
  try {
    const { signIn } = await changeAccount(deps, actor, async (transaction) => {
      await setEmail(deps, transaction, { userId, email, isProven: false });
      await recordEvent(transaction, deps.clock, {
        action: 'email.changed',
        actorId: userId,
        subject: userId,
        ip: actor.ip,
      });
    });
    return signIn;
  } catch (error) {
    if (deps.database.constraintOf(error) === 'unique') throw emailTakenError(error);
    throw error;
  }
}

/**
 * Emails a code to the new address, or a notice if the address already has an account. Response and timing are the
 * same in both cases, so a caller can't find out which addresses have accounts.
 */
async function sendCode(
  deps: ChangeEmailDeps,
  email: string,
  actor: Actor & { browser: string },
): Promise<CodeSent> {
  const { flows, mail, clock } = deps;
  const {
    principal: { userId },
    ip,
    browser,
  } = actor;
  await deps.throttle.consumeMail({ ip, emailKey: emailKeyOf(email) });
  const started = await deps.database.transaction(async (transaction) => {
    const [isTaken, user, code] = [
      await isEmailTaken(transaction, email),
      await findUser(transaction, userId),
      newCode(),
    ];
    await flows.dropOf(transaction, userId, 'email-change');
    const flow = await flows.start(transaction, {
      kind: 'email-change',
      browser,
      userId,
      emailKey: emailKeyOf(email),
      data: { email },
      lifeMs: codeMs,
      tries: codeTries,
      code: isTaken ? null : code,
    });
    await mail.post(transaction, {
      to: email,
      locale: user?.locale ?? null,
      letter: isTaken ? { kind: 'email-taken' } : { kind: 'email-code', code },
    });
    await recordEvent(transaction, clock, {
      action: 'email.change-asked',
      actorId: userId,
      subject: userId,
      ip,
    });
    return flow;
  });
  deps.queue.wake();
  return { next: 'verify-email', flow: started.token, expiresAt: instantOf(started.expiresAtMs) };
}

async function applyNewEmail(
  deps: ChangeEmailDeps,
  transaction: AccountsTransaction,
  change: { ref: FlowRef; userId: string; ip: string },
): Promise<void> {
  const { ref, userId, ip } = change;
  const flow = await deps.flows.consume(transaction, ref, newEmailSchema);
  const user = await findUser(transaction, userId);
  if (!flow || flow.userId !== userId || !user) throw expired();
  await setEmail(deps, transaction, { userId, email: flow.data.email, isProven: true });
  await deps.links.dropResets(transaction, userId);
  await recordEvent(transaction, deps.clock, {
    action: 'email.changed',
    actorId: userId,
    subject: userId,
    ip,
  });
  if (user.email === null) return;
  const { token } = await deps.links.issue(transaction, {
    kind: 'email-undo',
    userId,
    data: { email: user.email } satisfies z.input<typeof undoSchema>,
  });
  await deps.mail.post(transaction, {
    to: user.email,
    locale: user.locale,
    letter: { kind: 'email-changed', newEmail: flow.data.email, token },
  });
}

async function verify(
  deps: ChangeEmailDeps,
  given: { flow: string; code: string },
  actor: Actor & { browser: string | null },
): Promise<NewSignIn> {
  const { userId } = actor.principal;
  await deps.throttle.consumeProof(actor.ip);
  const ref: FlowRef = { kind: 'email-change', token: given.flow, browser: actor.browser };
  const flow = await deps.flows.attempt(deps.database.queries, ref, newEmailSchema);
  if (!flow || flow.userId !== userId) throw expired();
  if (!flow.isCodeRight(given.code))
    throw new ProblemError('code-invalid', { errors: [{ pointer: '/code', code: 'code-invalid' }] });
  try {
    const { signIn } = await changeAccount(deps, actor, (transaction) =>
      applyNewEmail(deps, transaction, { ref, userId, ip: actor.ip }),
    );
    deps.queue.wake();
    return signIn;
  } catch (error) {
    // Another user has verified the same address in the meantime.
    if (deps.database.constraintOf(error) === 'unique') throw expired(error);
    throw error;
  }
}

/**
 * Restores the address that the link names, regardless of the current one, revokes the links of later changes, and
 * ends all sessions.
 * @throws code-expired (410) if the link is invalid, or if another account now has the address
 */
async function undo(deps: ChangeEmailDeps, token: string, ip: string): Promise<SessionRow[]> {
  const { database, links, flows, clock } = deps;
  try {
    return await database.transaction(async (transaction) => {
      const userId = await links.findOwner(transaction, 'email-undo', token);
      if (userId === null) throw expired();
      // Lock the user before consuming the link, because two undo links of one user revoke each other.
      await database.lockUser(transaction, userId);
      const link = await links.consume(transaction, { kind: 'email-undo', token }, undoSchema);
      if (!link) throw expired();
      const {
        data: { email },
        createdAtMs,
      } = link;
      await links.dropUndosSince(transaction, userId, createdAtMs);
      await setEmail(deps, transaction, { userId, email, isProven: true });
      await flows.dropOf(transaction, userId);
      await links.dropResets(transaction, userId);
      await recordEvent(transaction, clock, {
        action: 'email.change-undone',
        actorId: userId,
        subject: userId,
        ip,
      });
      return endSessionsOf(deps, transaction, { userId });
    });
  } catch (error) {
    if (database.constraintOf(error) === 'unique') throw expired(error);
    throw error;
  }
}

/** Routes that change the user's email address, verify the new one, and undo a change. */
export function emailRoutes(deps: ChangeEmailDeps): Route[] {
  const { cookies, clock, throttle } = deps;
  return [
    route(changeEmail, async (context) => {
      const {
        body: { email },
        ip,
        request,
        reply,
      } = context;
      const actor = { principal: requireRecentAuth(sessionOf(context), clock), ip };
      if (!deps.hasMail)
        return { status: 200, body: issueSession(deps, await changeAtOnce(deps, email, actor), reply) };
      return {
        status: 202,
        body: await sendCode(deps, email, { ...actor, browser: cookies.nameFlowBrowser(request, reply) }),
      };
    }),
    route(verifyEmail, async (context) => {
      const { body, ip, request, reply } = context;
      return {
        body: issueSession(
          deps,
          await verify(deps, body, {
            principal: sessionOf(context),
            ip,
            browser: cookies.flowBrowser(request),
          }),
          reply,
        ),
      };
    }),
    route(undoEmailChange, async ({ body, ip }) => {
      await throttle.consumeProof(ip);
      announceEnded(deps, await undo(deps, body.token, ip));
      return { status: 204 };
    }),
  ];
}
