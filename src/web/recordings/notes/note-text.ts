/** A run of text inside a line of a note. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'bold' | 'italic'; parts: Inline[] }
  | { kind: 'link'; href: string; parts: Inline[] };

export type Block =
  | { kind: 'paragraph'; lines: Inline[][] }
  | { kind: 'bullets'; items: Inline[][] }
  | { kind: 'numbers'; first: number; items: Inline[][] };

const safeProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** The address of a link as the browser resolves it; null unless it is a web or mail address. */
export function safeHref(address: string): string | null {
  const url = URL.parse(address.trim());
  return url && safeProtocols.has(url.protocol) ? url.href : null;
}

/** An open delimiter and the content after it so far. */
interface Frame {
  mark: '' | '**' | '*' | '_' | '[';
  parts: Inline[];
}

const tokens = /\\([\\*_[\]()#.-])|\*\*|[*_[]|\]\(([^()\s]{1,2000})\)/g;

function addText(parts: Inline[], text: string): void {
  const last = parts.at(-1);
  if (text === '') return;
  if (last?.kind === 'text') last.text += text;
  else parts.push({ kind: 'text', text });
}

/** Turns unclosed delimiters into plain characters, and appends their content to the frame before. */
function flattenUnclosed(frames: Frame[], keep: number): void {
  while (frames.length > keep) {
    const open = frames.pop();
    const below = frames.at(-1);
    if (!open || !below) return;
    addText(below.parts, open.mark);
    for (const part of open.parts)
      if (part.kind === 'text') addText(below.parts, part.text);
      else below.parts.push(part);
  }
}

/** Parses one line: bold, italic, links. Each kind occurs once inside another, so that nothing nests deeply. */
class LineReader {
  readonly #frames: Frame[] = [{ mark: '', parts: [] }];

  text(text: string): void {
    addText(this.#frames.at(-1)?.parts ?? [], text);
  }

  /** Handles an emphasis mark between `before` and `after`: it closes an open one, else opens one, else is text. */
  emphasis(mark: '**' | '*' | '_', before: string, after: string): void {
    const at = this.#frames.findIndex((frame) => frame.mark === mark);
    const isInsideWord = mark === '_' && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
    if (isInsideWord || (at === -1 && (after === '' || /\s/.test(after))) || (at !== -1 && /\s/.test(before)))
      this.text(mark);
    else if (at === -1) this.#frames.push({ mark, parts: [] });
    else this.#close(at, (parts) => ({ kind: mark === '**' ? 'bold' : 'italic', parts }));
  }

  openLink(): void {
    if (this.#frames.some(({ mark }) => mark === '[')) this.text('[');
    else this.#frames.push({ mark: '[', parts: [] });
  }

  closeLink(written: string, address: string): void {
    const at = this.#frames.findIndex(({ mark }) => mark === '[');
    const href = safeHref(address);
    if (at === -1 || href === null) this.text(written);
    else this.#close(at, (parts) => ({ kind: 'link', href, parts }));
  }

  end(): Inline[] {
    flattenUnclosed(this.#frames, 1);
    return this.#frames[0]?.parts ?? [];
  }

  #close(at: number, made: (parts: Inline[]) => Inline): void {
    flattenUnclosed(this.#frames, at + 1);
    const parts = this.#frames.pop()?.parts ?? [];
    if (parts.length > 0) this.#frames.at(-1)?.parts.push(made(parts));
  }
}

/** The content of one line. */
export function inlinesOf(line: string): Inline[] {
  const reader = new LineReader();
  let done = 0;
  for (const match of line.matchAll(tokens)) {
    const [token, literal, address] = match;
    reader.text(line.slice(done, match.index));
    done = match.index + token.length;
    if (literal !== undefined) reader.text(literal);
    else if (address !== undefined) reader.closeLink(token, address);
    else if (token === '[') reader.openLink();
    else if (token === '**' || token === '*' || token === '_')
      reader.emphasis(token, line[match.index - 1] ?? '', line[done] ?? '');
  }
  reader.text(line.slice(done));
  return reader.end();
}

const bullet = /^[ \t]{0,3}[-*•][ \t]+(.*)$/;
const number = /^[ \t]{0,3}(\d{1,6})[.)][ \t]+(.*)$/;

/** The block of a single line. */
function blockOf(line: string): Block {
  const [, item] = bullet.exec(line) ?? [];
  if (item !== undefined) return { kind: 'bullets', items: [inlinesOf(item)] };
  const [, first, numbered] = number.exec(line) ?? [];
  if (numbered !== undefined) return { kind: 'numbers', first: Number(first), items: [inlinesOf(numbered)] };
  return { kind: 'paragraph', lines: [inlinesOf(line)] };
}

/** Adds a line to the block before it; false if that is of another kind. */
function appendToBlock(open: Block | undefined, next: Block): boolean {
  if (open?.kind === 'paragraph' && next.kind === 'paragraph') open.lines.push(...next.lines);
  else if (open?.kind === 'bullets' && next.kind === 'bullets') open.items.push(...next.items);
  else if (open?.kind === 'numbers' && next.kind === 'numbers') open.items.push(...next.items);
  else return false;
  return true;
}

/** The paragraphs and lists of a note. Any text is valid. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let isNew = true;
  for (const line of text.split('\n')) {
    const isEmpty = line.trim() === '';
    const next = isEmpty ? null : blockOf(line);
    if (next && (isNew || !appendToBlock(blocks.at(-1), next))) blocks.push(next);
    isNew = isEmpty;
  }
  return blocks;
}
