import { Component, type ReactNode } from 'react';
import { retryFailedChunks } from '#web/ui/lazy/lazy-chunk.tsx';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';

interface Props {
  children: ReactNode;
  fallback?: ReactNode;
}
interface State {
  hasFailed: boolean;
}

/**
 * Contains an error in the part of the screen where it occurred. The recorder lives outside React and continues.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false };

  constructor(props: Props) {
    super(props);
    // A chunk that failed to load is requested again when the user comes back to its page.
    retryFailedChunks();
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
          retryFailedChunks();
          this.setState({ hasFailed: false });
        }}
      />
    );
  }
}

/** Replaces a page that failed. */
function PageError({ onTryAgain }: { onTryAgain: () => void }) {
  const { t } = useLingui();
  return (
    <Notice
      tone="danger"
      role="alert"
      title={t`Something went wrong on this page`}
      action={
        <>
          <Button onPress={onTryAgain}>{t`Try again`}</Button>
          <LinkButton variant="plain" href="/">{t`Go to recorder`}</LinkButton>
        </>
      }
    >
      <Trans>
        Your recordings are safe, and any current recording continues. If trying again doesn’t help, reload
        the page once you’ve stopped recording.
      </Trans>
    </Notice>
  );
}
