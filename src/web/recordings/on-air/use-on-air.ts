import { useQuery } from '@tanstack/react-query';
import type { Share } from '#contract/shares.ts';
import { useSession } from '#web/api/session.ts';
import { activeLinks } from './active-links.ts';
import { linksFrom, onAirOf, type OnAir } from './on-air.ts';

/** Who can hear a recording. */
export interface Audience {
  /** Who hears it while it is made; null if nobody does. */
  onAir: OnAir | null;
  /** Whether a link plays what is recorded now, at once or after the end. */
  isShared: boolean;
}

const noLinks: readonly Share[] = [];

/**
 * Who can hear what is recorded now, at a moment of the recording. Call it at each use, because links expire and end.
 */
export function audienceOf(links: readonly Share[], recordingId: string, atMs: number): Audience {
  const recorded = { atMs, nowMs: Date.now() };
  return {
    onAir: onAirOf(links, recordingId, recorded),
    isShared: linksFrom(links, recordingId, recorded).length > 0,
  };
}

/** The links of the signed-in user that work now, as the server said last. */
export function useActiveLinks(isEnabled: boolean): readonly Share[] {
  const { status } = useSession();
  const { data } = useQuery({ ...activeLinks, enabled: status === 'signed-in' && isEnabled });
  return status === 'signed-in' ? (data?.items ?? noLinks) : noLinks;
}

/**
 * Who can hear what is recorded at a moment. It is computed from the links that the server has at each use, so it also
 * knows the links that were made elsewhere or before.
 * @param recordingId null if nothing is recorded
 * @param atMs how much of it was recorded
 */
export function useAudience(recordingId: string | null, atMs: number): Audience {
  const links = useActiveLinks(recordingId !== null);
  return audienceOf(recordingId === null ? noLinks : links, recordingId ?? '', atMs);
}
