import { useId } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { UserCheck, UserX } from 'lucide-react';
import type { AccessRequest, Share } from '#contract/shares.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { answerRequest } from '#web/features/sharing/links/share-calls.ts';
import { useAction } from '#web/request-states/use-action.ts';
import styles from './links.module.css';

/** The users who asked for access to a link, to be allowed or declined. Nothing if no request waits. */
export function AccessRequests({ share }: { share: Share }) {
  const headingId = useId();
  if (share.accessRequests.length === 0) return null;
  return (
    <div className={styles.requests}>
      <p id={headingId} className={styles.requestsHeading}>
        <Trans>Requests for access</Trans>
      </p>
      <ul aria-labelledby={headingId} className={styles.requestList}>
        {share.accessRequests.map((request) => (
          <Request key={request.userId} shareId={share.id} request={request} />
        ))}
      </ul>
    </div>
  );
}

function Request({
  shareId,
  request: { userId, name, email, isEmailProven, requestedAt },
}: {
  shareId: string;
  request: AccessRequest;
}) {
  const { t } = useLingui();
  const { relativeTime } = useFormat();
  const nameId = useId();
  const allow = useAction(async () => {
    await answerRequest({ shareId, userId }, { isAllowed: true });
    showToast({ message: () => t`Access allowed`, tone: 'success' });
  });
  const decline = useAction(async () => {
    await answerRequest({ shareId, userId }, { isAllowed: false });
    showToast({ message: () => t`Request declined` });
  });
  return (
    <li className={styles.request}>
      <span id={nameId} className={styles.requester}>
        <UserText>{name}</UserText>
        <span className={styles.email}>
          <bdi dir="ltr" translate="no">
            {email}
          </bdi>{' '}
          · {relativeTime(requestedAt)}
        </span>
        {!isEmailProven && (
          <span className={styles.email}>
            <Trans>Address not confirmed</Trans>
          </span>
        )}
      </span>
      <span className={styles.actions}>
        <Button
          icon={<UserCheck aria-hidden />}
          aria-describedby={nameId}
          isPending={allow.isPending}
          isDisabled={decline.isPending}
          onPress={allow.run}
        >
          <Trans comment="Button: a user who asked may listen to a link">Allow</Trans>
        </Button>
        <Button
          variant="plain"
          data-ends
          icon={<UserX aria-hidden />}
          aria-describedby={nameId}
          isPending={decline.isPending}
          isDisabled={allow.isPending}
          onPress={decline.run}
        >
          <Trans comment="Button: a user who asked may not listen to a link">Decline</Trans>
        </Button>
      </span>
    </li>
  );
}
