import { expect, it } from 'vitest';
import { emptyPlaces, fillMarks, markedPlaces } from './form-marks.ts';

const html = ({ text, whether }: typeof emptyPlaces) =>
  `<p class="field${whether('wrong', 'field--error')}"><input value="${text('name')}"></p>`;

it('a page has what was typed in place of its marks, escaped', () => {
  const typed = `"><script>alert('1')</script>& \uE000name\uE001`;
  expect(fillMarks(html(markedPlaces), { name: typed, wrong: 'required' })).toBe(
    '<p class="field field--error"><input value="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)' +
      '&lt;/script&gt;&amp; name"></p>',
  );
});

it('a place that nothing was said of is as in a page that nobody has posted to', () => {
  expect(fillMarks(html(markedPlaces), {})).toBe(html(emptyPlaces));
});
