import { instantOf } from '#base/instant.ts';
import type { RunningTakeOf } from '#contract/credentials-api.ts';
import type { SessionTakes } from './sessions-deps.ts';

type RunningTake = Awaited<ReturnType<SessionTakes['running']>>[number];

export const presentTake = ({ startedAtMs, ...take }: RunningTake): RunningTakeOf => ({
  ...take,
  startedAt: instantOf(startedAtMs),
});
