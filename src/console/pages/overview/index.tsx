import { keepPreviousData } from '@tanstack/react-query';
import type { OverviewAnswer } from '../../../contract/console/numbers.ts';
import { useApi } from '../../api.ts';
import { Icon } from '../../parts/icon.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { NeedsAttention } from './attention.tsx';
import { Breakdown } from './breakdown.tsx';
import { FirstDay } from './first-day.tsx';
import { dimensionLabels, mainTotals, valueLabel } from './names.ts';
import { useChange, useSelection } from './selection.ts';
import { asideTotals, Totals } from './totals.tsx';
import './overview.css';

/** Answers how it goes: a sentence, what needs a person, the totals, and where they come from. */
export default function OverviewPage() {
  const { from, to, survey, segment } = useSelection();
  const overview = useApi<OverviewAnswer>(
    '/api/overview',
    { from, to, survey, ...segment },
    { placeholderData: keepPreviousData },
  );
  const isFiltered = survey !== '' || segment !== undefined;
  const isEmpty = overview.data?.totals.visits === 0 && overview.data.totalsBefore.visits === 0;
  return (
    <Page title="Overview" summary={overview.data?.summary} actions={isFiltered && <Filters />}>
      <NeedsAttention />
      {isEmpty && !isFiltered ? (
        <FirstDay />
      ) : (
        <>
          <Panel query={overview} className="numbers" skeleton={<NumbersSkeleton />}>
            {(data) => <Totals of={data} />}
          </Panel>
          <Breakdown />
        </>
      )}
    </Page>
  );
}

/** The filters that are on, each with a button that takes it away. */
function Filters() {
  const { survey, segment } = useSelection();
  const change = useChange();
  return (
    <>
      {survey !== '' && (
        <Chip label="Survey" value={survey} onRemove={() => change({ survey: undefined })} />
      )}
      {segment && (
        <Chip
          label={dimensionLabels[segment.dimension]}
          value={valueLabel(segment.dimension, segment.value)}
          onRemove={() => change({ dimension: undefined, value: undefined })}
        />
      )}
    </>
  );
}

type ChipProps = { readonly label: string; readonly value: string; readonly onRemove: () => void };

function Chip({ label, value, onRemove }: ChipProps) {
  return (
    <span className="chip">
      <span className="quiet">{label}</span> {value}
      <button type="button" aria-label={`Remove the filter ${label} ${value}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </span>
  );
}

/** As high as the totals with their chart, so nothing moves when they arrive. */
function NumbersSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading</span>
      {[mainTotals, asideTotals].map((names) => (
        <ul className={names === mainTotals ? 'totals' : 'totals totals-aside'} key={names[0]}>
          {names.map((name) => (
            <li className="total total-empty" key={name} />
          ))}
        </ul>
      ))}
      <div className="series series-empty" />
    </div>
  );
}
