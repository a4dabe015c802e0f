import type { SiteSettings } from '../../../model/messages/site-settings.ts';
import { dayText, type StateDeadline, stateDeadlines, yearsText } from '../law-facts.ts';

/** The deadlines of all states. A row's id is the state's code in lower case. */
export function DeadlineTable({ settings }: { readonly settings: SiteSettings }) {
  return (
    <table className="deadlines">
      <caption className="sr-only">Time to file a lawsuit for an injury, by state</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Time to sue</th>
        </tr>
      </thead>
      <tbody>
        {stateDeadlines(settings.limitation).map((state) => (
          <tr key={state.code} id={state.code.toLowerCase()}>
            <th scope="row">
              {state.name}
              {notes(state) && <span className="deadline-note muted">{notes(state)}</span>}
            </th>
            <td>{yearsText(state.years, 'en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type OneProps = { readonly settings: SiteSettings; readonly code: string };

/** One state's deadline, in large type. */
export function DeadlineOf({ settings, code }: OneProps) {
  const state = stateDeadlines(settings.limitation).find((row) => row.code === code);
  if (!state) throw new Error(`No state has the code ${code}`);
  return (
    <div className="deadline-one">
      <p className="deadline-years">{yearsText(state.years, 'en')}</p>
      <p>
        from the day of the crash to file a lawsuit for an injury in {state.name}. {notes(state)}
      </p>
    </div>
  );
}

/** Returns notes on a deadline: since when, by which law, and whether the survey differs. */
function notes({ since, before, source, surveyYears, years }: StateDeadline): string {
  const earlier = before === undefined ? '' : yearsText(before, 'en');
  const change =
    since && `For crashes on or after ${dayText(since, 'en')}. Before that, ${earlier}.`;
  const survey =
    surveyYears !== undefined &&
    `Our questions still use ${yearsText(surveyYears, 'en')} here. Go by the law: ${yearsText(years, 'en')}.`;
  return [change, source && `Source: ${source}.`, survey].filter(Boolean).join(' ');
}
