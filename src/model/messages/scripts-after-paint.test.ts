import { expect, it, vi } from 'vitest';
import { scriptFilesMark, scriptsAfterPaint } from './scripts-after-paint.ts';

it('scriptsAfterPaint requests each script once, in order, after the first frame or one second', () => {
  vi.useFakeTimers();
  const files = { scripts: ['/a.js', '/b.js'], imports: ['/c.js'] };
  const source = scriptsAfterPaint.replace(scriptFilesMark, JSON.stringify(files));
  const run = (hasFrames: boolean) => {
    const asked: string[] = [];
    const document = {
      createElement: (name: string) => ({ name }),
      head: {
        append: (element: { href?: string; src?: string; async?: boolean }) => {
          asked.push(element.href ?? element.src ?? '');
          // Inserted scripts run in order only if `async` is false.
          if (element.src) expect(element.async).toBe(false);
        },
      },
    };
    const frame = (draw: () => void) => hasFrames && draw();
    new Function('document', 'requestAnimationFrame', 'setTimeout', source)(
      document,
      frame,
      setTimeout,
    );
    expect(asked).toEqual([]);
    vi.advanceTimersByTime(900);
    expect(asked).toHaveLength(hasFrames ? 3 : 0);
    vi.advanceTimersByTime(200);
    expect(asked).toEqual(['/c.js', '/a.js', '/b.js']);
  };
  run(true);
  run(false);
  vi.useRealTimers();
});
