import type { SiteSettings } from '../../contract/site-settings.ts';
import { dayText, type StateDeadline, stateDeadlines, yearsText } from '../law-facts.ts';

/** The deadlines of all states; every row can be linked to by the state's code in small letters. */
export function DeadlineTable({ settings }: { readonly settings: SiteSettings }) {
  return (
    <table className="deadlines">
      <caption className="sr-only">Time to file a lawsuit for an injury, by state</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Time to sue</th>
          <th scope="col">What to know</th>
        </tr>
      </thead>
      <tbody>
        {stateDeadlines(settings.limitation).map((state) => (
          <tr key={state.code} id={state.code.toLowerCase()}>
            <th scope="row">{state.name}</th>
            <td>{yearsText(state.years, 'en')}</td>
            <td>{notes(state).join(' ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** One state's deadline, large, on the page of its law. */
export function DeadlineOf({
  settings,
  code,
}: {
  readonly settings: SiteSettings;
  readonly code: string;
}) {
  const state = stateDeadlines(settings.limitation).find((row) => row.code === code);
  if (!state) throw new Error(`No state has the code ${code}`);
  return (
    <div className="deadline-one">
      <p className="deadline-years">{yearsText(state.years, 'en')}</p>
      <p>
        from the day of the crash to file a lawsuit for an injury in {state.name}.{' '}
        {notes(state).join(' ')}
      </p>
    </div>
  );
}

/** What a row says beside its number: since when, by which law, and where the survey counts otherwise. */
function notes({ since, before, source, surveyYears, years }: StateDeadline): string[] {
  const said: string[] = [];
  if (since !== undefined && before !== undefined) {
    said.push(
      `For crashes from ${dayText(since, 'en')} on; before that, ${yearsText(before, 'en')}.`,
    );
  }
  if (source !== undefined) said.push(`Source: ${source}.`);
  if (surveyYears !== undefined) {
    said.push(
      `Our questions still count ${yearsText(surveyYears, 'en')} here. The law counts, and it says ${yearsText(years, 'en')}.`,
    );
  }
  return said;
}
