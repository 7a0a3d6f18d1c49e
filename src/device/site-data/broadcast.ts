/**
 * A channel between the tabs of this browser; null if the browser doesn't support it or, because site data is
 * blocked, rejects it (Firefox).
 */
export function openBroadcast(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
