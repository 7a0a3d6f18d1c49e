import { z } from 'zod';
import { instantOf } from '#base/instant.ts';
import {
  startPasskeyRegistration,
  finishPasskeyRegistration,
  listPasskeys as listPasskeysEndpoint,
  removePasskey,
  renamePasskey as renamePasskeyEndpoint,
} from '#contract/credentials-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { changeAccount } from '#server/features/accounts/sessions/change-account.ts';
import { requireRecentAuth } from '#server/features/accounts/sessions/require-recent-auth.ts';
import { announceEnded, endSessionsOf } from '#server/features/accounts/sessions/sessions-of-user.ts';
import { countUsableCredentials } from './usable-credentials.ts';
import { findUser } from '#server/features/accounts/users-store.ts';
import { ceremonyMs } from './passkey-ceremony.ts';
import {
  deletePasskey,
  insertPasskey,
  listPasskeys,
  passkeyName,
  presentPasskey,
  renamePasskey,
} from './passkeys-store.ts';
import { recordAccountChange } from '#server/features/accounts/account-mail.ts';
import { issueSession } from '#server/features/accounts/sessions/issue-session.ts';
import type { SessionsDeps } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { CredentialsDeps } from './credentials-deps.ts';

type PasskeyDeps = SessionsDeps &
  Pick<CredentialsDeps, 'queue' | 'mail' | 'flows' | 'ceremony' | 'isUsableIdentity'>;

const challengeSchema = z.object({ challenge: z.string() });

function startRoute(deps: PasskeyDeps): Route {
  const { database, clock, cookies, flows, ceremony } = deps;
  return route(startPasskeyRegistration, async (context) => {
    const { userId } = requireRecentAuth(sessionOf(context), clock);
    const user = await findUser(database.queries, userId);
    if (!user) throw new ProblemError('session-expired');
    const options = ceremony.creation({
      userId,
      name: user.email ?? user.display_name,
      displayName: user.display_name,
      known: await listPasskeys(database.queries, userId),
    });
    const browser = cookies.nameFlowBrowser(context.request, context.reply);
    await flows.dropOf(database.queries, userId, 'passkey-register');
    const { token, expiresAtMs } = await flows.start(database.queries, {
      kind: 'passkey-register',
      browser,
      userId,
      lifeMs: ceremonyMs,
      data: { challenge: options.challenge },
    });
    return { body: { flow: token, options, expiresAt: instantOf(expiresAtMs) } };
  });
}

function finishRoute(deps: PasskeyDeps): Route {
  const { database, clock, cookies, flows, ceremony } = deps;
  return route(finishPasskeyRegistration, async (context) => {
    const { body, ip, request, reply } = context;
    const principal = requireRecentAuth(sessionOf(context), clock);
    const { userId } = principal;
    const flow = await flows.consume(
      database.queries,
      { kind: 'passkey-register', token: body.flow, browser: cookies.flowBrowser(request) },
      challengeSchema,
    );
    if (!flow || flow.userId !== userId) throw new ProblemError('flow-expired');
    const passkey = await ceremony.checkAttestation(body.credential, flow.data.challenge);
    if (!passkey) throw new ProblemError('passkey-refused');
    try {
      const { signIn, result } = await changeAccount(deps, { principal, ip }, async (transaction) => {
        const row = await insertPasskey(
          transaction,
          { userId, passkey, name: passkeyName(body.name, request.headers['user-agent']) },
          clock.nowMs(),
        );
        await recordAccountChange(deps, transaction, {
          action: 'passkey.added',
          userId,
          subject: row.id,
          ip,
          change: 'passkey-added',
        });
        return row;
      });
      deps.queue.wake();
      return { status: 201, body: { ...issueSession(deps, signIn, reply), passkey: presentPasskey(result) } };
    } catch (error) {
      if (database.constraintOf(error) === 'unique')
        throw new ProblemError('passkey-refused', { cause: error });
      throw error;
    }
  });
}

function removeRoute(deps: PasskeyDeps): Route {
  return route(removePasskey, async (context) => {
    const {
      params: { passkeyId },
      ip,
      reply,
    } = context;
    const principal = requireRecentAuth(sessionOf(context), deps.clock);
    const { userId, sessionId } = principal;
    const { signIn, result: ended } = await changeAccount(deps, { principal, ip }, async (transaction) => {
      if (!(await deletePasskey(transaction, { id: passkeyId, userId }))) throw new ProblemError('not-found');
      if ((await countUsableCredentials(transaction, userId, deps.isUsableIdentity)) === 0)
        throw new ProblemError('last-credential');
      await recordAccountChange(deps, transaction, {
        action: 'passkey.removed',
        userId,
        subject: passkeyId,
        ip,
        change: 'passkey-removed',
      });
      await deps.flows.dropOf(transaction, userId, 'second-factor');
      // A session does not record which passkey started it, so end all passkey sessions.
      return endSessionsOf(deps, transaction, { userId, exceptId: sessionId, method: 'passkey' });
    });
    deps.queue.wake();
    announceEnded(deps, ended);
    return { body: issueSession(deps, signIn, reply) };
  });
}

/** Routes for the user's own passkeys. */
export function passkeyRoutes(deps: PasskeyDeps): Route[] {
  const { queries } = deps.database;
  return [
    route(listPasskeysEndpoint, async (context) => ({
      body: { items: (await listPasskeys(queries, sessionOf(context).userId)).map(presentPasskey) },
    })),
    startRoute(deps),
    finishRoute(deps),
    removeRoute(deps),
    route(renamePasskeyEndpoint, async (context) => {
      const row = await renamePasskey(queries, {
        id: context.params.passkeyId,
        userId: sessionOf(context).userId,
        name: context.body.name,
      });
      if (!row) throw new ProblemError('not-found');
      return { body: presentPasskey(row) };
    }),
  ];
}
