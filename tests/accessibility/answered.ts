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
 * Runs a query on a page that may be repeated. About once in ten thousand times, Chromium never delivers a
 * response although the page responds to the next query; then the query is repeated. A page that no longer
 * responds to any query hangs.
 * @param where what is being queried, for the error message
 * @throws Error if the page hangs, or does not respond to two attempts
 */
export async function answered<T>(page: Page, where: string, ask: () => Promise<T>): Promise<T> {
  const first = await within(timeoutMs, ask());
  if (first !== silent) return first;
  const isAlive =
    (await within(
      timeoutMs,
      page.evaluate(() => document.readyState),
    )) !== silent;
  if (!isAlive) throw new Error(`the page no longer responds: ${where}`);
  console.log(`asked twice: ${where}`);
  const second = await within(timeoutMs, ask());
  if (second === silent) throw new Error(`the page responds, but not to this query: ${where}`);
  return second;
}
