import { Fragment } from 'react';
import { count, duration, NONE, percent } from '../../format.ts';
import { StepDetail } from './detail.tsx';
import { Drop } from './drop.tsx';
import { SENT } from './flow-graph.ts';
import { dropOff } from './funnel.ts';
import { type FunnelView, fieldIn, titleIn } from './view.ts';

type StepTableProps = {
  readonly view: FunnelView;
  readonly selected: string | undefined;
  readonly onSelect: (step: string) => void;
};

/** The funnel as a table, for phones and screen readers. A step opens its details below its row. */
export function StepTable({ view, selected, onSelect }: StepTableProps) {
  const { graph, now, other, otherName } = view;
  return (
    <div className="table-box">
      <table className="table funnel-table" aria-label="Steps of the flow">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" data-align="end">
              Seen
            </th>
            <th scope="col" data-align="end">
              Leave here
            </th>
            {other && (
              <th scope="col" data-align="end" data-minor>
                Leave: {otherName}
              </th>
            )}
            <th scope="col" data-align="end" data-minor>
              Median time
            </th>
            <th scope="col" data-align="end" data-minor>
              Went back
            </th>
            <th scope="col" data-minor>
              Most refused
            </th>
          </tr>
        </thead>
        <tbody>
          {graph.nodes.map(({ id }) => (
            <Fragment key={id}>
              <StepRow view={view} step={id} isOpen={id === selected} onSelect={onSelect} />
              {id === selected && (
                <tr className="funnel-open">
                  <td colSpan={other ? 7 : 6}>
                    <StepDetail view={view} step={id} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      <p className="quiet funnel-note">
        Of {count(now.visits)} visits. Steps stand in the order of the flow.
      </p>
    </div>
  );
}

type StepRowProps = {
  readonly view: FunnelView;
  readonly step: string;
  readonly isOpen: boolean;
  readonly onSelect: (step: string) => void;
};

function StepRow({ view, step, isOpen, onSelect }: StepRowProps) {
  const { graph, now, other } = view;
  const isSent = step === SENT;
  const own = isSent ? { ...now.step(step), seen: now.completed } : now.step(step);
  const [drop, before] = [dropOff(graph, now, step), other && dropOff(graph, other, step)];
  const [refused] = own.refused;
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          className="step-open"
          aria-expanded={isOpen}
          onClick={() => onSelect(isOpen ? '' : step)}
        >
          {titleIn(view, step)}
        </button>
      </th>
      <td data-align="end">{count(own.seen)}</td>
      <td data-align="end">{drop.of === 0 ? NONE : <Drop now={drop} other={before} word="" />}</td>
      {other && (
        <td data-align="end" data-minor>
          {before && percent(before.part, before.of)}
        </td>
      )}
      <td data-align="end" data-minor>
        {own.medianSeconds === null ? NONE : duration(1000 * own.medianSeconds)}
      </td>
      <td data-align="end" data-minor>
        {isSent ? NONE : percent(own.wentBack, own.seen)}
      </td>
      <td data-minor>
        {refused ? `${fieldIn(view, refused.field)}: ${count(refused.visits)}` : NONE}
      </td>
    </tr>
  );
}
