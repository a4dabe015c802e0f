import type { Attention, NowAnswer } from '../../../contract/console/numbers.ts';
import { useApi } from '../../api.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { Panel } from '../../parts/page.tsx';

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
export function NeedsAttention() {
  const now = useApi<NowAnswer>('/api/now', {}, { refetchInterval: 60_000 });
  return (
    <Panel
      query={now}
      className="attention"
      skeleton={<div className="attention-none">&nbsp;</div>}
    >
      {({ attention }) =>
        attention.length === 0 ? (
          <p className="attention-none">
            <Icon name="check" />
            Nothing needs you: no delivery is late, and nothing waits for a decision.
          </p>
        ) : (
          <ul aria-label="Needs attention">
            {attention.map((each) => (
              <Matter key={each.text} of={each} />
            ))}
          </ul>
        )
      }
    </Panel>
  );
}

function Matter({ of: { kind, isUrgent, text, to } }: { readonly of: Attention }) {
  return (
    <li data-row="" tabIndex={-1} data-urgent={isUrgent}>
      <Go to={to} className="matter">
        <Icon name={icons[kind]} />
        <span>
          {isUrgent && <span className="visually-hidden">Urgent: </span>}
          {text}
        </span>
        <Icon name="right" />
      </Go>
    </li>
  );
}
