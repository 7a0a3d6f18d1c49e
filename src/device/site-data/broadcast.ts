/**
 * A channel between the tabs of this browser; null where the browser has none or, because site data is
 * blocked, refuses it (Firefox).
 */
export function openBroadcast(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
