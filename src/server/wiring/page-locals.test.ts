import { expect, test } from 'vitest';
import { servesPreview } from './page-locals.ts';

test.each([
  ['localhost', undefined, undefined, true],
  ['127.0.0.1', undefined, 'development', true],
  ['::1', undefined, 'test', true],
  ['localhost', undefined, 'production', false],
  ['localhost', 'https://claims.example', undefined, false],
  ['0.0.0.0', undefined, 'development', false],
  ['127.evil.example', undefined, undefined, false],
])(
  'at %s, public as %s, in mode %s the preview is served: %s',
  (host, publicUrl, mode, isServed) => {
    expect(servesPreview({ host, publicUrl }, mode ?? '')).toBe(isServed);
  },
);
