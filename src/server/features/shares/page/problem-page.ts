import type { FastifyReply, FastifyRequest } from 'fastify';
import type {} from '@fastify/cookie';
import { z } from 'zod';
import type { ErrorCode } from '#contract/errors.ts';
import { signInUrlFor } from '#contract/links.ts';
import type { ShippedLocale } from '#contract/locales.ts';
import { unlockShare } from '#contract/share-links-api.ts';
import { shareEndReasonSchema } from '#contract/shares.ts';
import { negotiateLocale } from '#server/http/pages/negotiate-page.ts';
import type { ProblemError } from '#server/http/problem.ts';
import type { RenderProblem } from '#server/http/route.ts';
import type { ListeningFiles } from './listening-files.ts';
import {
  hasNoticeForm,
  renderNoticePage,
  renderPasswordPage,
  type NoticeKind,
  type PasswordProblem,
} from './notice-page.ts';
import type { LinkPageFrame } from './page-document.ts';
import { embeddedPlayerHeaders, listeningPageHeaders } from './page-headers.ts';

const querySchema = z.object({ lang: z.string().optional().catch(undefined) }).catch({});
const paramsSchema = z.object({ token: z.string() }).catch({ token: '' });

export interface FrameDeps {
  files: ListeningFiles;
  /** The configured address of this server, without a slash at the end. */
  publicUrl: string;
}

/** The language of a page: from the address, else chosen before, else the best that the browser accepts. */
const localeOf = (request: FastifyRequest, readsCookies: boolean): ShippedLocale =>
  negotiateLocale({
    query: querySchema.parse(request.query).lang,
    cookie: readsCookies ? request.cookies['lang'] : undefined,
    acceptLanguage: request.headers['accept-language'],
  });

/** What every page of a link needs. The token comes from the path as it is, so it may be malformed. */
export const frameOf = (
  { files, publicUrl }: FrameDeps,
  request: FastifyRequest,
  { readsCookies }: { readsCookies: boolean },
): LinkPageFrame => ({
  files,
  locale: localeOf(request, readsCookies),
  linkPath: `/s/${encodeURIComponent(paramsSchema.parse(request.params).token)}`,
  homeUrl: `${publicUrl}/`,
});

/** What was wrong with a password that a form sent; null for every other problem. */
function passwordProblemOf({ code, reason }: ProblemError, request: FastifyRequest): PasswordProblem | null {
  if (code === 'share-password-wrong') return 'wrongPassword';
  if (code !== 'rate-limited' || request.routeOptions.url !== unlockShare.path) return null;
  return reason === 'locked' ? 'passwordLocked' : 'tooManyTries';
}

const notices: Partial<Record<ErrorCode, NoticeKind>> = {
  'link-not-found': 'unknown',
  'not-found': 'unknown',
  'session-required': 'signIn',
  'session-expired': 'signIn',
  'rate-limited': 'tooMany',
};

const accessNotices = { possible: 'mayAsk', asked: 'hasAsked', impossible: 'notForYou' } as const;
const accessSchema = z.enum(['possible', 'asked', 'impossible']).catch('impossible');

/** The page of each problem that a listener can meet; null: the answer is problem+json. */
function noticeOf({ code, reason }: ProblemError): NoticeKind | null {
  if (code === 'share-ended') return shareEndReasonSchema.catch('unavailable').parse(reason);
  if (code === 'share-not-for-you') return accessNotices[accessSchema.parse(reason)];
  return notices[code] ?? null;
}

const isNavigation = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html');

/**
 * Sends a navigation to what a link shows now, if the link was changed during the request. Returns false for other
 * problems.
 */
function redirectChanged({ code }: ProblemError, request: FastifyRequest, reply: FastifyReply): boolean {
  if (code !== 'share-changed') return false;
  // The page of a form is that of its link, in the same language.
  const path = request.url.replace(/\/(unlock|access|listens)(?=\?|$)/, '');
  void reply.code(303).header('Location', path);
  return true;
}

/** Renders problems of links as pages, for browsers. Scripts get problem+json. */
export function renderListeningProblem(deps: FrameDeps): RenderProblem {
  return (problem, request, reply) => {
    if (!isNavigation(request)) return null;
    if (redirectChanged(problem, request, reply)) return '';
    const frame = frameOf(deps, request, { readsCookies: true });
    const passwordProblem = passwordProblemOf(problem, request);
    const isLocked = problem.code === 'share-password-required';
    const kind = noticeOf(problem);
    if (passwordProblem === null && !isLocked && kind === null) return null;
    const asksForPassword = kind === null || passwordProblem !== null;
    const hasForm = asksForPassword || hasNoticeForm(kind);
    reply.headers(listeningPageHeaders(deps.files, { localeTag: frame.locale.tag, hasForm }));
    if (asksForPassword) return renderPasswordPage(frame, passwordProblem);
    return renderNoticePage(frame, { kind, signInUrl: `${deps.publicUrl}${signInUrlFor(frame.linkPath)}` });
  };
}

/** Renders problems of the embedded player. Every page may frame them: they show no recording and no form. */
export function renderEmbeddedProblem(deps: FrameDeps): RenderProblem {
  return (problem, request, reply) => {
    if (!isNavigation(request)) return null;
    if (redirectChanged(problem, request, reply)) return '';
    const kind = noticeOf(problem);
    if (kind === null) return null;
    const frame = frameOf(deps, request, { readsCookies: false });
    reply.headers(embeddedPlayerHeaders(deps.files, { localeTag: frame.locale.tag, embed: 'any' }));
    return renderNoticePage(frame, { kind, signInUrl: '', isEmbedded: true });
  };
}
