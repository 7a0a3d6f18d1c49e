import { Trans } from '@lingui/react/macro';
import { denyTabOwner } from '#web/api/viewer.ts';
import { ownerName } from '#web/recordings/owners/owner-name.ts';
import { standingSentences, useTabStanding } from '#web/recordings/owners/tab-standing.tsx';
import { Button } from '#web/ui/controls/button.tsx';

/** After a session that ended elsewhere: whose account recordings go to, and how to say that this is somebody else. */
export function TabOwnerHint({ ownerId }: { ownerId: string }) {
  const name = ownerName(ownerId) ?? '…';
  const standing = useTabStanding();
  return (
    <span>
      {standing === null ? (
        <Trans>
          Your session has ended. Recordings stay on this device until you sign in again as {name}.
        </Trans>
      ) : (
        standingSentences[standing]
      )}{' '}
      <Button variant="plain" onPress={denyTabOwner}>
        <Trans>Not you?</Trans>
      </Button>
    </span>
  );
}
