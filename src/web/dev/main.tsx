import { createRoot } from 'react-dom/client';
import '#web/ui/base.css';
import { startLanguage } from '#web/i18n/switch-language.ts';
import { Board } from './board.tsx';
import { Pane } from './pane.tsx';

// For development only: no page of the product links here, and the build does not include it.
const params = new URLSearchParams(location.search);
const root = document.getElementById('root');
if (!root) throw new Error('the page has no element for the components');

if (params.has('theme')) {
  await startLanguage();
  const { documentElement } = document;
  documentElement.dataset.theme = params.get('theme') ?? 'light';
  documentElement.dir = params.get('dir') ?? documentElement.dir;
  createRoot(root).render(<Pane />);
} else {
  createRoot(root).render(<Board />);
}
