import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';

/**
 * What stands in the place of the page where its program cannot be had: drawn when the app is built, so it
 * needs none itself.
 */
export function LoadError() {
  const { t } = useLingui();
  return (
    <main role="alert" className="trouble">
      <h1>{t`Something went wrong on this page`}</h1>
      {/* A form of nothing asks for the same address again. */}
      <form>
        <Button type="submit" variant="primary">{t`Try again`}</Button>
      </form>
    </main>
  );
}
