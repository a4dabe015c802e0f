import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { WalkContext } from '../flows/engine/walk.ts';
import type { Runner } from './runner/runner.ts';
import type { SurveyPageData } from './screens/page-data.ts';
import type { ScreenParts } from './screens/screen-props.ts';
import { SurveyView } from './screens/survey-view.tsx';

/**
 * The survey in the browser: the view of the runner's state, and what belongs to a change of screen:
 * scroll to the top, focus on the new question (which announces it), focus on the first bad field.
 */
export function SurveyIsland({
  data,
  context,
  runner,
  onReady,
  parts,
}: {
  readonly data: SurveyPageData;
  readonly context: WalkContext;
  readonly runner: Runner;
  /** The survey is in the page and answers; called once. */
  readonly onReady?: () => void;
  readonly parts?: ScreenParts;
}) {
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
    const section = question.closest('section') as HTMLElement;
    // With the frame that shows it, not in the tap: these make the browser lay the page out, once.
    if (!isFirst) {
      requestAnimationFrame(() => {
        window.scrollTo(0, 0);
        // Who is in one of its fields already, on a phone that was late with the frame, stays there.
        if (!section.contains(document.activeElement)) question.focus({ preventScroll: true });
      });
    }
    runner.shown(isFirst && state.screen === 0 ? performance.timeOrigin : undefined);
    if (isFirst) onReady?.();
  }, [state.screen, runner]);
  useLayoutEffect(() => {
    // Those that the page came with: its visitor may be typing already.
    if (state.refusals === refused.current) return;
    const section = heading.current?.closest('section');
    section?.querySelector<HTMLElement>('[aria-invalid="true"], .field--error .choice')?.focus();
  }, [state.refusals]);
  return (
    <SurveyView
      data={data}
      context={context}
      state={state}
      on={runner.on}
      heading={heading}
      parts={parts}
    />
  );
}
