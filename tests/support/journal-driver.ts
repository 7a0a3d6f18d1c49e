import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import type { JournalOperations } from './journal-driver.worker.ts';

const scriptPath = '/assets/journal-driver.js';
let bundled: Promise<string> | null = null;

async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: join(import.meta.dirname, '..', '..'),
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      lib: {
        entry: join(import.meta.dirname, 'journal-driver.worker.ts'),
        formats: ['es'],
        fileName: 'journal-driver',
      },
    },
  });
  const outputs = Array.isArray(result)
    ? result.flatMap(({ output }) => output)
    : 'output' in result
      ? result.output
      : [];
  const [script] = outputs.flatMap((output) => (output.type === 'chunk' ? [output.code] : []));
  if (script === undefined) throw new Error('the build has no output');
  return script;
}

export interface DriverOptions {
  /** Code that runs in the worker before anything else. */
  before?: string;
}

/** The journal in a worker of this page, which shows a page of the origin that does not load the app. */
export class JournalDriver {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(page: Page, { before = '' }: DriverOptions = {}): Promise<JournalDriver> {
    const script = await (bundled ??= bundle());
    await page.unroute(`**${scriptPath}`);
    await page.route(`**${scriptPath}`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `${before};${script}` }),
    );
    await page.goto('/robots.txt');
    await page.evaluate((path) => {
      const worker = new Worker(path, { type: 'module' });
      const waiting = new Map<number, PromiseWithResolvers<unknown>>();
      worker.addEventListener('message', ({ data }) => {
        if (data.error === undefined) waiting.get(data.id)?.resolve(data.result);
        else waiting.get(data.id)?.reject(new Error(data.error));
      });
      Object.assign(globalThis, {
        drive: (name: string, input: unknown) => {
          const id = waiting.size + 1;
          const answer = Promise.withResolvers<unknown>();
          waiting.set(id, answer);
          worker.postMessage({ id, name, input });
          return answer.promise;
        },
      });
    }, scriptPath);
    return new JournalDriver(page);
  }

  /** Runs one operation in the worker. Bytes are sent as base 64 and returned as arrays of numbers. */
  async do<N extends keyof JournalOperations>(
    name: N,
    input?: Parameters<JournalOperations[N]>[0],
  ): Promise<Awaited<ReturnType<JournalOperations[N]>>> {
    return this.#page.evaluate(
      async ([what, json]) => {
        const drive = (globalThis as unknown as { drive: (name: string, input: unknown) => Promise<unknown> })
          .drive;
        const bytesOf = (value: unknown): unknown => {
          if (typeof value !== 'object' || value === null) return value;
          if ('$bytes' in value && typeof value.$bytes === 'string')
            return Uint8Array.from(atob(value.$bytes), (char) => char.charCodeAt(0));
          return Array.isArray(value)
            ? value.map(bytesOf)
            : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, bytesOf(part)]));
        };
        return (await drive(what, json === null ? undefined : bytesOf(JSON.parse(json)))) as never;
      },
      [
        name,
        input === undefined
          ? null
          : JSON.stringify(input, (_key, value: unknown) =>
              value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value,
            ),
      ] as const,
    );
  }
}
