import type { TestProject } from 'vitest/node';
import { type Stack, startStack } from '../e2e/support/stack.ts';
import { firefox, webKit } from './webdriver.ts';

declare module 'vitest' {
  interface ProvidedContext {
    engineStack: Pick<Stack, 'url' | 'sandboxUrl' | 'dataDir'>;
  }
}

/** Starts one server for all engines, if one is installed, and returns a function that stops it. */
export default async function setUp(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  if ([firefox(), webKit()].every(({ missing }) => missing !== '')) return undefined;
  const { url, sandboxUrl, dataDir, stop } = await startStack();
  project.provide('engineStack', { url, sandboxUrl, dataDir });
  return stop;
}
