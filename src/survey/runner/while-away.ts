import { wait } from '../scripts/wait.ts';

/** A server that says nothing for so long is there, and slow: that keeps nobody. */
const ANSWER_MS = 1500;
/** How often a page that is away from the network looks whether it is back. */
const PAUSE_MS = 2000;
/** Once it is, the lead may take so long. */
const SEND_MS = 2500;

/**
 * Away from the network the next page would be the browser's own error: stays until our server is within
 * reach again, and then until the lead is through or nobody is kept waiting any longer.
 *
 * @param path the next page's
 * @param say tells the visitor that the network is away; called once, and only where it is
 * @param flush sends what waits at once
 * @param settled when the lead is through
 * @param isThere whether a path of our server can be reached
 */
export async function whileAway(
  path: string,
  say: () => void,
  flush: () => void,
  settled: Promise<boolean>,
  isThere: (path: string) => Promise<boolean>,
): Promise<void> {
  const isAway = async () => (await Promise.race([isThere(path), wait(ANSWER_MS)])) === false;
  if (!(await isAway())) return;
  say();
  do await wait(PAUSE_MS);
  while (await isAway());
  flush();
  await Promise.race([settled, wait(SEND_MS)]);
}
