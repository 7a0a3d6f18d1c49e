import { instantOf, instantOrNull } from '#base/instant.ts';
import { disableUser, enableUser } from '#contract/administration-api.ts';
import { changeUser, createResetLink, listUsers, type ManagedUser } from '#contract/credentials-api.ts';
import { linkPaths } from '#contract/links.ts';
import { adminOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { route, type Route, type RouteContext } from '#server/http/route.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { UserRow } from '#server/storage/database/schema.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { presentUser } from '#server/features/accounts/present.ts';
import { requireRecentAuth } from '#server/features/accounts/sessions/require-recent-auth.ts';
import { findUser } from '#server/features/accounts/users-store.ts';
import { announceEnded } from '#server/features/accounts/sessions/sessions-of-user.ts';
import { missingQuotaRoutes } from './grant-quotas.ts';
import { setDisabled } from './set-disabled.ts';
import type { AdministrationDeps } from './administration-deps.ts';

type ListedRow = UserRow & {
  last_seen_at: number | null;
  password_id: string | null;
  totp_user_id: string | null;
  quota_bytes: number | null;
};

const people = (queries: Queries) =>
  queries
    .selectFrom('users')
    .selectAll('users')
    .select((eb) => [
      eb
        .selectFrom('sessions')
        .whereRef('sessions.user_id', '=', 'users.id')
        .select((inner) => inner.fn.max('sessions.last_seen_at').as('at'))
        .as('last_seen_at'),
      eb
        .selectFrom('credentials')
        .whereRef('credentials.user_id', '=', 'users.id')
        .where('credentials.kind', '=', 'password')
        .select('credentials.id')
        .as('password_id'),
      eb
        .selectFrom('quotas')
        .whereRef('quotas.user_id', '=', 'users.id')
        .select('quotas.quota_bytes')
        .as('quota_bytes'),
      eb
        .selectFrom('totp')
        .whereRef('totp.user_id', '=', 'users.id')
        .select('totp.user_id')
        .as('totp_user_id'),
    ])
    .where('users.id', 'not in', queries.selectFrom('departed_users').select('departed_users.user_id'));

async function page(
  queries: Queries,
  given: { cursor: string | undefined; limit: number },
): Promise<ListedRow[]> {
  const from =
    given.cursor === undefined ? people(queries) : people(queries).where('users.id', '<', given.cursor);
  // Ids are UUIDv7, so sorting by id sorts by time of registration.
  return from.orderBy('users.id', 'desc').limit(given.limit).execute();
}

const present = (row: ListedRow): ManagedUser => ({
  ...presentUser(row),
  lastSeenAt: instantOrNull(row.last_seen_at),
  disabledAt: instantOrNull(row.disabled_at),
  hasPassword: row.password_id !== null,
  hasTotp: row.totp_user_id !== null,
  quotaBytes: row.quota_bytes,
});

async function setQuota(queries: Queries, userId: string, quotaBytes: number | null): Promise<void> {
  await queries.deleteFrom('quotas').where('user_id', '=', userId).execute();
  if (quotaBytes !== null)
    await queries.insertInto('quotas').values({ user_id: userId, quota_bytes: quotaBytes }).execute();
}

/**
 * Disables or enables an account for an administrator. Administrators can't disable their own account, so at least
 * one always remains enabled.
 */
async function changeAccess(
  deps: AdministrationDeps,
  given: { userId: string; isDisabled: boolean; admin: SessionPrincipal; ip: string },
): Promise<ManagedUser> {
  const { userId, isDisabled, admin, ip } = given;
  if (isDisabled && userId === admin.userId) throw new ProblemError('own-account');
  const { change, ended } = await setDisabled(deps, {
    account: { id: userId },
    isDisabled,
    actorId: admin.userId,
    ip,
  });
  if (change === 'unknown') throw new ProblemError('not-found');
  if (change === 'last') throw new ProblemError('last-admin');
  announceEnded(deps, ended);
  return present(
    await people(deps.database.queries).where('users.id', '=', userId).executeTakeFirstOrThrow(),
  );
}

function accessRoutes(deps: AdministrationDeps): Route[] {
  const change = async (
    context: Pick<RouteContext<unknown>, 'principal' | 'ip'>,
    userId: string,
    isDisabled: boolean,
  ) => {
    const admin = requireRecentAuth(adminOf(context), deps.clock);
    return { body: await changeAccess(deps, { userId, isDisabled, admin, ip: context.ip }) };
  };
  return [
    route(disableUser, (context) => change(context, context.params.userId, true)),
    route(enableUser, (context) => change(context, context.params.userId, false)),
  ];
}

/** The administrators' routes on accounts. They never expose recordings. */
export function peopleRoutes(deps: AdministrationDeps): Route[] {
  const { database, clock, links, publicUrl } = deps;
  return [
    ...accessRoutes(deps),
    ...missingQuotaRoutes(deps),
    route(listUsers, async (context) => {
      adminOf(context);
      const { cursor, limit } = context.query;
      const rows = await page(database.queries, { cursor, limit: limit + 1 });
      const items = rows.slice(0, limit).map(present);
      return { body: { items, nextCursor: rows.length > items.length ? (items.at(-1)?.id ?? null) : null } };
    }),
    route(changeUser, async (context) => {
      const admin = adminOf(context);
      const {
        params: { userId },
        body: { quotaBytes },
        ip,
      } = context;
      const user = await database.transaction(async (transaction) => {
        const found = await people(transaction).where('users.id', '=', userId).executeTakeFirst();
        if (!found) throw new ProblemError('not-found');
        await setQuota(transaction, userId, quotaBytes);
        await recordEvent(transaction, clock, {
          action: 'quota.changed',
          actorId: admin.userId,
          subject: userId,
          ip,
          detail: { quotaBytes: quotaBytes ?? 'default' },
        });
        return { ...found, quota_bytes: quotaBytes };
      });
      return { body: present(user) };
    }),
    route(createResetLink, async (context) => {
      const admin = requireRecentAuth(adminOf(context), clock);
      const {
        params: { userId },
        ip,
      } = context;
      const { token, expiresAtMs } = await database.transaction(async (transaction) => {
        const user = await findUser(transaction, userId);
        if (!user || user.disabled_at !== null) throw new ProblemError('not-found');
        await recordEvent(transaction, clock, {
          action: 'password.reset-link-made',
          actorId: admin.userId,
          subject: userId,
          ip,
        });
        const name = (await findUser(transaction, admin.userId))?.display_name ?? '–';
        if (user.email !== null)
          await deps.mail.post(transaction, {
            to: user.email,
            locale: user.locale,
            letter: { kind: 'reset-link-made', name },
          });
        return links.issue(transaction, { kind: 'password-reset', userId });
      });
      deps.queue.wake();
      return {
        status: 201,
        body: { url: `${publicUrl}${linkPaths.resetPassword}#${token}`, expiresAt: instantOf(expiresAtMs) },
      };
    }),
  ];
}
