import { takeOf, type Take, type TakeState } from './take.ts';

/** How far the server may be behind while its copy still counts as the same recording. */
const closeBehindMs = 5000;

/** The one truth the pill tells. Milliseconds are what the server does not have yet. */
export type SafetyFact =
  | { kind: 'server' }
  | { kind: 'server-behind'; behindMs: number }
  | { kind: 'device' }
  | { kind: 'device-behind'; behindMs: number }
  | { kind: 'offline'; keptHereMs: number }
  | { kind: 'gate-closed'; keptHereMs: number }
  | { kind: 'server-full'; keptHereMs: number }
  | { kind: 'server-trouble'; behindMs: number }
  | { kind: 'sign-in-needed' };

function factOfOnline({ progress }: Take, isOpen: boolean): SafetyFact {
  const behindMs = Math.max(0, progress.capturedMs - progress.serverMs);
  // Once stopped, only the receipt may say that everything is there.
  const isClose = isOpen && progress.serverMs > 0 && behindMs <= closeBehindMs;
  return { kind: isClose ? 'server-behind' : 'device-behind', behindMs };
}

/** Where the take's bytes are, as one fact; null while there is no take. */
export function safetyFactOf(state: TakeState): SafetyFact | null {
  const take = takeOf(state);
  if (!take) return null;
  return take.safety === 'server' ? { kind: 'server' } : factOfWaiting(take, state.status !== 'stopping' && state.status !== 'stopped');
}

function factOfWaiting(take: Take, isOpen: boolean): SafetyFact {
  const keptHereMs = Math.max(0, take.progress.capturedMs - take.progress.serverMs);
  switch (take.condition) {
    case 'unattached': return { kind: 'device' };
    case 'offline': case 'gate-closed': case 'server-full': return { kind: take.condition, keptHereMs };
    case 'server-trouble': return { kind: 'server-trouble', behindMs: keptHereMs };
    case 'capability-refused': return { kind: 'sign-in-needed' };
    case 'syncing': case 'idle': return factOfOnline(take, isOpen);
  }
}
