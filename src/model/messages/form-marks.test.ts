import { expect, it } from 'vitest';
import { type FormPlaces, fillMarks, markedPlaces } from './form-marks.ts';

const attribute = (mark: string | undefined) =>
  mark === undefined ? '' : ` data-chosen="${mark}"`;

const html = ({ text, classIf, chosen }: FormPlaces) =>
  `<option value="A"${attribute(chosen('list', 'A'))}><p class="field${classIf('wrong', 'field--error')}"><input value="${text('name')}"></p>`;

it('fillMarks escapes the values that it inserts into a page', () => {
  const typed = `"><script>alert('1')</script>& \uE000name\uE001`;
  expect(fillMarks(html(markedPlaces), { name: typed, wrong: 'required', list: 'A' })).toBe(
    '<option value="A" selected><p class="field field--error"><input value="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)' +
      '&lt;/script&gt;&amp; name"></p>',
  );
});
