/** The time since this process started, as `m:ss` and two spaces: the start of each line of a long run. */
export function timeSoFar(): string {
  const seconds = Math.floor(process.uptime());
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}  `;
}
