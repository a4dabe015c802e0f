import type { SiteSettings } from '../../contract/site-settings.ts';

const steps = [
  {
    title: 'Answer a few questions',
    text: 'One question at a time: what happened, when, and how you were hurt. It takes about two minutes.',
  },
  {
    title: 'A law firm looks at it',
    text: 'If your case may be one for our network, a personal-injury law firm gets your answers and calls you.',
  },
  {
    title: 'You decide',
    text: 'The first call is free. Lawyers in the network are paid only if you win.',
  },
];

/** The home page's content: what this is, what happens next, and the way into the survey. */
export function Home({ settings }: { readonly settings: SiteSettings }) {
  return (
    <div className="card thanks">
      <h1>Hurt in a car accident? See if you may have a claim.</h1>
      <p className="help">
        {settings.companyName} connects people who were hurt with personal-injury law firms for a
        free first call. We are not a law firm.
      </p>
      <p>
        <a className="button" href="/survey/v4nv">
          File your claim today
        </a>
      </p>
      <h2>What happens next</h2>
      <ol className="next-steps">
        {steps.map(({ title, text }) => (
          <li key={title}>
            <p>
              <strong>{title}.</strong> {text}
            </p>
          </li>
        ))}
      </ol>
      <p className="thanks-call">
        Rather talk? Call <a href={settings.phoneHref}>{settings.phoneDisplay}</a>
      </p>
    </div>
  );
}
