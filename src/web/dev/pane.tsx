import { Buttons } from './sections/buttons.tsx';
import { Feedback } from './sections/feedback.tsx';
import { Fields } from './sections/fields.tsx';
import { OverlaySection } from './sections/overlays.tsx';
import { RecorderSection } from './sections/recorder.tsx';
import { RowSection } from './sections/rows.tsx';
import { Waves } from './sections/waves.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import styles from './dev.module.css';

/** Every component in every state, in one language, theme and direction. */
export function Pane() {
  return (
    <PreviewFrame>
      <main className={styles.pane}>
        <Buttons />
        <Fields />
        <Feedback />
        <OverlaySection />
        <RecorderSection />
        <Waves />
        <RowSection />
      </main>
    </PreviewFrame>
  );
}
