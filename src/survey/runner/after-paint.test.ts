import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AfterPaint } from './after-paint.ts';

let frames: (() => void)[];
let ran: string[];
let afterPaint: AfterPaint;
const add = (name: string) => afterPaint.add(() => ran.push(name));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  frames = [];
  ran = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  afterPaint = new AfterPaint();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('work runs in order, in a task after the frame', () => {
  add('save');
  add('keep');
  for (const frame of frames) frame();
  expect(ran).toEqual([]);
  vi.advanceTimersByTime(0);
  expect(ran).toEqual(['save', 'keep']);
});

test('work waits until the browser is idle, where it tells', () => {
  const idle: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (task: () => void) => idle.push(task));
  add('save');
  for (const frame of frames) frame();
  vi.advanceTimersByTime(0);
  expect(ran).toEqual([]);
  for (const task of idle) task();
  expect(ran).toEqual(['save']);
});

// Half of the 100 ms within which a step is promised to be stored.
test('work waits 50 ms for a frame that does not come', () => {
  add('save');
  vi.advanceTimersByTime(49);
  expect(ran).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ran).toEqual(['save']);
});

test('a page that is left runs it at once; a failure stops nothing', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  afterPaint.add(() => {
    throw new Error('no more history entries');
  });
  add('save');
  afterPaint.run();
  expect(ran).toEqual(['save']);
  expect(error).toHaveBeenCalledOnce();
  error.mockRestore();
});
