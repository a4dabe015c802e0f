import type { SurveyAnswer, SurveyDestination } from '../../../contract/console/work.ts';

const takesWords: Readonly<Record<SurveyDestination['takes'], string>> = {
  all: 'Every lead',
  some: 'Some leads',
  later: 'Later',
  none: 'No lead',
};

const tones: Readonly<Record<SurveyDestination['takes'], string>> = {
  all: 'good',
  some: 'accent',
  later: 'warn',
  none: 'plain',
};

const order = ['all', 'some', 'later', 'none'] as const;

/** Lists the destinations: which leads of the survey each gets, and why not. Those that get some come first. */
export function GoesTo({ goesTo }: Pick<SurveyAnswer, 'goesTo'>) {
  const sorted = goesTo.toSorted(
    (one, other) => order.indexOf(one.takes) - order.indexOf(other.takes),
  );
  return (
    <ul className="goes-to">
      {sorted.map(({ destination, title, takes, text, testText }) => (
        <li key={destination} data-takes={takes}>
          <div className="goes-to-head">
            <strong>{destination}</strong> <span className="quiet">{title}</span>
            <span className="badge" data-tone={tones[takes]}>
              {takesWords[takes]}
            </span>
          </div>
          <p>{text}</p>
          {testText !== '' && <p className="quiet">{testText}</p>}
        </li>
      ))}
    </ul>
  );
}
