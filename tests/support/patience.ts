/** Makes `vi.waitFor` wait up to two minutes by default, for busy machines. */
import { vi } from 'vitest';

const PATIENCE_MS = 120_000;
const impatient = vi.waitFor;

const patientWaitFor: typeof vi.waitFor = (callback, options) =>
  impatient(callback, {
    timeout: PATIENCE_MS,
    ...(typeof options === 'number' ? { timeout: options } : options),
  });

// Several test files share `vi`, so this module must replace `vi.waitFor` only once.
if (impatient.name !== patientWaitFor.name) vi.waitFor = patientWaitFor;
