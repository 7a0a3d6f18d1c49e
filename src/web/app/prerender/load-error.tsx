import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';

/** Replaces the page if the app does not load. Rendered at build time, so it needs no JavaScript. */
export function LoadError() {
  const { t } = useLingui();
  return (
    <main role="alert" className="load-error">
      <h1>{t`Something went wrong on this page`}</h1>
      {/* Submitting an empty form loads the same URL again. */}
      <form>
        <Button type="submit" variant="primary">{t`Try again`}</Button>
      </form>
    </main>
  );
}
