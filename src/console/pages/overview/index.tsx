import { keepPreviousData } from '@tanstack/react-query';
import type { Attention, NowAnswer, OverviewAnswer } from '../../../contract/console/numbers.ts';
import { useApi } from '../../api.ts';
import { Go, useAddress } from '../../parts/address.tsx';
import { Chip } from '../../parts/controls.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Card, Page, Panel } from '../../parts/page.tsx';
import { Breakdown } from './breakdown.tsx';
import { dimensionLabels, useSelection, valueLabel } from './selection.ts';
import { Totals } from './totals.tsx';
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
          <Panel query={overview} rows={13}>
            {(data) => <Totals of={data} />}
          </Panel>
          {!segment && <Breakdown />}
        </>
      )}
    </Page>
  );
}

function Filters() {
  const { survey, segment } = useSelection();
  const [, change] = useAddress();
  return (
    <>
      {survey !== '' && (
        <Chip name={`Survey ${survey}`} onRemove={() => change({ survey: undefined })}>
          <span className="quiet">Survey</span> {survey}
        </Chip>
      )}
      {segment && (
        <Chip
          name={`${dimensionLabels[segment.dimension]} ${segment.value}`}
          onRemove={() => change({ dimension: undefined, value: undefined })}
        >
          <span className="quiet">{dimensionLabels[segment.dimension]}</span>{' '}
          {valueLabel(segment.dimension, segment.value)}
        </Chip>
      )}
    </>
  );
}

const icons: Readonly<Record<Attention['kind'], IconName>> = {
  delivery: 'deliveries',
  circuit: 'alert',
  unsold: 'alert',
  held: 'pause',
  funnel: 'funnels',
  disk: 'system',
  database: 'system',
  requests: 'people',
};

/** Lists what needs a person, the urgent first as the server sorts it; one quiet line if nothing does. */
function NeedsAttention() {
  const now = useApi<NowAnswer>('/api/now', {}, { refetchInterval: 60_000 });
  return (
    <Panel query={now} className="attention" rows={1}>
      {({ attention }) =>
        attention.length === 0 ? (
          <p className="matter quiet">
            <Icon name="check" />
            Nothing needs you: no delivery is late, and nothing waits for a decision.
          </p>
        ) : (
          <ul aria-label="Needs attention">
            {attention.map(({ kind, isUrgent, text, to }) => (
              <li key={text} data-row="" tabIndex={-1} data-urgent={isUrgent}>
                <Go to={to} className="matter">
                  <Icon name={icons[kind]} />
                  <span>
                    {isUrgent && <span className="visually-hidden">Urgent: </span>}
                    {text}
                  </span>
                  <Icon name="right" />
                </Go>
              </li>
            ))}
          </ul>
        )
      }
    </Panel>
  );
}

/** Says what to do while there are no visits, and that the page fills itself. */
function FirstDay() {
  return (
    <Card title="No visits yet in these days">
      <p className="body">
        <Go to="/surveys">Open a survey as a visitor would</Go>: each has a link and a QR code. A
        test link marks the lead, and tests never count. Then{' '}
        <Go to="/deliveries">see where its lead goes</Go>.
      </p>
      <p className="body quiet" role="status">
        Waiting for the first visit. It appears here within seconds.
      </p>
    </Card>
  );
}
