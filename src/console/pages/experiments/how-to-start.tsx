import { experiments } from '../../../flows/experiments.ts';
import { Code } from '../../parts/values.tsx';

const example =
  'EXPERIMENTS={"buttons":{"surveys":["/survey/v4nv"],"weights":{"plain":1,"rounded":1}}}';

/** Says how an experiment is started, and which there are. */
export function HowToStart({ isFirst }: { readonly isFirst: boolean }) {
  return (
    <div className="how-to-start">
      {isFirst && (
        <p>
          <strong>No experiment runs.</strong> An experiment shows a part of a survey’s visitors
          another look; its questions stay the same.
        </p>
      )}
      <ol className="how-steps">
        <li>
          Choose an experiment and its surveys. Decide before you start what counts as success: here
          it is accepted leads per visit.
        </li>
        <li>
          Add it to the setting <Code>EXPERIMENTS</Code> and restart the server:
          <pre className="how-example">{example}</pre>
        </li>
        <li>
          Wait. The first visits say little, and this page says so. Don’t change the weights while
          it runs; if you must, count from that day on.
        </li>
      </ol>
      <h3>There are</h3>
      <ul className="how-list">
        {experiments.map(({ id, variants }) => (
          <li key={id}>
            <Code>{id}</Code> <span className="quiet">{Object.keys(variants).join(', ')}</span>
          </li>
        ))}
      </ul>
      <p className="quiet">
        More in docs/decisions/0029-themes.md. A variant with weight 0 is not shown to new visitors.
      </p>
    </div>
  );
}
