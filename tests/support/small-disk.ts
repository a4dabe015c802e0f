/** A small disk that a test can fill: an in-memory file system, which only root on Linux can mount. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

type SmallDisk = { readonly dir: string; unmount(): void };

/** Mounts a small disk, or returns why that is impossible. */
export function mountSmallDisk(megabytes: number): SmallDisk | { reason: string } {
  if (process.platform !== 'linux') return { reason: 'it needs Linux' };
  if (process.getuid?.() !== 0) return { reason: 'only root may mount a small disk' };
  const dir = mkdtempSync(path.join(tmpdir(), 'funnel-disk-'));
  const options = `size=${megabytes}m,mode=0711`;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir], { stdio: 'pipe' });
  } catch (error) {
    rmdirSync(dir);
    return { reason: `mount: ${String((error as { stderr?: Buffer }).stderr ?? error).trim()}` };
  }
  return {
    dir,
    unmount() {
      execFileSync('umount', [dir]);
      rmdirSync(dir);
    },
  };
}

/** Uses up all free space of a file's disk. */
export async function fillDisk(file: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    for (const size of [2 ** 20, 4_096]) {
      const chunk = Buffer.alloc(size);
      try {
        for (;;) await handle.write(chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    await handle.close();
  }
}
