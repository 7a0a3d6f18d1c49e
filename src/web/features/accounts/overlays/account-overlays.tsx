import { oldWritesQuestion } from '#web/api/old-writes-prompt.ts';
import { stepUpPrompt } from '#web/api/step-up-prompt.ts';
import { useSession } from '#web/api/session.ts';
import { useSignInPrompt } from '#web/api/sign-in-prompt.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { linkOffer } from '#web/features/accounts/providers/link-offer.ts';
import { LinkOfferDialog } from './link-offer-dialog.tsx';
import { OldWritesDialog } from './old-writes-dialog.tsx';
import { ResetLinkNotices } from './reset-link-notices.tsx';
import { SignInBanner } from './sign-in-banner.tsx';
import { SignInDialog } from './sign-in-dialog.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';

/** The account's dialogs over any screen: one at a time, the most basic first. */
export function AccountOverlays() {
  const prompt = useSignInPrompt();
  const isProofWanted = useStore(stepUpPrompt);
  const question = useStore(oldWritesQuestion);
  const offer = useStore(linkOffer);
  const { user } = useSession();
  if (prompt.shown === 'dialog') return <SignInDialog prompt={prompt} />;
  if (isProofWanted && user) return <StepUpDialog user={user} />;
  if (question) return <OldWritesDialog question={question} />;
  if (offer && user) return <LinkOfferDialog key={offer.id} provider={offer} />;
  return prompt.shown === 'banner' ? <SignInBanner because={prompt.because} /> : <ResetLinkNotices />;
}
