import { Component, type ReactNode } from 'react';
import { forgetFailures } from './loading/deferred.tsx';
import { PageError } from './page-error.tsx';

interface Props {
  children: ReactNode;
  fallback?: ReactNode;
}
interface State {
  hasFailed: boolean;
}

/**
 * Keeps an error inside the part of the screen where it happened; the recorder lives outside React and goes
 * on.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false };

  constructor(props: Props) {
    super(props);
    // Whoever comes back to a page that could not be fetched asks for it again.
    forgetFailures();
  }

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    if (this.props.fallback !== undefined) return this.props.fallback;
    return (
      <PageError
        onTryAgain={() => {
          forgetFailures();
          this.setState({ hasFailed: false });
        }}
      />
    );
  }
}
