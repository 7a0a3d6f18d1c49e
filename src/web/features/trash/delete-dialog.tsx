import { Plural, Trans } from '@lingui/react/macro';
import { AskFirst } from '#web/ui/overlays/ask-first.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';

export interface DeleteDialogProps {
  count: number;
  /** Where it is one: what it is called. */
  title: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asked before what cannot be undone. */
export function DeleteDialog({ count, title, onConfirm, onClose }: DeleteDialogProps) {
  const refusal = count === 1 ? <Trans>Keep it</Trans> : <Trans>Keep them</Trans>;
  return (
    <AskFirst title={<Trans>Delete for good?</Trans>} action={<Trans>Delete for good</Trans>} refusal={refusal} onConfirm={onConfirm} onClose={onClose}>
      {title !== null
        ? <Trans><UserText>{title}</UserText> and its audio will be gone. This cannot be undone.</Trans>
        : <Plural value={count} one="# recording and its audio will be gone. This cannot be undone." other="# recordings and their audio will be gone. This cannot be undone." />}
    </AskFirst>
  );
}
