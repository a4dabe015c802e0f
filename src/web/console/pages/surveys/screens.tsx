import { type CSSProperties, useMemo, useState } from 'react';
import { surveyFacts } from '../../../../model/flows/surveys.ts';
import type { SurveyAnswer } from '../../../../model/messages/console/work.ts';
import { addressOf } from '../../api.ts';
import { useUrlQuery } from '../../parts/address.tsx';
import { IconButton, Select } from '../../parts/controls.tsx';
import { flowGraph, SENT, stepTitle, useFlow } from '../../parts/flow-graph.ts';
import { Skeleton } from '../../parts/page.tsx';

/** Shows the pages of a survey on a drawn phone. */
export function Screens({ survey }: { readonly survey: SurveyAnswer }) {
  const { path, language, hasScreens } = survey;
  const { data: flow } = useFlow(survey);
  const steps = useMemo(() => {
    const nodes = flow ? flowGraph(flow, surveyFacts(survey)).nodes : [];
    return nodes.map(({ id }) => id).filter((id) => id !== SENT);
  }, [flow, survey]);
  const [{ step = '' }, change] = useUrlQuery();
  if (!flow) return <Skeleton rows={10} />;
  const index = Math.max(0, steps.indexOf(step));
  const current = steps[index] ?? flow.start;
  const go = (place: number) => change({ step: steps[place] });
  return (
    <div className="screens body stack">
      <div className="row">
        <IconButton
          label="Previous screen"
          icon="left"
          isDisabled={index === 0}
          onPress={() => go(index - 1)}
        />
        <Select
          label="Screen"
          items={steps.map((id, place) => ({
            id,
            label: `${place + 1}. ${stepTitle(language, flow.id, id)}`,
            note: id,
          }))}
          value={current}
          onChange={(id) => change({ step: id })}
        />
        <IconButton
          label="Next screen"
          icon="right"
          isDisabled={index === steps.length - 1}
          onPress={() => go(index + 1)}
        />
      </div>
      {hasScreens ? (
        <Phone
          key={current}
          title={`Screen ${index + 1} of ${steps.length}: ${stepTitle(language, flow.id, current)}`}
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

const SCREEN = 780;

function Phone({ title, src }: { readonly title: string; readonly src: string }) {
  const [height, setHeight] = useState<number>();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section className="phone" aria-label={title} tabIndex={0}>
      <div className="phone-page" style={{ '--height': `${height ?? SCREEN}px` } as CSSProperties}>
        <iframe
          className="phone-screen"
          title={title}
          src={src}
          data-loaded={height !== undefined}
          inert
          // Turns off scrolling in the frame, because the section around the frame scrolls.
          scrolling="no"
          onLoad={({ currentTarget: { contentDocument } }) =>
            setHeight(Math.max(SCREEN, contentDocument?.documentElement.scrollHeight ?? 0))
          }
        />
      </div>
    </section>
  );
}
