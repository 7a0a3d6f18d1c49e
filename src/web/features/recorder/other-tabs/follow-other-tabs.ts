import { secondTake, takeOfOtherTab } from './take-of-other-tab.ts';
import type { TabsChannel } from './tabs-channel.ts';

/**
 * Follows the take that another tab records.
 * @param whenWriterEnds resolves when no worker holds the take: a tab that died says nothing
 */
export function followOtherTabs(
  channel: TabsChannel,
  whenWriterEnds: (takeId: string) => Promise<void>,
): void {
  const forget = (takeId: string) => {
    if (takeOfOtherTab.getSnapshot()?.takeId !== takeId) return;
    takeOfOtherTab.set(null);
    secondTake.set(null);
  };
  channel.listen((message) => {
    if (message.type === 'ended') forget(message.takeId);
    if (message.type !== 'running') return;
    const { takeId, ownerId, capturedMs, isPaused } = message;
    const isNew = takeOfOtherTab.getSnapshot()?.takeId !== takeId;
    takeOfOtherTab.set({ takeId, ownerId, capturedMs, isPaused });
    // Without locks, only the tab itself says that its take has ended.
    if (isNew)
      whenWriterEnds(takeId).then(
        () => forget(takeId),
        () => undefined,
      );
  });
  channel.post({ type: 'asked' });
}
