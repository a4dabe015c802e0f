import { Fragment } from 'react';
import type { AttemptMark, LeadDelivery } from '../../../contract/console/leads.ts';
import { duration, exactTime, NONE } from '../../format.ts';
import { useTimeZone } from '../../parts/values.tsx';

/** The text of a wait is written on the line only if there are at most this many. */
const mostTexts = 4;

/**
 * Draws waits and attempts of a delivery on one line. Pauses grow from seconds to hours, so the length of a wait
 * is its fourth root: all stay visible, and a longer one looks longer.
 */
export function AttemptsLine({ delivery }: { readonly delivery: LeadDelivery }) {
  const { createdAt, dueAt, log } = delivery;
  const timeZone = useTimeZone();
  const isCrowded = log.length > mostTexts;
  return (
    <ol className="attempts" data-crowded={isCrowded} aria-label="Attempts">
      {log.map((mark, index) => (
        <Fragment key={mark.attempt}>
          <Wait from={log[index - 1]?.endedAt ?? createdAt} to={mark.startedAt} />
          <li className="attempt" data-tone={mark.tone} title={markText(mark, timeZone)}>
            <span className="visually-hidden">{markText(mark, timeZone)}</span>
          </li>
        </Fragment>
      ))}
      {dueAt !== null && (
        <>
          <Wait from={log.at(-1)?.endedAt ?? createdAt} to={dueAt} isOpen />
          <li className="attempt" data-due="" title={`Due ${exactTime(dueAt, timeZone)}`}>
            <span className="visually-hidden">Next attempt {exactTime(dueAt, timeZone)}</span>
          </li>
        </>
      )}
    </ol>
  );
}

type WaitProps = { readonly from: string; readonly to: string; readonly isOpen?: boolean };

function Wait({ from, to, isOpen = false }: WaitProps) {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  return (
    <li className="wait" data-open={isOpen} style={{ flexGrow: 1 + (ms / 1000) ** 0.25 }}>
      <span>{isOpen && ms === 0 ? 'due' : duration(ms)}</span>
    </li>
  );
}

function markText(mark: AttemptMark, timeZone: string): string {
  const { attempt, outcome, status, startedAt, endedAt } = mark;
  const took =
    endedAt === null ? NONE : duration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)));
  const answer = status === null ? '' : `, HTTP ${status}`;
  return `Attempt ${attempt}: ${outcome}${answer}, took ${took}, ${exactTime(startedAt, timeZone)}`;
}
