import type { ListeningTexts } from '#contract/listening-page.ts';
import type { LinkClient } from './link-client.ts';

type Texts = Pick<
  ListeningTexts,
  'wrongPassword' | 'tooManyTries' | 'passwordLocked' | 'cookieRejected' | 'failed'
>;

interface UnlockDeps {
  client: Pick<LinkClient, 'unlock' | 'recording'>;
  texts: Texts;
}

/** Asks for the password of a link in place. What waits for it continues where it was. */
export class UnlockPanel {
  readonly #form: HTMLFormElement;
  readonly #deps: UnlockDeps;
  /** Whatever waits for the password. */
  #waiting: (() => void)[] = [];

  constructor(form: HTMLFormElement, deps: UnlockDeps) {
    this.#form = form;
    this.#deps = deps;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
  }

  /** Shows the form. Resolves once the link is open. */
  ask(): Promise<void> {
    this.#form.hidden = false;
    this.#form.scrollIntoView({ block: 'center' });
    this.#input?.focus();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  get #input(): HTMLInputElement | null {
    return this.#form.querySelector('input');
  }

  #showProblem(text: string): void {
    const problem = this.#form.querySelector('[role="alert"]');
    if (problem) problem.textContent = text;
    this.#input?.setAttribute('aria-invalid', String(text !== ''));
    if (text !== '') this.#input?.focus();
  }

  async #submit(): Promise<void> {
    const { client, texts } = this.#deps;
    const problems = {
      wrong: texts.wrongPassword,
      limited: texts.tooManyTries,
      locked: texts.passwordLocked,
      unreachable: texts.failed,
    };
    this.#showProblem('');
    const answer = await client.unlock(this.#input?.value ?? '');
    if (answer !== 'open') return this.#showProblem(problems[answer]);
    // Without its cookie the next request would meet the password again.
    if ((await client.recording()).kind === 'locked') return this.#showProblem(texts.cookieRejected);
    this.#form.reset();
    this.#form.hidden = true;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
