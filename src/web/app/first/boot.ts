import { askEarly } from '#web/api/reach/early-answers.ts';
import { rememberPress } from './early-press.ts';
import { questionsAt } from './early-questions.ts';
import { fillPictureEarly } from './fill-picture.ts';

/** Resolves when the picture that came with the page is on the screen; soon, too, where nothing is painted, as in a tab in the background. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
  });
}

/** What was pressed meanwhile is heard before more is done. */
const nextTask = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve); });

/** How long a picture may wait for what is written into it before what may wait is asked for all the same. */
const longestMs = 500;

/** Asks for what may wait until the picture is complete: on a slow line it would come between a person and what they look for. */
async function fetchTheRest(filled: Promise<void>): Promise<void> {
  await painted();
  await Promise.race([filled.then(painted), new Promise((resolve) => { setTimeout(resolve, longestMs); })]);
  for (const { content } of document.querySelectorAll<HTMLTemplateElement>('template.after-picture')) document.head.append(content);
}

/** Says in the words that came with the page that it cannot be shown. */
function giveUp(): void {
  const root = document.getElementById('root');
  const trouble = document.querySelector<HTMLTemplateElement>('#trouble');
  if (!root || !trouble) return;
  root.replaceChildren(trouble.content.cloneNode(true));
  // The form by itself would leave out what the address asks for.
  root.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    location.reload();
  });
}

/** First the picture, then what makes it work: its files are on their way meanwhile, and running them would hold the picture back. */
async function boot(): Promise<void> {
  await painted();
  // What the browser knows of languages is read from its files the first time, which takes as long as half the program: by itself, so that a press between the two is heard.
  Intl.DateTimeFormat.supportedLocalesOf('en');
  await nextTask();
  const { start } = await import('../main.tsx');
  await nextTask();
  await start();
}

rememberPress();
const questions = questionsAt(location, document.cookie);
askEarly(questions);
// What cannot be read now, the program says.
void fetchTheRest(fillPictureEarly(questions).catch(() => undefined));
boot().catch(giveUp);
