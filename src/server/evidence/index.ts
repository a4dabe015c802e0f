/** What the other rooms may use: evidence packs, the log of evidence and the keys that sign it. */
export { recipientsOf } from './facts.ts';
export { startEvidence } from './job.ts';
export { endKey, openSigningKey, readKeys, rotateKey } from './keys.ts';
export { originOf } from './log.ts';
export { makePack, packsForListeners } from './pack.ts';
export { rebuildRequest } from './proof.ts';
export { evidenceText, readProven } from './proven.ts';
export { createPublishedLog } from './published.ts';
