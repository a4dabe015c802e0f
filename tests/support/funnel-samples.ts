/** A small funnel of /survey/v4nv for tests. */
import type {
  FunnelAnswer,
  FunnelEdge,
  FunnelStep,
} from '../../src/model/messages/console/numbers.ts';

/** Returns a step that `seen` visits reached, of which `left` ended there. */
export function step(name: string, seen: number, left: number): FunnelStep {
  return {
    step: name,
    seen,
    left,
    wentBack: Math.round(seen / 20),
    medianSeconds: 8,
    refused: name === 'PhoneAndZip' ? [{ field: 'phone', visits: 31 }] : [],
  };
}

const edge = (from: string, to: string, visits: number): FunnelEdge => ({
  from,
  to,
  visits,
});

/** Returns the answer for 1,000 visits, of which 240 sent the last form. */
export function funnelAnswer(changes: Partial<FunnelAnswer> = {}): FunnelAnswer {
  return {
    survey: '/survey/v4nv',
    visits: 1000,
    completed: 240,
    countedUntil: '2026-11-23T12:00:00.000Z',
    steps: [
      step('StartPath', 1000, 80),
      step('WasUserInjured', 900, 100),
      step('DidYouReceiveMedicalTreatment', 700, 30),
      step('PoliceReportFiled', 100, 10),
      step('PhoneAndZip', 500, 260),
    ],
    edges: [
      edge('StartPath', 'WhenWasTheAccident', 900),
      edge('StartPath', 'AtFault', 20),
      edge('WasUserInjured', 'DidYouReceiveMedicalTreatment', 700),
      edge('WasUserInjured', 'PoliceReportFiled', 100),
      edge('PhoneAndZip', 'submit', 240),
    ],
    ...changes,
  };
}
