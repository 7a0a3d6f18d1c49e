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
  | { kind: 'sign-in-needed' }
  /** This device has not stored it: what the server lacks is in this page's memory alone. */
  | { kind: 'memory'; behindMs: number };

function factOfOnline(take: Take, isOpen: boolean): SafetyFact {
  const { progress } = take;
  const behindMs = behindMsOf(take);
  // Once stopped, only the receipt may say that everything is there.
  const isClose = isOpen && progress.serverMs > 0 && behindMs <= closeBehindMs;
  return { kind: isClose ? 'server-behind' : 'device-behind', behindMs };
}

/** Where the take's bytes are, as one fact; null while there is no take. */
export function safetyFactOf(state: TakeState): SafetyFact | null {
  const take = takeOf(state);
  if (!take) return null;
  if (take.safety === 'server') return { kind: 'server' };
  const fact = factOfWaiting(take, state.status !== 'stopping' && state.status !== 'stopped');
  return isInMemory(take) && claimsDevice.has(fact.kind) ? { kind: 'memory', behindMs: behindMsOf(take) } : fact;
}

/** Some of the sound is not stored on this device. */
export const isInMemory = ({ journal, keeping }: Pick<Take, 'journal' | 'keeping'>): boolean => journal === 'memory' || keeping !== 'disk';

/** The facts whose words say that this device has stored the take. */
const claimsDevice: ReadonlySet<SafetyFact['kind']> = new Set(['device', 'device-behind', 'gate-closed', 'server-trouble', 'sign-in-needed']);

const behindMsOf = ({ progress }: Take): number => Math.max(0, progress.capturedMs - progress.serverMs);

function factOfWaiting(take: Take, isOpen: boolean): SafetyFact {
  const keptHereMs = behindMsOf(take);
  switch (take.condition) {
    case 'unattached': return { kind: 'device' };
    case 'offline': case 'gate-closed': case 'server-full': return { kind: take.condition, keptHereMs };
    case 'server-trouble': return { kind: 'server-trouble', behindMs: keptHereMs };
    case 'capability-refused': return { kind: 'sign-in-needed' };
    case 'syncing': case 'idle': return factOfOnline(take, isOpen);
  }
}
