import { expect, test, vi } from 'vitest';
import { createCircuit } from './service.ts';

function circuit() {
  let nowMs = 0;
  const onChange = vi.fn();
  const made = createCircuit({ failures: 3, pauseMs: 1_000, onChange, nowMs: () => nowMs });
  const call = async (end: 'succeeded' | 'failed') => made.admit()?.[end]();
  return {
    made,
    call,
    onChange,
    changes: () => onChange.mock.calls.map(([state]) => state),
    later: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('after its pause it admits a single trial call', async () => {
  const { made, call, later, changes } = circuit();
  for (let i = 0; i < 3; i += 1) await call('failed');
  later(999);
  expect([made.mayAdmit(), made.admit()]).toEqual([false, undefined]);
  later(1);
  expect([made.mayAdmit(), made.state]).toEqual([true, 'open']);
  const trial = made.admit();
  expect(trial).toBeDefined();
  expect([made.mayAdmit(), made.admit()]).toEqual([false, undefined]);
  trial?.succeeded();
  expect(made.state).toBe('closed');
  expect(made.admit()).toBeDefined();
  expect(changes()).toEqual(['open', 'half_open', 'closed']);
});

test('calls admitted before a change of state do not count', async () => {
  const { made, call, later } = circuit();
  const slow = made.admit();
  const slower = made.admit();
  for (let i = 0; i < 3; i += 1) await call('failed');
  slow?.succeeded();
  expect(made.state).toBe('open');
  later(1_000);
  const trial = made.admit();
  slower?.failed();
  expect(made.state).toBe('half_open');
  trial?.succeeded();
  trial?.failed();
  expect(made.state).toBe('closed');
});
