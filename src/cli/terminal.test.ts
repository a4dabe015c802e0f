import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeControls } from '../server/insight/safe-text.ts';
import { plain } from './terminal.ts';

test('plain removes control characters', () => {
  expect(plain('a\u001b[2Jb\nc\u0007\u202ed')).toBe('ab c d');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plain(text)).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    }),
  );
});

test('escapeControls keeps line ends and escapes other control characters', () => {
  expect(escapeControls('a,\u001b]0;x\u0007\tb\r\n')).toBe('a,\\u001b]0;x\\u0007\tb\r\n');
  expect(escapeControls('hidden\rshown\u009b2J\u007f\u202e')).toBe(
    'hidden\\u000dshown\\u009b2J\\u007f\\u202e',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = escapeControls(JSON.stringify({ text }, null, 2));
      expect(JSON.parse(shown)).toEqual({ text });
      expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    }),
  );
});
