import type { SiteSettings } from '../../contract/site-settings.ts';

/** What a visitor sees at an address that the site does not have: the two ways on. */
export function NotFound({ settings }: { readonly settings: SiteSettings }) {
  return (
    <div className="card thanks">
      <h1>This page is not here</h1>
      <p className="help">The address may be old or mistyped. Nothing that you entered is lost.</p>
      <p>
        <a className="button" href="/survey/v4nv">
          Start the questions
        </a>
      </p>
      <p className="thanks-call">
        Or call <a href={settings.phoneHref}>{settings.phoneDisplay}</a>
      </p>
    </div>
  );
}
