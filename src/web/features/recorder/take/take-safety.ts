import { type DeviceFacts, type Safety, safetyOf } from '#device/takes/recording-state.ts';
import type { OwnerStandings } from '#device/takes/owner-standings.ts';
import { type BlockReason, blockReasonOf } from '#device/takes/block-reason.ts';
import { ownerFor, type ViewerFacts } from '#device/takes/viewer.ts';
import { transferIn } from '#web/recordings/state/transfers.ts';
import { takeOf, type Take, type TakeState } from './take.ts';

/** How many milliseconds the server may be behind and still count as having the take. */
const closeBehindMs = 5000;

/** Whether part of the audio is not stored on this device. */
export const isInMemory = ({ journal, storageTarget }: Pick<Take, 'journal' | 'storageTarget'>): boolean =>
  journal === 'memory' || storageTarget !== 'disk';

const behindMsOf = ({ progress }: Take): number => Math.max(0, progress.capturedMs - progress.serverMs);

function receiptOf(take: Take, isOpen: boolean): DeviceFacts['receipt'] {
  if (take.safety === 'server') return 'whole';
  // After Stop, only a receipt confirms that the server has everything.
  const isClose =
    isOpen &&
    transferIn(take.condition) === 'moving' &&
    take.progress.serverMs > 0 &&
    behindMsOf(take) <= closeBehindMs;
  return isClose ? 'so-far' : 'none';
}

/** The user who sees a take, and the takes without an owner that this user gets (device/takes/claims.ts). */
interface TakeView extends ViewerFacts {
  claimed: ReadonlySet<string>;
}

const noView: TakeView = { userId: null, claimed: new Set() };

/** Why the server doesn't take a take of this page; null if it does, or may. */
export const takeBlockReasonOf = (
  { ownerId, rejection }: Take,
  standings: OwnerStandings,
): BlockReason | null =>
  blockReasonOf({ ownerId, isRejected: rejection !== undefined, rejection }, standings);

/** The facts about a take that this page is recording or has just stopped. */
export function takeFactsOf(
  take: Take,
  { isOpen, blockReason, ...view }: TakeView & { isOpen: boolean; blockReason: BlockReason | null },
): DeviceFacts {
  return {
    isCapturing: isOpen,
    receipt: receiptOf(take, isOpen),
    isStored: !isInMemory(take),
    owner: ownerOf(take, view),
    transfer: transferIn(take.condition),
    ...(blockReason !== null && { blockReason }),
  };
}

/** A take without an owner counts as the signed-in user's if that user gets it without confirmation. */
function ownerOf(take: Take, { userId, tab, claimed }: TakeView): DeviceFacts['owner'] {
  const isClaimed = take.ownerId === null && userId !== null && claimed.has(take.id);
  return isClaimed ? 'me' : ownerFor(take, { userId, tab });
}

export interface TakeSafety {
  safety: Safety;
  /** The length that the server does not have yet, in milliseconds. */
  behindMs: number;
  condition: Take['condition'];
}

/**
 * Where the bytes of the take are; null while there is no take.
 * @param blockReason why the server doesn't take it (`takeBlockReasonOf`)
 */
export function takeSafetyOf(state: TakeState, blockReason: BlockReason | null): TakeSafety | null {
  const take = takeOf(state);
  if (!take) return null;
  const isOpen = state.status !== 'stopping' && state.status !== 'stopped';
  const safety = safetyOf(takeFactsOf(take, { isOpen, blockReason, ...noView }));
  // What the server will not take is not behind.
  const behindMs = take.safety === 'server' || blockReason !== null ? 0 : behindMsOf(take);
  return { safety, behindMs, condition: take.condition };
}
