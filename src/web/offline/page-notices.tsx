import { PageAwayNotice } from '#web/waiting/away-notice.tsx';
import { GateNotice, type GateNoticeProps } from './gate-notice.tsx';

/** What stands above every page while the server can't be asked. */
export function PageNotices(props: GateNoticeProps) {
  return <><GateNotice {...props} /><PageAwayNotice /></>;
}
