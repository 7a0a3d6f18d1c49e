import type { FastifyReply } from 'fastify';
import { minute, second } from '#base/duration.ts';
import type { LiveEvent } from '#contract/events-api.ts';
import type { LiveClient } from './live-hub.ts';

/** Also what finds a connection that died without a word: nobody takes what is written to it. */
const heartbeatMs = 20 * second;
const longestWriteMs = 60 * second;
/** Then the browser connects again, and its session is looked at again. */
const longestStreamMs = 30 * minute;
const longestBacklogBytes = 64 * 1024;

/**
 * Turns a reply into a stream of server-sent events; null where the client has left before it began. One that
 * reads too slowly is dropped and connects again.
 * @param onClosed called once, whoever closed it
 */
export function openEventStream(
  reply: FastifyReply,
  options: { userId: string; sessionId: string; onClosed: () => void },
): LiveClient | null {
  reply.hijack();
  const { raw } = reply;
  if (raw.destroyed) return null;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  // The last one tells a proxy in front not to hold events back.
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  // Node's idle timeout is put off by every write that gets through, not by one that waits in the socket.
  raw.setTimeout(longestWriteMs, () => raw.destroy());
  const write = (text: string): void => {
    if (raw.destroyed || raw.writableEnded) return;
    if (raw.writableLength > longestBacklogBytes) raw.destroy();
    else raw.write(text);
  };
  const close = (): void => {
    if (!raw.writableEnded) raw.end();
  };
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs);
  const life = setTimeout(close, longestStreamMs);
  raw.once('close', () => {
    clearInterval(heartbeat);
    clearTimeout(life);
    options.onClosed();
  });
  const send = (event: LiveEvent): void => write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return { userId: options.userId, sessionId: options.sessionId, send, close };
}
