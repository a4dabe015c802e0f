import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { WalkContext } from '../flows/engine/walk.ts';
import type { SurveyPageData } from './page/page-data.ts';
import { showLeaving } from './runner/leaving-screen.ts';
import type { Runner } from './runner/runner.ts';
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
  const left = useRef<readonly [section: HTMLElement, step: string]>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a screen
  useLayoutEffect(() => {
    if (shown.current === state.screen) return;
    const isFirst = shown.current < 0;
    if (!isFirst) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    shown.current = state.screen;
    const section = heading.current?.parentElement as HTMLElement;
    if (left.current) {
      const [old, step] = left.current;
      const isAnswered = state.direction === 'forward';
      showLeaving(old, section, isAnswered ? state.given[step] : undefined);
    }
    left.current = [section, state.at];
    runner.shown(isFirst && state.screen === 0 ? performance.timeOrigin : undefined);
    if (isFirst) onReady?.();
  }, [state.screen, runner]);
  useLayoutEffect(() => {
    if (state.refusals === 0) return;
    const card = heading.current?.parentElement;
    card?.querySelector<HTMLElement>('[aria-invalid="true"], .field--error button')?.focus();
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
