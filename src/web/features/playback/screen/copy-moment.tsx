import { useCallback, useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link2 } from 'lucide-react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { player } from '../engine/shared-player.ts';
import { momentFragment } from '../moment.ts';
import styles from './screen.module.css';

/** Copies the address of this very moment; where copying is refused the address is shown instead. */
export function CopyMoment({ recordingId }: { recordingId: string }) {
  const { t } = useLingui();
  const [address, setAddress] = useState<string | null>(null);
  const select = useCallback((input: HTMLInputElement | null) => input?.select(), []);
  const copy = async () => {
    const url = new URL(`/recordings/${recordingId}${momentFragment(player.positionMs())}`, location.href).href;
    try {
      await navigator.clipboard.writeText(url);
      setAddress(null);
      showToast({ message: t`Link to this moment copied`, tone: 'success' });
    } catch {
      setAddress(url);
    }
  };
  return (
    <>
      <IconButton label={t`Copy link to this moment`} icon={<Link2 />} onPress={() => void copy()} />
      {address !== null && (
        <label className={styles.address}>
          <Trans>This browser does not let Earshot copy. The link is:</Trans>
          <input ref={select} readOnly dir="ltr" value={address} />
        </label>
      )}
    </>
  );
}
