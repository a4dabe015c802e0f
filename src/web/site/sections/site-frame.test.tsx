import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { settings } from '../../survey/test-support/survey-fixture.ts';
import type { PageId } from '../site-map.ts';
import { CallBar } from './site-frame.tsx';

const shared = { language: 'es', settings } as const;

test('the call bar is absent from pages with a form', () => {
  const bar = (page: PageId) => renderToStaticMarkup(<CallBar {...shared} page={page} />);
  expect(bar('about-us')).toContain('href="/es/contact/"');
  expect(bar('contact') + bar('do-not-sell')).toBe('');
});
