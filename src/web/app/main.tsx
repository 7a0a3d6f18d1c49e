import { createRoot } from 'react-dom/client';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { Plural, Trans } from '@lingui/react/macro';
import { Button } from 'react-aria-components';
import { loadCatalogue } from '#web/i18n/catalogues.ts';

await loadCatalogue('de');
const root = document.getElementById('root');
if (root) createRoot(root).render(<I18nProvider i18n={i18n}><Button><Trans>Record</Trans> <Plural value={3} one="# marker" other="# markers" /></Button></I18nProvider>);
