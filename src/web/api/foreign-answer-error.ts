import type { ForeignAnswer } from '#contract/answer-source.ts';

/**
 * Something between this page and the server responded in the server's place. Its status and body say nothing
 * about the request, so callers never get them.
 */
export class ForeignAnswerError extends Error {
  readonly kind: Exclude<ForeignAnswer, 'other'>;

  constructor(kind: Exclude<ForeignAnswer, 'other'>, status: number) {
    super(`${status}, not of the server`);
    this.name = 'ForeignAnswerError';
    this.kind = kind;
  }
}
