import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';

const timeoutMs = 60_000;
const silent = Symbol('silent');

async function within<T>(ms: number, answer: Promise<T>): Promise<T | typeof silent> {
  const ending = new AbortController();
  try {
    return await Promise.race([answer, wait(ms, silent, { signal: ending.signal })]);
  } finally {
    ending.abort();
  }
}

/**
 * What a page answers to a question that may be put twice. Once in some ten thousand, an answer of Chromium's
 * does not arrive, while the page answers the next question as ever: then it is asked again. A page that
 * answers nothing any more has hung.
 * @throws where the page has hung, or is silent twice; `where` says on what
 */
export async function answered<T>(page: Page, where: string, ask: () => Promise<T>): Promise<T> {
  const first = await within(timeoutMs, ask());
  if (first !== silent) return first;
  const isAlive =
    (await within(
      timeoutMs,
      page.evaluate(() => document.readyState),
    )) !== silent;
  if (!isAlive) throw new Error(`the page answers nothing any more: ${where}`);
  console.log(`asked twice: ${where}`);
  const second = await within(timeoutMs, ask());
  if (second === silent) throw new Error(`the page answers, but not this: ${where}`);
  return second;
}
