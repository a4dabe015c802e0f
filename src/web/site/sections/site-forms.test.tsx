import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { emptyPlaces } from '../../../model/messages/form-marks.ts';
import { settings } from '../../survey/test-support/survey-fixture.ts';
import type { PageId } from '../site-map.ts';
import { CallBar } from './site-footer.tsx';

const shared = { language: 'es', settings, places: emptyPlaces } as const;

test('the call bar leads to the contact page, and is not on pages with a form of their own', () => {
  const bar = (page: PageId) => renderToStaticMarkup(<CallBar {...shared} page={page} />);
  expect(bar('about-us')).toContain('href="/es/contact/"');
  expect(bar('contact') + bar('do-not-sell')).toBe('');
});
