import type { ForeignAnswer } from '#contract/answer-source.ts';

/**
 * Something between this page and the server answered in the server's place. Its status and body say nothing
 * about what was asked, so no caller sees them.
 */
export class ForeignAnswerError extends Error {
  readonly kind: Exclude<ForeignAnswer, 'other'>;

  constructor(kind: Exclude<ForeignAnswer, 'other'>, status: number) {
    super(`${status}, not of the server`);
    this.name = 'ForeignAnswerError';
    this.kind = kind;
  }
}
