import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reactEvents } from './react-modules.ts';

test('React listens to every event that a component of the surveys handles', () => {
  const names: Readonly<Record<string, string>> = { blur: 'focusout', focus: 'focusin' };
  const tags = globSync('src/web/survey/**/*.tsx').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/<[a-z]\w*\s(?:[^<>]|=>)*?>/g),
  ]);
  const handled = tags.flatMap(([tag]) => [...tag.matchAll(/\son([A-Z]\w+)=/g)]);
  const events = handled.map(([, name = '']) => names[name.toLowerCase()] ?? name.toLowerCase());
  expect(events.length).toBeGreaterThan(10);
  const missing = events.filter((event) => !reactEvents.split(' ').includes(event));
  expect(missing, 'add these to `reactEvents`').toEqual([]);
});
