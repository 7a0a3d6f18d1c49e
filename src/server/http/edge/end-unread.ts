import type { ServerResponse } from 'node:http';
import { second } from '#base/duration.ts';

/** How long the reader of a download may read nothing. A paused player does not download. */
const defaultUnreadMs = 30 * second;
/** How fast the reader of a download must read that another one waits for: 128 kbit/s. */
const defaultLeastBytesPerSecond = 16_000;

export interface UnreadLimits {
  unreadMs?: number;
  /** Whether another request waits until this response ends. */
  isAwaited?: () => boolean;
  minBytesPerSecond?: number;
}

/**
 * Ends a response whose reader has read nothing for `unreadMs` although bytes are waiting; or, while another request
 * waits for its end, less than `minBytesPerSecond`. Its `close` then frees its resources: a process, an open file,
 * a place in a queue. While no bytes wait, the sender is slow and the response continues.
 */
export function endUnread(
  response: ServerResponse,
  {
    unreadMs = defaultUnreadMs,
    isAwaited = () => false,
    minBytesPerSecond = defaultLeastBytesPerSecond,
  }: UnreadLimits = {},
): void {
  const { socket } = response;
  if (socket === null) return;
  // Bytes still buffered in this process have not been read.
  const takenBytes = (): number => socket.bytesWritten - socket.writableLength;
  interface Mark {
    takenBytes: number;
    sinceMs: number;
  }
  const mark = (): Mark => ({ takenBytes: takenBytes(), sinceMs: performance.now() });
  /** When the reader last read something, and when its speed was last measured. */
  let [lastRead, measured] = [mark(), mark()];
  let wasAwaited = false;
  const isSlow = (now: Mark): boolean => {
    const lengthMs = now.sinceMs - measured.sinceMs;
    if (lengthMs < unreadMs) return false;
    const readBytes = now.takenBytes - measured.takenBytes;
    measured = now;
    return readBytes < (minBytesPerSecond * lengthMs) / second;
  };
  const timer = setInterval(() => {
    const now = mark();
    const isWaiting = response.writableLength > 0 || socket.writableLength > 0;
    if (!isWaiting || !wasAwaited) measured = now;
    wasAwaited = isAwaited();
    if (!isWaiting || now.takenBytes !== lastRead.takenBytes) lastRead = now;
    else if (now.sinceMs - lastRead.sinceMs >= unreadMs)
      response.destroy(new Error('the reader stopped reading'));
    if (isSlow(now)) response.destroy(new Error('the reader is slow, and another one waits'));
  }, unreadMs / 6);
  timer.unref();
  response.once('close', () => {
    clearInterval(timer);
  });
}
