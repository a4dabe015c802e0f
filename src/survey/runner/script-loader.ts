import type { TrafficSourcePool } from '../../domain/traffic-source.ts';
import type { ThirdPartyScript } from '../page/third-party-scripts.ts';
import type { RunnerState } from './runner-state.ts';

/** Who a script is loaded for. */
export type ScriptVisit = {
  readonly affid: string;
  readonly pool: TrafficSourcePool | undefined;
};

/** The part of the runner that is followed. */
type Followed = {
  getState(): Pick<RunnerState, 'at' | 'given'>;
  subscribe(listener: () => void): unknown;
};

/**
 * Puts a script into the page. It gets no referrer and nothing of ours; when it fails or never comes,
 * nothing waits for it.
 */
function load(src: string): void {
  const script = document.createElement('script');
  script.async = true;
  script.referrerPolicy = 'no-referrer';
  script.src = src;
  document.head.append(script);
}

/**
 * Loads each script when its rule holds for the first time, once a page load. An answer counts when it
 * is given in this page: a visit that is taken up again is not counted anew.
 */
export function followScripts(
  scripts: readonly ThirdPartyScript[],
  runner: Followed,
  visit: ScriptVisit,
  put: (src: string) => void = load,
): void {
  const { given: before } = runner.getState();
  const left = new Set(
    scripts.filter(
      ({ affid, pool }) => (!affid || affid === visit.affid) && (!pool || pool === visit.pool),
    ),
  );
  const look = () => {
    const { at, given } = runner.getState();
    for (const script of left) {
      const { after } = script;
      if (script.at && script.at !== at) continue;
      if (after) {
        const answers = given[after];
        if (!answers || answers === before[after]) continue;
        const wanted = Object.entries(script.answer ?? {});
        if (wanted.some(([name, value]) => answers[name as keyof typeof answers] !== value))
          continue;
      }
      left.delete(script);
      put(script.src);
    }
  };
  look();
  if (left.size > 0) runner.subscribe(look);
}
