import { Trans, useLingui } from '@lingui/react/macro';
import { CloudUpload } from 'lucide-react';
import { iso } from '#web/i18n/iso.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { saveToLibrary } from '#web/features/recorder/recovery/save-to-library.ts';

interface SaveToLibraryProps {
  take: { id: string; title: string; startedAtMs: number };
  titleId?: string | undefined;
  onSaved?: () => void;
}

/** Saves a take that was deleted permanently on another device to its owner's library again. */
export function SaveToLibrary({ take, titleId, onSaved }: SaveToLibraryProps) {
  const { t } = useLingui();
  const name = iso(titleText(take));
  const save = useAction(async () => {
    await saveToLibrary(take.id);
    showToast({ message: () => t`“${name}” is in your library again`, tone: 'success' });
    onSaved?.();
  });
  return (
    <Button
      icon={<CloudUpload aria-hidden />}
      aria-describedby={titleId}
      isPending={save.isPending}
      onPress={save.run}
    >
      <Trans>Save to library</Trans>
    </Button>
  );
}
