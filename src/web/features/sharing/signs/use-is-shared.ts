import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { day } from '#base/duration.ts';
import type { Share } from '#contract/shares.ts';
import { activeLinks } from '#web/recordings/on-air/active-links.ts';

/** By list of links: every row of the library asks, and the list changes rarely. */
const knownEnds = new WeakMap<readonly Share[], ReadonlyMap<string, number>>();

/** When the last of a recording's links expires, by recording, in milliseconds since the epoch. */
function endsOf({ items }: { items: readonly Share[] }): ReadonlyMap<string, number> {
  const known = knownEnds.get(items);
  if (known) return known;
  const ends = new Map<string, number>();
  for (const { recordingId, expiresAt } of items) {
    const endMs = expiresAt === null ? Infinity : Date.parse(expiresAt);
    ends.set(recordingId, Math.max(endMs, ends.get(recordingId) ?? 0));
  }
  knownEnds.set(items, ends);
  return ends;
}

/** Whether a time is over. Renders again when it is, within a day. */
function useIsPast(timeMs: number): boolean {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const restMs = timeMs - Date.now();
    // Browsers run longer timers at once.
    if (timeMs === 0 || restMs > day) return;
    const timer = setTimeout(() => setNowMs(Date.now()), Math.max(0, restMs));
    return () => clearTimeout(timer);
  }, [timeMs]);
  return timeMs <= nowMs;
}

/**
 * Whether others can listen to a recording by a link. False while that is not known: a missing sign promises
 * nothing, a wrong one would.
 */
export function useIsShared(recordingId: string, isEnabled: boolean): boolean {
  const { data } = useQuery({ ...activeLinks, select: endsOf, enabled: isEnabled });
  const endMs = data?.get(recordingId) ?? 0;
  return !useIsPast(endMs);
}
