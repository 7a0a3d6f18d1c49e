import type { FastifyReply } from 'fastify';
import { minute, second } from '#base/duration.ts';

/** Also detects a dead connection, because nothing reads what is written to it. */
const heartbeatMs = 20 * second;
const maxWriteMs = 60 * second;
/** After this the browser reconnects, which checks its right again. */
const maxStreamMs = 30 * minute;
const maxBacklogBytes = 64 * 1024;

/** An open stream of server-sent events. */
export interface EventStream<Event extends { type: string }> {
  send(event: Event): void;
  close(): void;
}

/**
 * Turns a reply into a stream of server-sent events (WHATWG HTML §9.2). Returns null if the client has already
 * disconnected. A client that reads too slowly is disconnected and reconnects.
 * @param onClosed called once when the stream is closed by either side
 */
export function openEventStream<Event extends { type: string }>(
  reply: FastifyReply,
  onClosed: () => void,
): EventStream<Event> | null {
  reply.hijack();
  const { raw } = reply;
  if (raw.destroyed) return null;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  // `x-accel-buffering` tells a reverse proxy not to buffer events.
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  // A stream may have nothing to send for long, and its client waits for the headers.
  raw.flushHeaders();
  // Node's timeout is only reset by writes that complete, not by data waiting in the socket.
  raw.setTimeout(maxWriteMs, () => raw.destroy());
  const write = (text: string): void => {
    if (raw.destroyed || raw.writableEnded) return;
    if (raw.writableLength > maxBacklogBytes) raw.destroy();
    else raw.write(text);
  };
  const close = (): void => {
    if (!raw.writableEnded) raw.end();
  };
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs);
  const life = setTimeout(close, maxStreamMs);
  raw.once('close', () => {
    clearInterval(heartbeat);
    clearTimeout(life);
    onClosed();
  });
  return { send: (event) => write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`), close };
}
