import { Component, Suspense, type ReactNode } from 'react';
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { retryFailedChunks } from '#web/ui/lazy/lazy-chunk.tsx';
import { showFailure } from './toast.tsx';

interface Props {
  children: ReactNode;
  onClose: () => void;
}

/**
 * A lazy menu, popover or dialog that the user has opened. If it fails, a message says so, it closes, and the rest
 * of the screen stays as it is. Opening it again loads it again.
 */
export class OpenedPart extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  constructor(props: Props) {
    super(props);
    retryFailedChunks();
  }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(): void {
    showFailure(() => i18n._(msg`Something went wrong. Try again.`));
    this.props.onClose();
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : <Suspense>{this.props.children}</Suspense>;
  }
}
