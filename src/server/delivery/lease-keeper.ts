/**
 * Keeps the leases of this process's sends alive, and ends a send whose lease is about to run out.
 *
 * A lease is short, so that the work of a killed process is soon taken over, while a send may take
 * as long as its time-out: so leases are renewed while the process lives. When renewing fails (the
 * database is away, the process was frozen), the sends are ended before another worker may begin.
 */
import type { Logger } from '../../postgres/logger.ts';

/** A killed process's sends are taken over after this. */
export const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 4_000;
const CHECK_EVERY_MS = 1_000;
/** A send is ended this long before its lease: clocks and event loops are not exact. */
const MARGIN_MS = 3_000;

export type HeldLease = {
  /** Ends the send. */
  readonly signal: AbortSignal;
  /** False when the lease is (nearly) out, so that a send must not begin. */
  isLive(): boolean;
  release(): void;
};

export type LeaseKeeper = {
  /** @param claimedAtMs `performance.now()` of before the claim was sent. */
  hold(deliveryId: string, claimedAtMs: number): HeldLease;
  stop(): void;
};

export function createLeaseKeeper(options: {
  renew: (deliveryIds: readonly string[]) => Promise<void>;
  log: Logger;
}): LeaseKeeper {
  const { renew, log } = options;
  const held = new Set<{
    deliveryId: string;
    renewedAtMs: number;
    controller: AbortController;
  }>();
  let renewing = false;

  const isLive = (lease: { renewedAtMs: number }) =>
    performance.now() - lease.renewedAtMs < LEASE_MS - MARGIN_MS;

  async function renewAll(): Promise<void> {
    if (renewing || held.size === 0) return;
    renewing = true;
    // Only what is held now is surely renewed by this statement.
    const leases = [...held];
    const startedAtMs = performance.now();
    try {
      await renew(leases.map(({ deliveryId }) => deliveryId));
      for (const lease of leases) lease.renewedAtMs = Math.max(lease.renewedAtMs, startedAtMs);
    } catch {
      log.warn({ leases: leases.length }, 'The leases on deliveries could not be renewed');
    } finally {
      renewing = false;
    }
  }

  const renewTimer = setInterval(() => void renewAll(), RENEW_EVERY_MS);
  const checkTimer = setInterval(() => {
    for (const lease of held) if (!isLive(lease)) lease.controller.abort();
  }, CHECK_EVERY_MS);
  renewTimer.unref();
  checkTimer.unref();

  return {
    hold(deliveryId, claimedAtMs) {
      const lease = { deliveryId, renewedAtMs: claimedAtMs, controller: new AbortController() };
      held.add(lease);
      return {
        signal: lease.controller.signal,
        isLive: () => isLive(lease),
        release: () => void held.delete(lease),
      };
    },
    stop() {
      clearInterval(renewTimer);
      clearInterval(checkTimer);
    },
  };
}
