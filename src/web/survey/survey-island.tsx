import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { Runner } from './runner/runner.ts';
import { SurveyView, type SurveyViewProps } from './screens/survey-view.tsx';

type SurveyIslandProps = Pick<SurveyViewProps, 'data' | 'context' | 'parts'> & {
  readonly runner: Runner;
  /** Called once, when the survey is interactive. */
  readonly onReady: () => void;
};

/**
 * The survey in the browser: the view of the runner's state. A new screen scrolls to the top and focuses its
 * question, which announces it; a refused form focuses its first invalid field.
 */
export function SurveyIsland({ runner, onReady, ...view }: SurveyIslandProps) {
  const state = useSyncExternalStore(runner.subscribe, runner.getState, runner.getState);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(-1);
  const refused = useRef(state.refusals);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a screen
  useLayoutEffect(() => {
    if (shown.current === state.screen) return;
    const isFirst = shown.current < 0;
    shown.current = state.screen;
    const question = heading.current as HTMLElement;
    const focused = document.activeElement;
    // In the frame that shows the screen, because scroll and focus force a layout.
    if (!isFirst) {
      requestAnimationFrame(() => {
        window.scrollTo(0, 0);
        // After a late frame the visitor may already be in a field.
        if (document.activeElement === focused) question.focus({ preventScroll: true });
      });
    }
    runner.shown(isFirst && state.screen === 0 ? performance.timeOrigin : undefined);
    if (isFirst) onReady();
  }, [state.screen, runner]);
  useLayoutEffect(() => {
    // The visitor may already be typing in a page that was rendered with errors.
    if (state.refusals === refused.current) return;
    const section = heading.current?.closest('section');
    section?.querySelector<HTMLElement>('[aria-invalid="true"], .field--error .choice')?.focus();
  }, [state.refusals]);
  return <SurveyView {...view} state={state} on={runner.on} heading={heading} />;
}
