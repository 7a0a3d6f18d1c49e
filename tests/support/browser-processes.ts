import { execFileSync } from 'node:child_process';

/** Kills every process of the browser with this profile, as a power cut would. Returns their ids. */
export function killBrowserOf(profile: string): number[] {
  const pids = execFileSync('pgrep', ['-f', profile], { encoding: 'utf8' })
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      /* The process ended with its parent. */
    }
  }
  return pids;
}
