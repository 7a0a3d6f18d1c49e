import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { uuidV7 } from '#base/uuid-v7.ts';
import { ipPrefix } from '#server/http/client-network.ts';
import type { Queries } from '#server/storage/database/database.ts';

type AccountAction =
  | 'account.created'
  | 'account.deleted'
  | 'account.disabled'
  | 'account.enabled'
  | 'account.role-changed'
  | 'profile.changed'
  | 'quota.changed'
  | 'quota.granted'
  | 'identity.linked'
  | 'identity.unlinked'
  | 'identity.revoked'
  | 'session.created'
  | 'session.ended'
  | 'session.refused'
  | 'session.proven'
  | 'password.changed'
  | 'password.reset'
  | 'password.reset-asked'
  | 'password.reset-link-made'
  | 'email.change-asked'
  | 'email.changed'
  | 'email.change-undone'
  | 'totp.on'
  | 'totp.off'
  | 'totp.recovery-codes-renewed'
  | 'passkey.added'
  | 'passkey.removed'
  | 'passkey.counter-went-back'
  | 'sharing.policy-changed'
  | 'share.revoked';

export interface AccountEvent {
  action: AccountAction;
  /** The id of the user who did it; null if the user was not authenticated. */
  actorId: string | null;
  /** The account or session that the event is about. */
  subject: string | null;
  ip: string;
  /** Details for readers of the log; never a password, a token or an address. */
  detail?: Record<string, string | number | boolean>;
}

/** Records an account event in the transaction that caused it. */
export type RecordAccountEvent = (queries: Queries, clock: Clock, event: AccountEvent) => Promise<void>;

/** Records an account event in the transaction that caused it. */
export const recordEvent: RecordAccountEvent = async (queries, clock, event) => {
  const nowMs = clock.nowMs();
  await queries
    .insertInto('audit_events')
    .values({
      id: uuidV7(nowMs, randomBytes(16)),
      at: nowMs,
      actor_id: event.actorId,
      action: event.action,
      subject: event.subject,
      ip_prefix: ipPrefix(event.ip),
      detail: JSON.stringify(event.detail ?? {}),
    })
    .execute();
};
