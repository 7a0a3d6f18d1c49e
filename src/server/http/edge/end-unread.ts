import type { ServerResponse } from 'node:http';
import { second } from '#base/duration.ts';

/** How long the reader of a download may read nothing. A paused player does not download. */
const usualUnreadMs = 30 * second;

/**
 * Ends a response whose reader has read nothing for `unreadMs` although bytes are waiting. Its `close` then frees
 * its resources: a process, an open file, a place in a queue. While no bytes wait, the sender is slow and the
 * response continues.
 */
export function endUnread(response: ServerResponse, unreadMs: number = usualUnreadMs): void {
  const { socket } = response;
  if (socket === null) return;
  // Bytes still buffered in this process have not been read.
  const takenBytes = (): number => socket.bytesWritten - socket.writableLength;
  let lastTakenBytes = takenBytes();
  let unreadSinceMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const isWaiting = response.writableLength > 0 || socket.writableLength > 0;
    if (!isWaiting || takenBytes() !== lastTakenBytes) {
      lastTakenBytes = takenBytes();
      unreadSinceMs = nowMs;
    } else if (nowMs - unreadSinceMs >= unreadMs) {
      response.destroy(new Error('the reader stopped reading'));
    }
  }, unreadMs / 6);
  timer.unref();
  response.once('close', () => {
    clearInterval(timer);
  });
}
