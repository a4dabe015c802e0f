import { type CLSMetric, type INPMetric, type LCPMetric, onCLS, onINP, onLCP } from 'web-vitals';
import {
  type DeviceClass,
  type PageSpeed,
  pageSpeedPath,
} from '../../../model/messages/page-speed.ts';

/** Handling shorter reactions would cost time at each tap. They are good anyway. */
const SLOW_TAP_MS = 104;

/** Devices with at most this memory (GiB) or this number of processors are slow. */
const SLOW = 4;

function deviceClass(): DeviceClass {
  const isPhone = matchMedia('(pointer: coarse) and (width < 48rem)').matches;
  if (!isPhone) return 'computer';
  // Browsers that hide a number are counted as fast, such as all iPhones.
  const { hardwareConcurrency = SLOW + 1, deviceMemory = SLOW + 1 } = navigator as Navigator & {
    deviceMemory?: number;
  };
  return Math.min(hardwareConcurrency, deviceMemory) <= SLOW ? 'slow_phone' : 'phone';
}

/**
 * Sends the page's speed once, when the visitor leaves the page or hides it. Sends no cookie, and
 * nothing from a browser with the opt-out signal (docs/specification.md#speed-of-pages). `first`
 * is the step with which the page began.
 */
export function reportSpeed(first = ''): void {
  const { globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  if (globalPrivacyControl) return;
  const onScreen = document.querySelector<HTMLElement>('[data-step]')?.dataset.step ?? '';
  // After an answer before this script ran, it is unknown when the step on screen began.
  const steps = [{ step: onScreen, since: onScreen === first ? 0 : performance.now() }];
  window.addEventListener('survey:step', (event) => {
    const { step } = (event as CustomEvent<{ step: string }>).detail;
    steps.push({ step, since: performance.now() });
  });
  const device = deviceClass();
  const found = new Map<string, PageSpeed['values'][number]>();
  const note = ({ name, value, entries }: CLSMetric | INPMetric | LCPMetric) => {
    const at = entries.at(-1)?.startTime ?? 0;
    // The largest paint comes before the first tap. Without an entry, nothing has ever shifted.
    const step = name !== 'LCP' && at ? steps.findLast(({ since }) => since <= at)?.step : first;
    if (step !== undefined) found.set(name, { metric: name, step, value });
  };
  onLCP(note);
  onINP(note, { durationThreshold: SLOW_TAP_MS });
  onCLS(note);
  // The library's listeners are older, so they have noted the last values before this one.
  const send = () => {
    if (document.visibilityState !== 'hidden') return;
    removeEventListener('visibilitychange', send, true);
    const speed: PageSpeed = {
      page: location.pathname,
      device,
      values: [...found.values()],
    };
    if (found.size === 0) return;
    fetch(pageSpeedPath, {
      method: 'POST',
      keepalive: true,
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(speed),
    }).catch(() => undefined);
  };
  addEventListener('visibilitychange', send, true);
}
