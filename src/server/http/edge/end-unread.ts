import type { ServerResponse } from 'node:http';
import { second } from '#base/duration.ts';

/** For so long a reader of a download may take nothing. A paused player is no download. */
const usualUnreadMs = 30 * second;

/**
 * Ends a response whose reader has taken nothing for `unreadMs` although bytes wait: what it holds (a
 * process, an open file, a turn) is freed by its `close`. While nothing waits, it is the sender who is slow,
 * and nothing ends.
 */
export function endUnread(response: ServerResponse, unreadMs: number = usualUnreadMs): void {
  const { socket } = response;
  if (socket === null) return;
  // Bytes that still lie in this process are not taken.
  const takenBytes = (): number => socket.bytesWritten - socket.writableLength;
  let lastTakenBytes = takenBytes();
  let unreadSinceMs = performance.now();
  const look = setInterval(() => {
    const nowMs = performance.now();
    const isWaiting = response.writableLength > 0 || socket.writableLength > 0;
    if (!isWaiting || takenBytes() !== lastTakenBytes) {
      lastTakenBytes = takenBytes();
      unreadSinceMs = nowMs;
    } else if (nowMs - unreadSinceMs >= unreadMs) {
      response.destroy(new Error('the reader took nothing'));
    }
  }, unreadMs / 6);
  look.unref();
  response.once('close', () => {
    clearInterval(look);
  });
}
