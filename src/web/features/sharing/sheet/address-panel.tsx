import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Copy, QrCode as QrIcon, RefreshCw } from 'lucide-react';
import type { Share } from '#contract/shares.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { QrCode } from '#web/ui/text/qr-code.tsx';
import { CopyAddress } from '#web/features/sharing/list/copy-address.tsx';
import { renewLinkAddress } from '#web/features/sharing/links/share-calls.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { ReadOnlyText } from './read-only-text.tsx';
import styles from './sheet.module.css';

export interface AddressPanelProps {
  share: Share;
  savedPassword: string | null;
  /** Saves the changes of the form before the address is copied; undefined if there are none. */
  onSaveAndCopy: (() => void) | undefined;
}

/**
 * The address of a link: to copy, as a QR code, and to replace by a new one. While the form has changes, the address is
 * given out only with them.
 */
export function AddressPanel({ share, savedPassword, onSaveAndCopy }: AddressPanelProps) {
  const { t } = useLingui();
  const [hasQrCode, setQrCode] = useState(false);
  const { url } = share;
  return (
    <div className={styles.address}>
      {url === null ? (
        <p className={styles.hint}>
          <Trans>
            This server can’t show the address any more, but the link still works. Give it a new address to
            copy it.
          </Trans>
        </p>
      ) : (
        <ReadOnlyText label={t`Link`} text={url} />
      )}
      <div className={styles.buttons}>
        {url !== null && !onSaveAndCopy && <CopyAddress url={url} />}
        {url !== null && onSaveAndCopy && (
          <Button icon={<Copy aria-hidden />} onPress={onSaveAndCopy}>
            <Trans>Save and copy</Trans>
          </Button>
        )}
        {url !== null && !onSaveAndCopy && (
          <Button
            variant="plain"
            icon={<QrIcon aria-hidden />}
            aria-expanded={hasQrCode}
            onPress={() => setQrCode(!hasQrCode)}
          >
            <Trans>QR code</Trans>
          </Button>
        )}
        <NewAddress share={share} />
      </div>
      {hasQrCode && !onSaveAndCopy && url !== null && <QrCode text={url} label={t`QR code of the link`} />}
      {savedPassword !== null && (
        <div className={styles.password}>
          <ReadOnlyText label={t`Password`} text={savedPassword} />
          <CopyButton text={savedPassword}>
            <Trans>Copy password</Trans>
          </CopyButton>
          <p className={styles.hint}>
            <Trans>Copy the password now. You won’t see it again.</Trans>
          </p>
        </div>
      )}
    </div>
  );
}

function NewAddress({ share }: { share: Share }) {
  const { t } = useLingui();
  const [isConfirming, setConfirming] = useState(false);
  const renew = useAction(async () => {
    await renewLinkAddress(share.id);
    showToast({ message: () => t`The link has a new address`, tone: 'success' });
  });
  return (
    <>
      <Button
        variant="plain"
        data-ends
        icon={<RefreshCw aria-hidden />}
        isPending={renew.isPending}
        onPress={() => setConfirming(true)}
      >
        <Trans>New address</Trans>
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={<Trans>Replace the address?</Trans>}
          action={<Trans>Replace</Trans>}
          onConfirm={renew.run}
          onClose={() => setConfirming(false)}
        >
          <Trans>The old address stops working right away. Everyone needs the new one.</Trans>
        </ConfirmDialog>
      )}
    </>
  );
}
