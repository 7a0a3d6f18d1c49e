import { useState } from 'react';
import { Trans } from '@lingui/react/macro';
import type { User } from '#contract/accounts-api.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Section } from '#web/features/accounts/parts/section.tsx';
import { Deletion } from './deletion.tsx';

/** The way out for good, with what it means said before. */
export function DeleteAccount({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={<Trans>Delete account</Trans>}
      hint={<Trans>You’ll see what happens to your recordings before anything is deleted.</Trans>}
    >
      <Button variant="danger" onPress={() => setOpen(true)}>
        <Trans>Delete account…</Trans>
      </Button>
      {isOpen && (
        <Dialog title={<Trans>Delete your account?</Trans>} role="alertdialog" isOpen onOpenChange={setOpen}>
          <Deletion user={user} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </Section>
  );
}
