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
  return others.filter(
    ({ ownerId, unfinishedCount, standing }) =>
      ownerId !== tab.ownerId || unfinishedCount > 0 || standing === 'deleted',
  );
}

function OwnerLine({ owner: { name: masked, count, unfinishedCount, standing } }: { owner: OtherOwner }) {
  if (standing === 'deleted') return <TakesOfDeletedAccount count={count} />;
  if (unfinishedCount === 0 || masked === null) return <OtherTakes count={count} />;
  const name = iso(masked);
  if (standing === 'disabled')
    return (
      <Plural
        value={unfinishedCount}
        one={`# recording is safe on this device. The account ${name} is turned off.`}
        other={`# recordings are safe on this device. The account ${name} is turned off.`}
      />
    );
  return (
    <Plural
      value={unfinishedCount}
      one={`# recording is safe on this device. Sign in as ${name} to finish saving it.`}
      other={`# recordings are safe on this device. Sign in as ${name} to finish saving them.`}
    />
  );
}

/** That recordings of a deleted account are on this device, and until when. */
export function TakesOfDeletedAccount({ count }: { count: number }) {
  return (
    <Plural
      value={count}
      one="# recording of a deleted account is on this device. Earshot deletes it after 30 days. You can delete it now in Storage."
      other="# recordings of a deleted account are on this device. Earshot deletes them after 30 days. You can delete them now in Storage."
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

/** Whether the owner can get at the recordings by signing in. */
export const canSignIn = ({ standing }: OtherOwner): boolean => standing === null;

export function SignInToSave() {
  return (
    <Button icon={<LogIn aria-hidden />} onPress={() => requestSignIn()}>
      <Trans>Sign in</Trans>
    </Button>
  );
}

/** For signed-out viewers: that recordings of accounts are on this device, and how to get at them. */
export function OtherOwnersNotice({
  className,
  withDeleted = true,
}: {
  className?: string | undefined;
  /** Whether it says what deleted accounts have here, too. */
  withDeleted?: boolean;
}) {
  const others = useOtherOwners().filter(({ standing }) => withDeleted || standing !== 'deleted');
  if (others.length === 0) return null;
  return (
    <Notice tone="safe" className={className} action={others.some(canSignIn) && <SignInToSave />}>
      <OtherOwnersLines others={others} />
    </Notice>
  );
}
