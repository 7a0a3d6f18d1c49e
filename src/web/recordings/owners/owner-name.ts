import { ownerNameOf } from '#device/takes/owner-names.ts';
import { iso } from '#web/i18n/iso.ts';

/** The masked address of the owner of takes on this device, ready for a sentence; null if it is not known. */
export function ownerName(ownerId: string): string | null {
  const name = ownerNameOf(ownerId);
  return name === null ? null : iso(name);
}
