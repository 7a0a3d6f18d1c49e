import type { ReactNode, RefObject } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover, type PopoverProps } from 'react-aria-components/Popover';
import { classes } from '#web/ui/classes.ts';
import '#web/ui/focus/keyboard-clicks.ts';

export interface DialogPopoverProps {
  label: string;
  triggerRef: RefObject<HTMLElement | null>;
  placement: NonNullable<PopoverProps['placement']>;
  onClose: () => void;
  className?: string | undefined;
  dialogClassName?: string | undefined;
  children: ReactNode;
}

/** A small dialog beside the button that opened it, open while mounted. Import it from lazy chunks only. */
export function DialogPopover({
  label,
  triggerRef,
  placement,
  onClose,
  className,
  dialogClassName,
  children,
}: DialogPopoverProps) {
  return (
    <Popover
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      triggerRef={triggerRef}
      placement={placement}
      offset={6}
      className={classes(className)}
    >
      <Dialog aria-label={label} className={classes(dialogClassName)}>
        {children}
      </Dialog>
    </Popover>
  );
}
