import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StandIn } from '../service.ts';

const files = readdirSync(import.meta.dirname).filter((file) => /^(?!index)[\w-]+\.ts$/.test(file));

/** The stand-ins of all files in this folder. */
export const standIns: readonly StandIn[] = (
  await Promise.all(
    files.map(async (file): Promise<{ standIns: readonly StandIn[] }> => {
      return import(pathToFileURL(join(import.meta.dirname, file)).href);
    }),
  )
).flatMap((module) => module.standIns);
