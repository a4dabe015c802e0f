import { expect, it } from 'vitest';
import { formShell } from './survey-forms.ts';

it('a survey page without JavaScript loads the stylesheet of later steps at once', () => {
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
