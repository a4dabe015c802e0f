import { useNavigate, useSearch } from '@tanstack/react-router';
import { type CSSProperties, useMemo, useState } from 'react';
import type { SurveyAnswer } from '../../../contract/console/work.ts';
import { surveyFacts } from '../../../flows/surveys.ts';
import { addressOf } from '../../api.ts';
import { IconButton, Select } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/page.tsx';
import { flowGraph, SENT } from '../funnels/flow-graph.ts';
import { stepTitle } from '../funnels/step-titles.ts';
import { useFlow } from '../funnels/use-flow.ts';

type Search = Readonly<Record<string, string | undefined>>;

/** Shows the survey's screens one at a time in a phone, as its own pages render them. */
export function Screens({ survey }: { readonly survey: SurveyAnswer }) {
  const { path, language, hasScreens } = survey;
  const { data: flow } = useFlow(survey);
  const steps = useMemo(() => {
    const nodes = flow ? flowGraph(flow, surveyFacts(survey)).nodes : [];
    return nodes.map(({ id }) => id).filter((id) => id !== SENT);
  }, [flow, survey]);
  const { step }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (next: string | undefined) => {
    if (next === undefined) return;
    const search = (now: Search) => ({ ...now, step: next });
    void navigate({ to: '.', search: search as never, replace: true, resetScroll: false });
  };
  if (!flow) return <Skeleton rows={10} />;
  const index = Math.max(0, steps.indexOf(step ?? ''));
  const current = steps[index] ?? flow.start;
  const title = stepTitle(language, flow.id, current);
  return (
    <div className="screens">
      <div className="screens-steps">
        <IconButton
          label="Previous screen"
          isDisabled={index === 0}
          onPress={() => go(steps[index - 1])}
        >
          <Icon name="left" />
        </IconButton>
        <Select
          label="Screen"
          items={steps.map((id, place) => ({
            id,
            label: `${place + 1}. ${stepTitle(language, flow.id, id)}`,
            note: id,
          }))}
          value={current}
          onChange={go}
        />
        <IconButton
          label="Next screen"
          isDisabled={index === steps.length - 1}
          onPress={() => go(steps[index + 1])}
        >
          <Icon name="right" />
        </IconButton>
      </div>
      {hasScreens ? (
        <Phone
          key={current}
          title={`Screen ${index + 1} of ${steps.length}: ${title}`}
          src={addressOf('/api/surveys/screen', { survey: path, step: index })}
        />
      ) : (
        <p className="quiet">
          This server serves no pages (<code>PAGES=off</code>, or they are not built), so it cannot
          show the screens.
        </p>
      )}
    </div>
  );
}

/** The height of a phone's screen, in px. */
const SCREEN = 780;

/** A phone that shows one page, which can be scrolled but not used: a picture that is always up to date. */
function Phone({ title, src }: { readonly title: string; readonly src: string }) {
  // Unknown until the page is loaded.
  const [height, setHeight] = useState<number>();
  return (
    <div className="phone">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: only so can it be scrolled by keys */}
      <section className="phone-view" aria-label={title} tabIndex={0}>
        {height === undefined && <p className="phone-wait">Rendering the screen…</p>}
        <div
          className="phone-page"
          style={{ '--height': `${height ?? SCREEN}px` } as CSSProperties}
        >
          <iframe
            className="phone-screen"
            title={title}
            src={src}
            data-loaded={height !== undefined}
            inert
            // The section around it scrolls.
            scrolling="no"
            onLoad={({ currentTarget: { contentDocument } }) =>
              setHeight(Math.max(SCREEN, contentDocument?.documentElement.scrollHeight ?? 0))
            }
          />
        </div>
      </section>
    </div>
  );
}
