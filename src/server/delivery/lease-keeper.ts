/**
 * Renews the leases of deliveries that this process sends. If a renewal fails, stops sending before
 * another worker may send the same delivery.
 */
import type { Logger } from '../platform/postgres/logger.ts';

/** Duration of a lease. Afterwards another worker may send the delivery. */
export const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 4_000;
const CHECK_EVERY_MS = 1_000;
/** Sending is aborted this long before the lease ends, because clocks and timers are inexact. */
const MARGIN_MS = 3_000;

export type LeaseKeeper = ReturnType<typeof createLeaseKeeper>;
export type HeldLease = ReturnType<LeaseKeeper['hold']>;

export function createLeaseKeeper({
  renew,
  log,
}: {
  renew: (deliveryIds: readonly string[]) => Promise<void>;
  log: Logger;
}) {
  const held = new Set<{ deliveryId: string; renewedAtMs: number; controller: AbortController }>();
  let renewing = false;

  const isLive = (lease: { renewedAtMs: number }) =>
    performance.now() - lease.renewedAtMs < LEASE_MS - MARGIN_MS;

  async function renewAll(): Promise<void> {
    if (renewing || held.size === 0) return;
    renewing = true;
    // Copies the set, because leases may be added while the statement below runs.
    const leases = [...held];
    const startedAtMs = performance.now();
    try {
      await renew(leases.map(({ deliveryId }) => deliveryId));
      for (const lease of leases) lease.renewedAtMs = Math.max(lease.renewedAtMs, startedAtMs);
    } catch {
      log.warn({ leases: leases.length }, 'Could not renew the leases on deliveries');
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
    /** Renews a lease until `release`. `leasedAtMs` is the time before the lease statement. */
    hold(deliveryId: string, leasedAtMs: number) {
      const lease = { deliveryId, renewedAtMs: leasedAtMs, controller: new AbortController() };
      held.add(lease);
      return {
        signal: lease.controller.signal,
        /** Returns false if the lease is about to expire. Sending must then not start. */
        isLive: () => isLive(lease),
        release: () => void held.delete(lease),
      };
    },
    stop(): void {
      clearInterval(renewTimer);
      clearInterval(checkTimer);
    },
  };
}
