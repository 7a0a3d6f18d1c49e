import { useState, type FormEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowLeft } from 'lucide-react';
import type { Share, SharingPolicy } from '#contract/shares.ts';
import { startCopy } from '#web/ui/dom/delayed-copy.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Counts } from '#web/features/sharing/list/link-item.tsx';
import { LockedNotice } from '#web/features/sharing/list/locked-notice.tsx';
import { RevokeDialog } from '#web/features/sharing/list/revoke-dialog.tsx';
import type { ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { summaryOf } from '#web/features/sharing/terms/share-summary.ts';
import { AddressPanel } from './address-panel.tsx';
import { LinkFields } from './link-fields.tsx';
import { AudienceFields, MoreFields } from './more-fields.tsx';
import { PasswordField } from './password-field.tsx';
import { useUnsaved } from './unsaved-link.ts';
import { useLinkForm } from './use-link-form.ts';
import styles from './sheet.module.css';

export interface LinkEditorProps {
  share: Share;
  policy: SharingPolicy;
  target: ShareTarget;
  /** The password that was just set. */
  password: string | null;
  /** The number that names the link if it has no name. */
  number: number;
  onBack: () => void;
}

/** One link: its address, what it allows now, and the settings to change. */
export function LinkEditor({ share, policy, target, password, number, onBack }: LinkEditorProps) {
  const { i18n, t } = useLingui();
  const [isRevoking, setRevoking] = useState(false);
  const { isGrowing } = target;
  const link = useLinkForm({ share, policy, target, password });
  useUnsaved(link.isDirty);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    void link.save();
  };
  const saveAndCopy = async () => {
    const copy = startCopy();
    const saved = await link.save();
    const url = saved?.url ?? null;
    if (url !== null && (await copy.put(url))) showToast({ message: () => t`Link copied`, tone: 'success' });
    else copy.cancel();
  };
  return (
    <form noValidate className={styles.form} onSubmit={handleSubmit}>
      <Button variant="plain" icon={<ArrowLeft aria-hidden />} className={styles.back} onPress={onBack}>
        <Trans>All links to this recording</Trans>
      </Button>
      <AddressPanel
        share={share}
        savedPassword={link.savedPassword}
        onSaveAndCopy={link.isDirty ? () => void saveAndCopy() : undefined}
      />
      <div className={styles.now}>
        <p className={styles.summary}>{summaryOf(share, { i18n, isGrowing }).join(' ')}</p>
        <Counts share={share} />
      </div>
      {share.suspendedBy === 'restore' && (
        <Button isPending={link.isPending} onPress={() => link.send({ isOn: true })}>
          <Trans>Turn on</Trans>
        </Button>
      )}
      <LockedNotice share={share} />
      <LinkFields link={link} number={number} />
      <div className={styles.fields}>
        <AudienceFields link={link} />
      </div>
      <PasswordField link={link} />
      <MoreFields
        link={link}
        isHeld={isGrowing === false && Boolean(share.live?.isHeldAfterStop) && !share.isReleased}
      />
      {link.notice && (
        <Notice tone="warn" role="alert">
          {link.notice}
        </Notice>
      )}
      {link.isDirty && link.summary !== null && (
        <p className={styles.after}>
          <strong>
            <Trans>After saving:</Trans>
          </strong>{' '}
          {link.summary}
        </p>
      )}
      <div className={styles.sticky}>
        <Button variant="plain" data-ends onPress={() => setRevoking(true)}>
          <Trans>Revoke link</Trans>
        </Button>
        <Button type="submit" variant="primary" isDisabled={!link.isDirty} isPending={link.isPending}>
          <Trans>Save</Trans>
        </Button>
      </div>
      {isRevoking && <RevokeDialog share={share} onClose={() => setRevoking(false)} />}
    </form>
  );
}
