import { useQuery } from '@tanstack/react-query';
import type { Share } from '#contract/shares.ts';
import { useSession } from '#web/api/session.ts';
import { activeLinks } from './active-links.ts';
import { linksFrom, onAirOf, type OnAir, type RecordedUntil } from './on-air.ts';

/** Who can hear a recording. */
export interface Audience {
  /** Who hears it while it is made; null if nobody does. */
  onAir: OnAir | null;
  /** Whether a link plays what is recorded now, at once or after the end. */
  isShared: boolean;
}

const nobody: Audience = { onAir: null, isShared: false };

const audienceOf = (links: readonly Share[], recordingId: string | null, recorded: RecordedUntil): Audience =>
  recordingId === null
    ? nobody
    : {
        onAir: onAirOf(links, recordingId, recorded),
        isShared: linksFrom(links, recordingId, recorded).length > 0,
      };

/**
 * Who can hear what is recorded at a moment. It is looked up from the links that the server has at each use, so it
 * also knows the links that were made elsewhere or before.
 * @param recordingId null if nothing is recorded
 * @param atMs how much of it was recorded
 */
export function useAudience(recordingId: string | null, atMs: number): Audience {
  const { status } = useSession();
  const { data = nobody } = useQuery({
    ...activeLinks,
    enabled: status === 'signed-in' && recordingId !== null,
    // Runs at each use, because links expire and end.
    select: ({ items }) => audienceOf(items, recordingId, { atMs, nowMs: Date.now() }),
  });
  return status === 'signed-in' ? data : nobody;
}
