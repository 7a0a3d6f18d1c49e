import { readFileSync } from 'node:fs';

/** Enough for a thousand simultaneous takes, with two growing blobs each. */
const usually = 2048;
const atMost = 65_536;

/** The descriptors that this process may have open, or null where the system does not say (other than Linux). */
function descriptorLimit(): number | null {
  try {
    const [, soft] =
      /^Max open files\s+(\d+|unlimited)/mu.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === 'unlimited' ? atMost * 2 : soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/**
 * Returns how many blobs may stay open between appends: half of what the process may open, so that connections have
 * the other half.
 */
export function openFilesAllowed(): number {
  const limit = descriptorLimit();
  return limit === null ? usually : Math.max(64, Math.min(atMost, Math.floor(limit / 2)));
}
