import { Trans } from '@lingui/react/macro';
import { denyTabOwner } from '#web/api/viewer.ts';
import { ownerName } from '#web/recordings/owners/owner-name.ts';
import { Button } from '#web/ui/controls/button.tsx';

/** After a session that ended elsewhere: whose account recordings go to, and how to say that this is somebody else. */
export function TabOwnerHint({ ownerId }: { ownerId: string }) {
  const name = ownerName(ownerId) ?? '…';
  return (
    <span>
      <Trans>Your session has ended. Recordings stay on this device until you sign in again as {name}.</Trans>{' '}
      <Button variant="plain" onPress={denyTabOwner}>
        <Trans>Not you?</Trans>
      </Button>
    </span>
  );
}
