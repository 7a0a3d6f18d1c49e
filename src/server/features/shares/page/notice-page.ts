import type { I18n } from '@lingui/core';
import { limits } from '#contract/limits.ts';
import { serverI18n } from '#server/i18n/server-i18n.ts';
import { markup, type Html } from './html.ts';
import { noticeTexts, passwordTexts, scriptTexts } from './listening-texts.ts';
import { renderDocument, renderEmbedded, type LinkPageFrame } from './page-document.ts';

export type NoticeKind = keyof ReturnType<typeof noticeTexts>;

/** What was wrong with the last password, if one was given. */
export type PasswordProblem = 'wrongPassword' | 'tooManyTries' | 'passwordLocked';

/** The field and the button of a form for the password of a link. */
export function passwordFields(
  i18n: I18n,
  { problem, autofocus }: { problem: PasswordProblem | null; autofocus: boolean },
): Html {
  const texts = passwordTexts(i18n);
  const text = problem === null ? '' : scriptTexts(i18n)[problem];
  const invalid = problem === null ? null : markup` aria-invalid="true"`;
  const focus = autofocus ? markup` autofocus` : null;
  return markup`<label><span>${texts.label}</span><input type="password" name="password" required maxlength="${limits.share.password.maxLength}" autocomplete="current-password" autocapitalize="none" spellcheck="false" dir="auto" aria-describedby="password-problem"${invalid}${focus}></label><p class="problem" id="password-problem" role="alert">${text}</p><button class="primary">${texts.open}</button>`;
}

/** Renders the page that asks for the password of a link. Nothing of the recording is on it. */
export function renderPasswordPage(frame: LinkPageFrame, problem: PasswordProblem | null): string {
  const i18n = serverI18n(frame.locale.tag);
  const { title, hint } = passwordTexts(i18n);
  return renderDocument(frame, {
    title: `${title} · Earshot`,
    main: markup`<form class="notice" method="post" action="${frame.linkPath}/unlock?lang=${frame.locale.tag}"><h1>${title}</h1><p>${hint}</p>${passwordFields(i18n, { problem, autofocus: true })}</form>`,
    hasScript: false,
    hasForm: true,
  });
}

/** Whether the page of a notice has a form. */
export const hasNoticeForm = (kind: NoticeKind): boolean => kind === 'mayAsk';

/** What a visitor can do about a notice. */
function noticeAction(
  i18n: I18n,
  { linkPath }: LinkPageFrame,
  { kind, signInUrl }: { kind: NoticeKind; signInUrl: string },
): Html | null {
  if (kind === 'signIn') return markup`<a class="primary" href="${signInUrl}">${i18n._('Go to sign-in')}</a>`;
  if (kind === 'mayAsk')
    return markup`<form method="post" action="${linkPath}/access?lang=${i18n.locale}"><button class="primary">${i18n._('Ask for access')}</button></form>`;
  if (kind === 'hasAsked')
    return markup`<a class="quiet" href="${linkPath}?lang=${i18n.locale}">${i18n._('Check again')}</a>`;
  return null;
}

/** Renders a page without a recording: why there is none, and what to do. */
export function renderNoticePage(
  frame: LinkPageFrame,
  { kind, signInUrl, isEmbedded = false }: { kind: NoticeKind; signInUrl: string; isEmbedded?: boolean },
): string {
  const i18n = serverI18n(frame.locale.tag);
  const { title, text } = noticeTexts(i18n)[kind];
  const action = isEmbedded ? null : noticeAction(i18n, frame, { kind, signInUrl });
  const render = isEmbedded ? renderEmbedded : renderDocument;
  return render(frame, {
    title: `${title} · Earshot`,
    main: markup`<section class="notice"><h1>${title}</h1><p>${text}</p>${action}</section>`,
    hasScript: false,
    hasForm: !isEmbedded && hasNoticeForm(kind),
  });
}
