import { readdirSync, readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { openBrowser } from '#tests/e2e/earshot-test.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { ApiClient } from '#tests/support/api-client.ts';
import { signInByCall } from '#tests/support/sign-in-by-call.ts';

export interface Bench {
  server: EarshotServer;
  context: BrowserContext;
  page: Page;
  client: ApiClient;
  profile: string;
}

/**
 * Runs `work` with a real server and a real browser. The page and the API client are signed in as the same user.
 */
export async function withBrowser<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const server = await EarshotServer.launch();
  const profile = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  const context = await openBrowser({ profile, baseURL: server.url, isWhole: true });
  const client = new ApiClient(server.url);
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(server.url);
    const user = await client.signUp();
    await signInByCall(page, user);
    await page.reload();
    return await work({ server, context, page, client, profile });
  } finally {
    client.close();
    await context.close();
    await server.dispose();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function statusOf(pid: string): { parent: string; command: string } | null {
  try {
    const parent = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
    return { parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
  } catch {
    return null;
  }
}

/** Returns the renderer processes of the browser with a profile (Linux). */
export function rendererPids(profile: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const known = new Map(
    pids.flatMap((pid) => {
      const status = statusOf(pid);
      return status ? [[pid, status] as const] : [];
    }),
  );
  const descends = (pid: string): boolean => {
    const status = known.get(pid);
    return status !== undefined && (status.command.includes(profile) || descends(status.parent));
  };
  return pids
    .filter((pid) => known.get(pid)?.command.includes('--type=renderer') && descends(pid))
    .map(Number);
}
