import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { MenuButton } from '#web/ui/overlays/menu-button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { longTitle } from '#web/dev/sample-data.ts';
import { Part, State, States } from '#web/dev/states.tsx';

const sizes = ['s', 'm', 'l'] as const;
const tones = ['plain', 'success', 'danger'] as const;
const nothing = () => undefined;

export function OverlaySection() {
  const { t } = useLingui();
  const [open, setOpen] = useState<(typeof sizes)[number] | null>(null);
  const items = [
    { id: 'rename', label: t`Rename`, icon: <Pencil />, onAction: nothing },
    { id: 'download', label: t`Download`, icon: <Download />, onAction: nothing, isDisabled: true },
    { id: 'long', label: longTitle, onAction: nothing },
    { id: 'trash', label: t`Move to trash`, icon: <Trash2 />, onAction: nothing, danger: true },
  ];
  return (
    <Part name="overlays/dialog, menu-popover, toast, tooltip">
      <States>
        {sizes.map((size) => (
          <State key={size} name={`dialog, ${size}`}>
            <Button onPress={() => setOpen(size)}>{t`Rename`}</Button>
          </State>
        ))}
        <State name="menu">
          <MenuButton label={t`More actions`} items={items} variant="quiet" />
        </State>
        <State name="menu of choices">
          <MenuButton
            label={t`More actions`}
            items={items}
            selected="long"
            variant="quiet"
          >{t`Rename`}</MenuButton>
        </State>
        {tones.map((tone) => (
          <State key={tone} name={`toast, ${tone}`}>
            <Button
              onPress={() =>
                void showToast({
                  message: () => longTitle,
                  tone,
                  action: { label: () => t`Undo`, onAction: nothing },
                })
              }
            >{t`Undo`}</Button>
          </State>
        ))}
      </States>
      <Dialog
        title={longTitle}
        isOpen={open !== null}
        size={open ?? 'm'}
        onOpenChange={(isOpen) => {
          if (!isOpen) setOpen(null);
        }}
      >
        <p>{t`Turn this off if you use dictation or voice control.`}</p>
        <Button variant="primary" onPress={() => setOpen(null)}>{t`Close`}</Button>
      </Dialog>
    </Part>
  );
}
