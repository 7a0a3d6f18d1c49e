import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Pages } from '#base/pages.ts';
import { endUnread } from './edge/end-unread.ts';
import { sendStream } from './edge/send-stream.ts';

/** A reply of which some lists are read while they are sent. */
export type InPieces<Reply> = {
  [Name in keyof Reply]: Reply[Name] extends readonly (infer Item)[]
    ? Reply[Name] | Pages<Item>
    : Reply[Name];
};

/** About this many characters are made in one turn of the event loop, and wait for a reader that is slow. */
const pieceLength = 64 * 1024;

const isPages = (value: unknown): value is Pages<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Whether a reply has a list that is read while it is sent. */
export const hasPages = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && Object.values(body).some(isPages);

/** Joins short texts to pieces, and lets other requests have their turn after each piece. */
async function* joinedPieces(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
    await nextTurn();
  }
  if (piece !== '') yield piece;
}

async function* itemsAsJson(pages: Pages<unknown>): AsyncGenerator<string, void> {
  let separator = '';
  for await (const page of pages)
    for (const item of page) {
      yield `${separator}${JSON.stringify(item)}`;
      separator = ',';
    }
}

/** The JSON of a reply in short texts. Its lists are read as far as the texts are. */
export async function* jsonTexts(body: Readonly<Record<string, unknown>>): AsyncGenerator<string, void> {
  let separator = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (isPages(value)) {
      yield '[';
      yield* itemsAsJson(value);
      yield ']';
    } else yield JSON.stringify(value);
  }
  yield '}';
}

/** Replaces a reply's lists by checked ones: `check` gets the reply with one page of each list at a time. */
export function checkedPages(
  body: Readonly<Record<string, unknown>>,
  check: (body: unknown) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(body);
  const checkedPage = (name: string, page: readonly unknown[]): readonly unknown[] => {
    const whole = Object.fromEntries(
      entries.map(([key, value]) => [key, key === name ? page : isPages(value) ? [] : value]),
    );
    const checked: unknown = new Map(Object.entries(check(whole) ?? {})).get(name);
    return Array.isArray(checked) ? checked : [];
  };
  async function* checked(name: string, pages: Pages<unknown>) {
    for await (const page of pages) yield checkedPage(name, page);
  }
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isPages(value) ? checked(name, value) : value]),
  );
}

/**
 * Sends a text that is made while it is read. An error in its start becomes a problem; a later one resets the
 * connection. A reader that stops reading is disconnected.
 * @param onPiece receives the number of bytes of each piece
 */
export async function sendInPieces(
  reply: FastifyReply,
  texts: AsyncIterable<string>,
  onPiece: (bytes: number) => void,
): Promise<'sent'> {
  const pieces = joinedPieces(texts);
  const first = await pieces.next();
  const second = await pieces.next();
  const made = [first, second].flatMap(({ value }) => value ?? []);
  for (const piece of made) onPiece(Buffer.byteLength(piece));
  if (second.done) {
    void reply.send(made.join(''));
    return 'sent';
  }
  async function* all() {
    yield* made;
    for await (const piece of pieces) {
      onPiece(Buffer.byteLength(piece));
      yield piece;
    }
  }
  endUnread(reply.raw);
  return sendStream(reply, { stream: Readable.from(all(), { objectMode: false }), headers: {} });
}

/** Sends a text that was made at once. A reader of a long one that stops reading is disconnected. */
export function sendWhole(reply: FastifyReply, text: Buffer): void {
  if (text.length > pieceLength) endUnread(reply.raw);
  void reply.send(text);
}
