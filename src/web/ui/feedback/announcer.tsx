import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { announcements } from './announce.ts';

/**
 * The two live regions of the page. They exist from the first render on, because a region that is added with its
 * text is not read.
 */
export function Announcer() {
  const { polite, assertive } = useStore(announcements);
  return (
    <VisuallyHidden>
      <div aria-live="polite" aria-atomic="true">
        {polite}
      </div>
      <div aria-live="assertive" aria-atomic="true">
        {assertive}
      </div>
    </VisuallyHidden>
  );
}
