import type { FormEvent } from 'react';
import { Trans } from '@lingui/react/macro';
import { ArrowLeft, Copy } from 'lucide-react';
import type { SharingPolicy } from '#contract/shares.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import type { ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { ExpirySelect, NameField, PartFields } from './link-fields.tsx';
import { LiveFields } from './live-fields.tsx';
import { AudienceFields } from './more-fields.tsx';
import { PasswordField } from './password-field.tsx';
import { useNewLink } from './use-new-link.ts';
import { useUnsaved } from './unsaved-link.ts';
import styles from './sheet.module.css';

export interface NewLinkProps {
  policy: SharingPolicy;
  target: ShareTarget;
  /** The number that names the link if it gets no name. */
  number: number;
  /** Leads to the links of the recording; undefined if there are none. */
  onBack: (() => void) | undefined;
}

/** What, until when and for whom: asked before a link exists, so that nothing is public before its limits are set. */
export function NewLink({ policy, target, number, onBack }: NewLinkProps) {
  const link = useNewLink(target, policy);
  useUnsaved(link.isDirty);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    void link.save();
  };
  return (
    <form noValidate className={styles.form} onSubmit={handleSubmit}>
      {onBack && (
        <Button variant="plain" icon={<ArrowLeft aria-hidden />} className={styles.back} onPress={onBack}>
          <Trans>All links to this recording</Trans>
        </Button>
      )}
      <div className={styles.fields}>
        {target.isGrowing === true && <LiveFields link={link} />}
        <PartFields link={link} />
        <ExpirySelect link={link} />
        <AudienceFields link={link} />
        <NameField link={link} number={number} />
      </div>
      <PasswordField link={link} />
      {link.notice && (
        <Notice tone="warn" role="alert">
          {link.notice}
        </Notice>
      )}
      <div className={styles.sticky}>
        {link.summary !== null && <p className={styles.hint}>{link.summary}</p>}
        <Button
          type="submit"
          variant="primary"
          icon={<Copy aria-hidden />}
          isPending={link.isPending}
          className={styles.submit}
        >
          <Trans>Copy link</Trans>
        </Button>
      </div>
    </form>
  );
}
