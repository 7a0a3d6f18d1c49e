import { Component, startTransition, Suspense, type ReactNode } from 'react';
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { retryFailedChunks } from '#web/ui/lazy/lazy-chunk.tsx';
import { showFailure } from './toast.tsx';

interface Props {
  children: ReactNode;
  onClose: () => void;
}
interface State {
  isReady: boolean;
  hasFailed: boolean;
}

/**
 * A lazy menu, popover or dialog that the user has opened. If it fails, a message says so, it closes, and the rest
 * of the screen stays as it is. Opening it again loads it again.
 */
export class OpenedPart extends Component<Props, State> {
  override state: State = { isReady: false, hasFailed: false };

  constructor(props: Props) {
    super(props);
    retryFailedChunks();
  }

  static getDerivedStateFromError(): Pick<State, 'hasFailed'> {
    return { hasFailed: true };
  }

  override componentDidMount(): void {
    // A menu that is rendered within the press has no items yet when React Aria moves the focus to the first one: the
    // focus is then lost, and so are the next keys.
    // oxlint-disable-next-line react/no-did-mount-set-state -- what is opened must be rendered after the press.
    startTransition(() => this.setState({ isReady: true }));
  }

  override componentDidCatch(): void {
    showFailure(() => i18n._(msg`Something went wrong. Try again.`));
    this.props.onClose();
  }

  override render(): ReactNode {
    const { isReady, hasFailed } = this.state;
    return isReady && !hasFailed ? <Suspense>{this.props.children}</Suspense> : null;
  }
}
