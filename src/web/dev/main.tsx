import { createRoot } from 'react-dom/client';
import '#web/ui/base.css';
import { startLanguage } from '#web/i18n/switch-language.ts';
import { Board } from './board.tsx';
import { Pane } from './pane.tsx';

// Development alone: no page of the product leads here, and the build's only entry is the product's page.
const params = new URLSearchParams(location.search);
const root = document.getElementById('root');
if (!root) throw new Error('the page has no place for the parts');

if (params.has('theme')) {
  await startLanguage();
  const { documentElement } = document;
  documentElement.dataset.theme = params.get('theme') ?? 'light';
  documentElement.dir = params.get('dir') ?? documentElement.dir;
  createRoot(root).render(<Pane />);
} else {
  createRoot(root).render(<Board />);
}
