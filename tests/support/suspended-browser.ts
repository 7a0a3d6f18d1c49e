import { execFileSync } from 'node:child_process';
import { setTimeout as passed } from 'node:timers/promises';

function childrenOf(pid: number): number[] {
  // pgrep exits with 1 if there are no children.
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
      .filter((child) => child > 0);
  } catch {
    return [];
  }
}

/** All processes of the browser with this profile, with their descendants. */
function browserTree(profile: string): number[] {
  const found = execFileSync('pgrep', ['-f', profile], { encoding: 'utf8' })
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  const tree = new Set(found);
  for (const pid of tree) {
    for (const child of childrenOf(pid)) tree.add(child);
  }
  return [...tree];
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      /* It has ended in the meantime. */
    }
  }
}

/**
 * Suspends the browser with this profile, as a sleeping computer does. The duration is what the test is about.
 * Returns the actual duration in milliseconds.
 */
export async function suspendBrowser(profile: string, durationMs: number): Promise<number> {
  const tree = browserTree(profile);
  const beforeMs = performance.now();
  signal(tree, 'SIGSTOP');
  await passed(durationMs);
  signal(tree, 'SIGCONT');
  return performance.now() - beforeMs;
}
