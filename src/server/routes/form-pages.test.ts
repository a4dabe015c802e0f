import { expect, it } from 'vitest';
import { formShell } from './form-pages.ts';

it('a page of a visit has the whole style at once: any step may be on it, and no script may come', () => {
  const sheet = '<link rel="stylesheet" href="/_astro/survey-later.1.css"';
  const identity = Buffer.from(
    `<html><body>${sheet} disabled><div id="survey"><form></form></div>` +
      '<script type="application/json" id="survey-data">{}</script></body></html>',
  );
  const { before } = formShell({
    status: 200,
    headers: {},
    identity,
    gzip: identity,
    br: identity,
  });
  expect(before).toContain(`${sheet}>`);
  expect(before).not.toContain('disabled');
});
