import { Plural, Trans } from '@lingui/react/macro';
import { LogIn } from 'lucide-react';
import { deviceTakes } from '#device/takes/device-takes.ts';
import { viewer } from '#device/takes/viewer.ts';
import type { OtherOwner } from '#device/takes/other-owners.ts';
import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { iso } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';

/**
 * The accounts other than the viewer's that have recordings on this device. After a session that ended elsewhere, the
 * copies of that account are no other's, and need nothing.
 */
export function useOtherOwners(): readonly OtherOwner[] {
  const { others } = useStore(deviceTakes);
  const { tab } = useStore(viewer);
  return others.filter(({ ownerId, unfinishedCount }) => ownerId !== tab.ownerId || unfinishedCount > 0);
}

function OwnerLine({ owner: { name: masked, count, unfinishedCount } }: { owner: OtherOwner }) {
  if (unfinishedCount === 0 || masked === null) return <OtherTakes count={count} />;
  const name = iso(masked);
  return (
    <Plural
      value={unfinishedCount}
      one={`# recording is safe on this device. Sign in as ${name} to finish saving it.`}
      other={`# recordings are safe on this device. Sign in as ${name} to finish saving them.`}
    />
  );
}

/** That recordings of other accounts are on this device. */
export function OtherTakes({ count }: { count: number }) {
  return (
    <Plural
      value={count}
      one="# recording of another account is on this device. It appears when its owner signs in."
      other="# recordings of other accounts are on this device. They appear when their owners sign in."
    />
  );
}

/** How many recordings of each other account are on this device, and whose they are. Never a title. */
export function OtherOwnersLines({ others }: { others: readonly OtherOwner[] }) {
  return others.map((owner) => (
    <p key={owner.ownerId}>
      <OwnerLine owner={owner} />
    </p>
  ));
}

export function SignInToSave() {
  return (
    <Button icon={<LogIn aria-hidden />} onPress={() => requestSignIn()}>
      <Trans>Sign in</Trans>
    </Button>
  );
}

/** For signed-out viewers: that recordings of accounts are on this device, and how to get at them. */
export function OtherOwnersNotice({ className }: { className?: string | undefined }) {
  const others = useOtherOwners();
  if (others.length === 0) return null;
  return (
    <Notice tone="safe" className={className} action={<SignInToSave />}>
      <OtherOwnersLines others={others} />
    </Notice>
  );
}
