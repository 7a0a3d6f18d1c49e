import { storedIds } from '#web/api/support/stored-ids.ts';

const kept = storedIds('localStorage', 'earshot.not-mine');

/** Which takes of nobody a person has said are not theirs; remembered in this browser, so that nobody is asked twice. */
export const notMine = {
  has: (userId: string, takeId: string): boolean => kept.read().includes(`${userId}:${takeId}`),
  /** Whether another person has answered the question on this device: it has several users then. */
  isAnsweredByOthers: (userId: string): boolean => kept.read().some((entry) => !entry.startsWith(`${userId}:`)),
  add: (userId: string, takeIds: readonly string[]): void => kept.keep(new Set([...kept.read(), ...takeIds.map((takeId) => `${userId}:${takeId}`)]), 1000),
};
