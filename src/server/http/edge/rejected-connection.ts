import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '#contract/errors.ts';
import { problemOf } from '#server/http/pipeline/problem-reply.ts';
import { ProblemError } from '#server/http/problem.ts';

/** Error codes for rejections by Node's HTTP parser and its timeouts. */
const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** Returns whether a response is being sent on this connection; a second one would corrupt it. */
function isAnswering(socket: Socket): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return (
    typeof answer === 'object' && answer !== null && 'headersSent' in answer && answer.headersSent === true
  );
}

/** Answers data that never became a request, with the usual response headers, and closes the connection. */
export function createConnectionRejection(
  headers: Record<string, string>,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code !== 'ECONNRESET' && socket.writable && !isAnswering(socket)) {
      const problem = new ProblemError(codes[error.code ?? ''] ?? 'malformed-request');
      const body = JSON.stringify(problemOf(problem, randomUUID()));
      const lines = Object.entries({
        ...headers,
        'Content-Type': 'application/problem+json',
        'Content-Length': String(Buffer.byteLength(body)),
        Connection: 'close',
      });
      socket.write(
        `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
      );
    }
    socket.destroySoon();
  };
}
