import { useState, type ComponentPropsWithRef, type MouseEvent, type PointerEvent } from 'react';

export interface PressButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'onClick' | 'disabled'> {
  onPress?: (() => void) | undefined;
  /** A pointer or the focus came near: the moment to fetch what a press will need. */
  onApproach?: () => void;
  isDisabled?: boolean;
  /** Busy with the last press: keeps the focus, takes no further press. */
  isPending?: boolean;
}

/**
 * The platform's button with React Aria's way of speaking: `onPress`, and `data-hovered`, `data-pressed`,
 * `data-disabled` to style by. React Aria's own would cost the first screen 17 kB; what floats (menus,
 * dialogs, fields) is React Aria's and comes later.
 */
export function PressButton({
  onPress,
  onApproach,
  isDisabled = false,
  isPending = false,
  type = 'button',
  ...rest
}: PressButtonProps) {
  const [isHovered, setHovered] = useState(false);
  const [isPressed, setPressed] = useState(false);
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (isPending) {
      event.preventDefault();
      return;
    }
    // Safari does not focus a button that is clicked; a dialog that closes could not give the focus back.
    event.currentTarget.focus({ preventScroll: true });
    onPress?.();
  };
  const handleEnter = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') setHovered(true);
    onApproach?.();
  };
  const release = () => setPressed(false);
  return (
    <button
      {...rest}
      type={type}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      data-hovered={(isHovered && !isDisabled) || undefined}
      data-pressed={(isPressed && !isDisabled) || undefined}
      data-disabled={isDisabled || undefined}
      onClick={handleClick}
      onFocus={onApproach}
      onPointerEnter={handleEnter}
      onPointerLeave={() => {
        setHovered(false);
        release();
      }}
      onPointerDown={() => setPressed(true)}
      onPointerUp={release}
      onPointerCancel={release}
    />
  );
}
