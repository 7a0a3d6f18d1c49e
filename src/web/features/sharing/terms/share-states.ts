import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Share, ShareState } from '#contract/shares.ts';

interface StateMessages {
  label: MessageDescriptor;
  /** `neutral`: works; `warn`: does not, but can again; `ended`: never again. */
  tone: 'neutral' | 'warn' | 'ended';
}

/** The state of a link, as its owner reads it. */
export const shareStateMessages: Record<ShareState, StateMessages> = {
  active: { label: msg({ message: 'Active', comment: 'A link that works' }), tone: 'neutral' },
  suspended: { label: msg({ message: 'Suspended', comment: 'A link that does not work now' }), tone: 'warn' },
  expired: { label: msg({ message: 'Expired', comment: 'A link whose time is over' }), tone: 'warn' },
  'used-up': {
    label: msg({ message: 'Used up', comment: 'A link that was listened to as often as allowed' }),
    tone: 'warn',
  },
  revoked: { label: msg({ message: 'Revoked', comment: 'A link that its owner ended' }), tone: 'ended' },
};

const suspensions: Record<NonNullable<Share['suspendedBy']>, MessageDescriptor> = {
  trash: msg`The link doesn’t work, because the recording is in the trash.`,
  restore: msg`The link is off, because the recording was in the trash.`,
  'owner-disabled': msg`The link doesn’t work, because its account is turned off.`,
  policy: msg`The link doesn’t work, because the rules of this server don’t allow it.`,
};

/**
 * Why no one can use a link; null for an active one.
 * @param until when it expired, formatted
 */
export function endMessage(
  { state, suspendedBy }: Pick<Share, 'state' | 'suspendedBy'>,
  until: string | null,
): MessageDescriptor | null {
  switch (state) {
    case 'active':
      return null;
    case 'suspended':
      return suspendedBy === null ? msg`The link doesn’t work at the moment.` : suspensions[suspendedBy];
    case 'expired':
      return until === null ? msg`The link has expired.` : msg`The link expired on ${until}.`;
    case 'used-up':
      return msg`The link is used up. No one can listen until you allow more listens.`;
    case 'revoked':
      return msg`The link is revoked. No one can use it.`;
  }
}
