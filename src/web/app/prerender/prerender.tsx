import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { Router } from 'wouter';
import { loadAriaStrings } from '#web/i18n/aria-strings.ts';
import { withMessages } from '#web/i18n/load-messages.ts';
import { App } from '#web/app/app.tsx';
import { EarlyRows, EarlyTitle } from './early-samples.tsx';
import { lazyPages } from '#web/app/lazy.ts';
import { LoadError } from './load-error.tsx';

/**
 * The content security policy allows no style attributes. Elements for screen readers only become hidden; all
 * other styles are values that are still zero.
 */
const withoutStyles = (html: string): string =>
  html.replace(/ style="([^"]*)"/g, (_, style: string) =>
    style.includes('clip-path:inset(50%)') ? ' hidden=""' : '',
  );

async function render(what: ReactNode): Promise<string> {
  const errors: unknown[] = [];
  const { prelude } = await prerender(what, {
    onError: (error) => {
      errors.push(error);
    },
    progressiveChunkSize: Infinity,
  });
  const html = await new Response(prelude).text();
  if (errors.length > 0) throw new Error('a page cannot be rendered', { cause: errors[0] });
  // React's comments are removed, because the app renders again instead of hydrating. The title belongs in the
  // head.
  return withoutStyles(html.replace(/<!--.*?-->|<title>.*?<\/title>/g, ''));
}

/** The samples that fill-picture.ts copies for each recording, by path. */
const samples: Record<string, ReactNode> = { '/library': <EarlyRows />, '/recordings/0': <EarlyTitle /> };

async function renderSample(path: string): Promise<string> {
  const sample = samples[path];
  return sample === undefined
    ? ''
    : `<template>${await render(
        <I18nProvider i18n={i18n}>
          <Router ssrPath={path}>{sample}</Router>
        </I18nProvider>,
      )}</template>`;
}

/** Renders the page for an app that does not load, in the language of the last render. */
export async function drawLoadError(): Promise<string> {
  return render(
    <I18nProvider i18n={i18n}>
      <LoadError />
    </I18nProvider>,
  );
}

/**
 * Renders a page as the app first shows it, before the session is known. The server puts the HTML into the page
 * until the app replaces it. Runs once per build, in Node; one page at a time, because the location and the
 * language are global.
 * @param tag language (BCP 47)
 * @param path path of the URL, as `/library`
 * @returns HTML for the app's root
 * @throws the error that the page threw while rendering
 */
export async function prerenderPage(tag: string, path: string): Promise<string> {
  Object.assign(globalThis, { location: new URL(path, 'http://localhost') });
  await withMessages(tag, loadAriaStrings(tag), (messages, makeAriaStringsCurrent) => {
    makeAriaStringsCurrent();
    i18n.loadAndActivate({ locale: tag, messages });
  });
  await Promise.all(Object.values(lazyPages).map(async ({ preload }) => preload()));
  return (
    (await render(
      <Router ssrPath={path}>
        <App />
      </Router>,
    )) + (await renderSample(path))
  );
}
