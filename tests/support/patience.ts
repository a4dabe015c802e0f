/**
 * Waits of tests last up to two minutes, because a busy machine may take a second for anything; vitest's default is
 * one second. Loaded before each test file.
 */
import { vi } from 'vitest';

const PATIENCE_MS = 120_000;
const impatient = vi.waitFor;

const patientWaitFor: typeof vi.waitFor = (callback, options) =>
  impatient(callback, {
    timeout: PATIENCE_MS,
    ...(typeof options === 'number' ? { timeout: options } : options),
  });

// Files share a worker, and with it `vi`.
if (impatient.name !== patientWaitFor.name) vi.waitFor = patientWaitFor;
