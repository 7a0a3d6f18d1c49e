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
 * The page's policy lets no element bring a style of its own. What is for screen readers only shows nothing;
 * the rest are values still at zero.
 */
const withoutStyles = (html: string): string =>
  html.replace(/ style="([^"]*)"/g, (_, style: string) =>
    style.includes('clip-path:inset(50%)') ? ' hidden=""' : '',
  );

async function draw(what: ReactNode): Promise<string> {
  const troubles: unknown[] = [];
  const { prelude } = await prerender(what, {
    onError: (trouble) => {
      troubles.push(trouble);
    },
    progressiveChunkSize: Infinity,
  });
  const html = await new Response(prelude).text();
  if (troubles.length > 0) throw new Error('a page cannot be drawn', { cause: troubles[0] });
  // React's own marks lead to nothing: the app draws itself again. The page's title stands in the head.
  return withoutStyles(html.replace(/<!--.*?-->|<title>.*?<\/title>/g, ''));
}

/** What boot.ts copies into a picture for each recording, by address. */
const samples: Record<string, ReactNode> = { '/library': <EarlyRows />, '/recordings/0': <EarlyTitle /> };

async function drawSample(path: string): Promise<string> {
  const sample = samples[path];
  return sample === undefined
    ? ''
    : `<template>${await draw(
        <I18nProvider i18n={i18n}>
          <Router ssrPath={path}>{sample}</Router>
        </I18nProvider>,
      )}</template>`;
}

/** Draws what is shown where the page's program cannot be had, in the language drawn last. */
export async function drawLoadError(): Promise<string> {
  return draw(
    <I18nProvider i18n={i18n}>
      <LoadError />
    </I18nProvider>,
  );
}

/**
 * Draws a page as the app first shows it, before it knows who is there: the picture that stands in the
 * server's HTML until the app takes its place. Runs once per build, in Node; one page at a time, as the
 * address and the language are the process's own.
 * @param tag of the language (BCP 47)
 * @param path of the address, as `/library`
 * @returns HTML for the app's root
 * @throws what the page threw while it was drawn
 */
export async function drawStandIn(tag: string, path: string): Promise<string> {
  Object.assign(globalThis, { location: new URL(path, 'http://localhost') });
  await withMessages(tag, loadAriaStrings(tag), (messages, makeAriaStringsCurrent) => {
    makeAriaStringsCurrent();
    i18n.loadAndActivate({ locale: tag, messages });
  });
  await Promise.all(Object.values(lazyPages).map(async ({ preload }) => preload()));
  return (
    (await draw(
      <Router ssrPath={path}>
        <App />
      </Router>,
    )) + (await drawSample(path))
  );
}
