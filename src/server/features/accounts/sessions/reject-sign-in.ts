import { sessionChallenge } from '#server/http/pipeline/identify-caller.ts';
import { ProblemError } from '#server/http/problem.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import type { SessionsDeps } from './sessions-deps.ts';

type RejectionCode = 'invalid-credentials' | 'account-disabled' | 'mfa-invalid' | 'passkey-invalid';

/** Records a rejected proof in the audit log and throws the problem. */
export async function rejectSignIn(
  context: Pick<SessionsDeps, 'database' | 'clock'>,
  rejection: { code: RejectionCode; userId: string | null; ip: string },
): Promise<never> {
  await recordEvent(context.database.queries, context.clock, {
    action: 'session.refused',
    actorId: null,
    subject: rejection.userId,
    ip: rejection.ip,
    detail: { reason: rejection.code },
  });
  throw new ProblemError(
    rejection.code,
    rejection.code === 'account-disabled' ? {} : { headers: sessionChallenge },
  );
}
