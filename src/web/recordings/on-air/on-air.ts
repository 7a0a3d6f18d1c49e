import type { Share } from '#contract/shares.ts';

/** What links give out of a recording that is being made. */
export interface OnAir {
  /** The widest audience of the links. `password`: anyone with the link and its password. */
  audience: 'anyone' | 'password' | 'account' | 'named';
  /** How many people may listen if all of them are named; null otherwise. */
  peopleCount: number | null;
  /** How many pages of the links are open now; null if the server doesn't say. */
  listeningCount: number | null;
  /** The shortest delay of the links. */
  delayMs: number;
}

const widestFirst = ['anyone', 'password', 'account', 'named'] as const;

const audienceOf = ({
  audience,
  hasPassword,
}: Pick<Share, 'audience' | 'hasPassword'>): OnAir['audience'] => {
  if (audience === 'named') return 'named';
  if (audience === 'installation') return 'account';
  return hasPassword ? 'password' : 'anyone';
};

/** A moment of a recording, and the time of day. */
export interface RecordedUntil {
  /** How much was recorded. */
  atMs: number;
  nowMs: number;
}

/**
 * The links that give out what is recorded from a moment on, now or once the recording has ended: those that work and
 * whose part isn't over.
 */
export const linksFrom = (
  links: readonly Share[],
  recordingId: string,
  { atMs, nowMs }: RecordedUntil,
): readonly Share[] =>
  links.filter(
    (link) =>
      link.recordingId === recordingId &&
      link.state === 'active' &&
      (link.expiresAt === null || Date.parse(link.expiresAt) > nowMs) &&
      (link.toMs === null || link.toMs > atMs),
  );

const sumOf = (counts: readonly (number | null)[]): number | null =>
  counts.reduce<number | null>((sum, count) => (sum === null || count === null ? null : sum + count), 0);

/** What live links give out of what is recorded from a moment on; null if nobody can hear it. */
export function onAirOf(links: readonly Share[], recordingId: string, moment: RecordedUntil): OnAir | null {
  const live = linksFrom(links, recordingId, moment).filter((link) => link.live !== null);
  if (live.length === 0) return null;
  const audiences = live.map(audienceOf);
  const audience = widestFirst.find((wide) => audiences.includes(wide)) ?? 'anyone';
  return {
    audience,
    peopleCount: audience === 'named' ? new Set(live.flatMap(({ people }) => people)).size : null,
    listeningCount: sumOf(live.map(({ listeningCount }) => listeningCount)),
    delayMs: Math.min(...live.map((link) => link.live?.delayMs ?? 0)),
  };
}
